// SPDX-License-Identifier: Apache-2.0

public import RestTransport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension HTTPRequest {
    /// The request that a `URLRequest` stands for: address with its query, method, header fields and body.
    ///
    /// Fields that frame the body or steer the connection (`Content-Length`, `Host` …) are left out, for they
    /// belong to the transport. The timeout has no place here; give it to the call.
    ///
    /// - Throws: `.invalidRequest` for a URL that is not one of http or https, and for a body stream, which can be
    ///   read once: give the body as data, or as a file of an `HTTPRequest`.
    public init(_ request: URLRequest) throws(TransportError) {
        guard let text = request.url?.absoluteString, let url = try? HTTPURL(parsing: text) else {
            throw .invalidRequest("the request needs an absolute URL of http or https")
        }
        guard request.httpBodyStream == nil || request.httpBody != nil else {
            throw .invalidRequest("a body stream cannot be taken over; give the body as data")
        }
        self.init(
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), url: url,
            body: request.httpBody.map { .bytes([UInt8]($0)) } ?? .empty)
        let lines = request.allHTTPHeaderFields ?? [:]
        for (name, value) in lines.sorted(by: { $0.key < $1.key }) where !HTTPFields.Field.isOwnedByTransport(name) {
            fields.append(name, value)
        }
        try validate()
    }
}

extension URLRequest {
    /// A `URLRequest` with the address, method, header fields and body of a request.
    ///
    /// Lines of one name become one, joined by commas, as Foundation keeps them (RFC 9110 §5.3).
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: the timeout; `nil` leaves Foundation's own, 60 seconds without a byte.
    /// - Throws: `.invalidRequest` for what Foundation refuses, and for a body that is a file or a stream: upload
    ///   those with the methods of `URLSession` that take them.
    public init(copying request: HTTPRequest, timeout: Duration? = nil) throws(TransportError) {
        try request.validate()
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation refuses the URL")
        }
        self.init(url: url)
        switch request.body {
        case .empty: break
        case .bytes(let bytes): httpBody = Data(bytes)
        case .file, .stream: throw .invalidRequest("a body that is a file or a stream has no place in a URLRequest")
        }
        httpMethod = request.method.rawValue
        for field in request.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        if let timeout { timeoutInterval = timeout / .seconds(1) }
    }
}
