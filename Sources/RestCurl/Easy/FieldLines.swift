// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The request's header fields as libcurl wants them; kept while the next request has the same fields.
@safe struct FieldLines: ~Copyable {
    private var fields: HTTPFields?
    private var framing = BodyFraming.none
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    deinit {
        unsafe curl_slist_free_all(list)
    }

    /// Makes the list for a request; `false` when the last one serves again.
    mutating func take(from request: HTTPRequest) -> Bool {
        let framing = BodyFraming(of: request)
        guard request.fields != fields || framing != self.framing else { return false }
        fields = request.fields
        self.framing = framing
        unsafe curl_slist_free_all(list)
        unsafe list = nil
        for field in request.fields {
            // A value of blanks is an empty one (RFC 9110 §5.5); libcurl would drop the field.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // As an option libcurl would write it out twice for every request.
        if request.fields["Accept-Encoding"] == nil { append("Accept-Encoding: \(ContentDecoder.accepted)") }
        suppressDefaults(of: request)
        return true
    }

    /// A name with a colon and no value takes a field out that libcurl would add by itself.
    private mutating func suppressDefaults(of request: HTTPRequest) {
        if request.fields["Accept"] == nil { append("Accept:") }
        guard framing != .none else { return }
        append("Expect:")
        // libcurl frames a body of unknown length so on HTTP/1.1 and leaves the field out on HTTP/2.
        if framing == .chunked { append("Transfer-Encoding: chunked") }
        if request.fields["Content-Type"] == nil { append("Content-Type:") }
    }

    private mutating func append(_ line: String) {
        unsafe list = unsafe curl_slist_append(list, line) ?? list
    }
}

/// How a request's body is delimited (RFC 9112 §6).
enum BodyFraming {
    /// There is no body, and nobody expects one: not a POST for libcurl.
    case none
    /// By its length, which may be 0.
    case length
    /// Only its end tells the length.
    case chunked

    init(of request: HTTPRequest) {
        switch request.body {
        case .stream(let source): self = source.length == nil ? .chunked : .length
        case .bytes, .file: self = .length
        case .empty: self = request.method != .get && [.post, .put, .patch].contains(request.method) ? .length : .none
        }
    }
}
