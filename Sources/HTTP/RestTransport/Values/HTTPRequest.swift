// SPDX-License-Identifier: Apache-2.0

/// One HTTP request as the transport sends it: absolute URL, header fields, body.
public struct HTTPRequest: Sendable, Hashable {
    private struct Parts: Sendable, Hashable {
        var method: HTTPMethod
        var url: HTTPURL
        var fields: HTTPFields
        var body: HTTPBody
    }

    /// Boxed, so that every step of a call, which waits until the answer comes, keeps one pointer for it.
    @Boxed private var parts: Parts

    /// Makes a request; without a body unless one is given.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the absolute address.
    ///   - fields: the header fields.
    ///   - body: what is sent after the header.
    public init(method: HTTPMethod = .get, url: HTTPURL, fields: HTTPFields = [:], body: HTTPBody = .empty) {
        parts = Parts(method: method, url: url, fields: fields, body: body)
    }

    /// The request method.
    public var method: HTTPMethod {
        get { parts.method }
        set { parts.method = newValue }
    }

    /// The absolute address; percent-encoded already.
    public var url: HTTPURL {
        get { parts.url }
        set { parts.url = newValue }
    }

    /// The header fields; a transport adds `Host`, what frames the body and `Accept-Encoding`.
    ///
    /// `CurlTransport` adds nothing else; URLSession cannot be kept from naming itself (docs/urlsession.md).
    public var fields: HTTPFields {
        get { parts.fields }
        set { parts.fields = newValue }
    }

    /// What is sent after the header.
    public var body: HTTPBody {
        get { parts.body }
        set { parts.body = newValue }
    }
}

/// An HTTP request method, an open set (RFC 9110 §9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's token exactly as it goes on the wire.
    public let rawValue: String

    /// Wraps a method token; case matters (RFC 9110 §9.1).
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads a resource's header fields only.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Lets the resource process a body; not idempotent.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a resource in part (RFC 5789); not idempotent by itself.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")

    /// The method's token.
    public var description: String { rawValue }

    /// Whether repeating the request has the same effect as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: false
        }
    }
}
