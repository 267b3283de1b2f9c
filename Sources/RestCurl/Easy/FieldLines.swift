// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The request's header fields as libcurl wants them; kept while the next request has the same fields.
@safe struct FieldLines: ~Copyable {
    private var fields: HTTPFields?
    private var list: UnsafeMutablePointer<curl_slist>?

    deinit {
        unsafe curl_slist_free_all(list)
    }

    /// The list for a request; libcurl reads it until the transfer ends.
    mutating func list(for request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
        guard request.fields != fields else { return unsafe list }
        fields = request.fields
        unsafe curl_slist_free_all(list)
        unsafe list = nil
        for field in request.fields {
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        suppressDefaults(of: request)
        return unsafe list
    }

    /// A name with a colon and no value takes a field out that libcurl would add by itself.
    private mutating func suppressDefaults(of request: HTTPRequest) {
        if request.fields["Accept"] == nil { append("Accept:") }
        append("Expect:")
        if request.fields["Content-Type"] == nil { append("Content-Type:") }
    }

    private mutating func append(_ line: String) {
        unsafe list = unsafe curl_slist_append(list, line) ?? list
    }
}
