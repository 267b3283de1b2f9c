// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The request's header fields as libcurl wants them; kept while the next request has the same fields.
@safe struct FieldLines: ~Copyable {
    private var fields: HTTPFields?
    private var isChunked = false
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    deinit {
        unsafe curl_slist_free_all(list)
    }

    /// Makes the list for a request; `false` when the last one serves again.
    mutating func take(from request: HTTPRequest) -> Bool {
        let isChunked = request.body.isOfUnknownLength
        guard request.fields != fields || isChunked != self.isChunked else { return false }
        fields = request.fields
        self.isChunked = isChunked
        unsafe curl_slist_free_all(list)
        unsafe list = nil
        for field in request.fields {
            // A value of blanks is an empty one (RFC 9110 §5.5); libcurl would drop the field.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        suppressDefaults(of: request)
        return true
    }

    /// A name with a colon and no value takes a field out that libcurl would add by itself.
    private mutating func suppressDefaults(of request: HTTPRequest) {
        if request.fields["Accept"] == nil { append("Accept:") }
        append("Expect:")
        // libcurl frames a body of unknown length so on HTTP/1.1 and leaves the field out on HTTP/2.
        if isChunked { append("Transfer-Encoding: chunked") }
        if request.fields["Content-Type"] == nil { append("Content-Type:") }
    }

    private mutating func append(_ line: String) {
        unsafe list = unsafe curl_slist_append(list, line) ?? list
    }
}

extension HTTPBody {
    /// Whether only the end of the body tells its length.
    fileprivate var isOfUnknownLength: Bool {
        if case .stream(let source) = self { return source.length == nil }
        return false
    }
}
