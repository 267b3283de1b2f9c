// SPDX-License-Identifier: Apache-2.0

public import RestTransport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// Time runs out by the call's own clock, long before this, in seconds.
    static let backstop: TimeInterval = 1_000_000

    /// The request as URLSession wants it, without its body.
    ///
    /// - Throws: `.invalidRequest` for what Foundation refuses, `.file` for a body that cannot be read.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation refuses the URL")
        }
        guard request.body == .empty || ![.get, .head].contains(request.method) else {
            throw .invalidRequest("a \(request.method) request has no body")
        }
        // URLSession opens the file anew, a moment later.
        if case .file(let file) = request.body { _ = try FileSource(file) }
        #if canImport(FoundationNetworking)
        guard !request.url.origin.host.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest("Foundation on this platform reaches no IPv6 literal; use CurlTransport, or a name")
        }
        #endif
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.backstop)
        httpMethod = request.method.rawValue
        for field in request.fields {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        frame(request)
    }

    #if canImport(FoundationNetworking)
    /// Asks for bodies that are not packed: libcurl inside takes a packed one that was cut for a whole one.
    private mutating func frame(_ request: HTTPRequest) {
        if request.fields["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
    #else
    /// Says what a body is and how long, which URLSession would say otherwise.
    private mutating func frame(_ request: HTTPRequest) {
        guard request.body != .empty else { return }
        // What no type means (RFC 9110 §8.3); URLSession would call it a form.
        if request.fields["Content-Type"] == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // Else a streamed body is sent in chunks.
        if case .stream = request.body, let length = request.body.length {
            setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
    }
    #endif
}

extension HTTPRequest {
    /// The request that a `URLRequest` stands for: address with its query, method, header fields and body.
    ///
    /// Fields that frame the body or steer the connection (`Content-Length`, `Host` …) are left out, for they
    /// belong to the transport. The timeout has no place here; give it to the call.
    ///
    /// - Parameter request: the request of Foundation.
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
