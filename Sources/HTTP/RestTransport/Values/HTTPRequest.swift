// SPDX-License-Identifier: Apache-2.0

import RestBase

/// An HTTP request as the transport sends it: absolute URL, headers and body.
public struct HTTPRequest: Sendable, Hashable {
    private struct Parts: Sendable, Hashable {
        var method: HTTPMethod
        var url: HTTPURL
        var fields: HTTPFields
        var body: HTTPBody
    }

    /// Boxed, so that each step of a call stores one pointer while it waits for the response.
    @Boxed private var parts: Parts

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the absolute URL.
    ///   - fields: the headers.
    ///   - body: the body, by default empty.
    public init(method: HTTPMethod = .get, url: HTTPURL, fields: HTTPFields = [:], body: HTTPBody = .empty) {
        parts = Parts(method: method, url: url, fields: fields, body: body)
    }

    /// The request method.
    public var method: HTTPMethod {
        get { parts.method }
        set { parts.method = newValue }
    }

    /// The absolute, percent-encoded URL.
    public var url: HTTPURL {
        get { parts.url }
        set { parts.url = newValue }
    }

    /// The headers that the caller sets.
    ///
    /// A transport adds `Host`, `Accept-Encoding` and the headers that frame the body. `CurlTransport` adds nothing
    /// else, but URLSession also adds headers such as `User-Agent` (docs/urlsession.md).
    public var fields: HTTPFields {
        get { parts.fields }
        set { parts.fields = newValue }
    }

    /// The request body.
    public var body: HTTPBody {
        get { parts.body }
        set { parts.body = newValue }
    }
}

/// An HTTP request method, which is an open set (RFC 9110 §9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's token, exactly as it is sent.
    public let rawValue: String

    /// Wraps a method token, which is case-sensitive (RFC 9110 §9.1).
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads only the headers of a resource.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Sends a body for the resource to process, and is not idempotent.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes part of a resource (RFC 5789), and is not idempotent.
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

extension HTTPRequest {
    /// A byte range of a resource (RFC 9110 §14.1.2).
    public enum ByteRange: Sendable, Hashable {
        /// These bytes, counted from 0, or fewer if the resource is shorter.
        case bytes(Range<Int64>)
        /// All bytes from this offset on, counted from 0.
        case from(Int64)
        /// This number of bytes at the end, or all bytes if the resource has fewer.
        case last(Int64)

        /// The reason why the range is invalid, or `nil` if it is valid.
        package var problem: String? {
            let limit = NumberRange.bytes.bounds.upperBound
            let isPossible =
                switch self {
                case .bytes(let bytes): bytes.lowerBound >= 0 && !bytes.isEmpty && bytes.upperBound <= limit
                case .from(let start): (0...limit).contains(start)
                case .last(let count): (1...limit).contains(count)
                }
            return isPossible ? nil : "must contain at least one byte, at an offset from 0 to \(limit)"
        }

        /// The value of the `Range` header.
        package var text: String {
            switch self {
            case .bytes(let bytes): "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)"
            case .from(let start): "bytes=\(start)-"
            case .last(let count): "bytes=-\(count)"
            }
        }

        /// The bytes of a resource of this length that are in the range, or `nil` if it contains no byte.
        package func bytes(of total: Int64) -> Range<Int64>? {
            let bytes =
                switch self {
                case .bytes(let bytes): bytes.clamped(to: 0..<total)
                case .from(let start): min(start, total)..<total
                case .last(let count): max(0, total - count)..<total
                }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

/// The part of a resource in a response (RFC 9110 §14.4).
struct ContentRange: Equatable {
    /// The bytes of the resource in the response, or `nil` in a 416 response, which has none.
    let part: Range<Int64>?
    /// The length of the resource, or `nil` if the server does not know it.
    let total: Int64?

    /// Parses a `Content-Range` header, or returns `nil` if it is malformed or contradictory.
    init?(_ text: String) {
        guard text.utf8.count > 6, (String(text.utf8.prefix(6)) ?? "").isEqualIgnoringASCIICase(to: "bytes ") else {
            return nil
        }
        let sides = text[text.utf8.index(text.startIndex, offsetBy: 6)...].split(
            byte: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        total = Self.number(sides[1])
        guard total != nil || sides[1] == "*" else { return nil }
        guard sides[0] != "*" else {
            guard total != nil else { return nil }
            part = nil
            return
        }
        let ends = sides[0].split(byte: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        part = first..<(last + 1)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(outside: text, in: .bytes).map(Int64.init)
    }
}

extension HTTPRequest {
    /// Checks that the request may be sent, which every transport does before sending anything.
    ///
    /// The method and header names must be tokens, header values must not contain control characters, and the URL's
    /// host, path and query must be well formed. The headers that frame a message or name its target are reserved for
    /// the transport. Plain http is allowed only for literal loopback addresses and `localhost`.
    ///
    /// - Throws: `TransportError` with the code `.invalidRequest`. The message never contains a header's value.
    public func validate() throws(TransportError) {
        guard !method.rawValue.isEmpty, ASCII.all(method.rawValue, in: ASCII.tokenCharacters) else {
            throw .invalidRequest("the method is not a token")
        }
        try url.validate()
        for field in fields {
            try field.validate()
        }
    }
}

extension HTTPURL {
    /// Checks parts that may not come from the parser.
    func validate() throws(TransportError) {
        guard origin.isWellFormed else {
            throw .invalidRequest("the URL's host or port is malformed")
        }
        guard origin.scheme == .https || origin.isLoopback else {
            throw .invalidRequest("plain http is allowed only for loopback addresses and localhost; use https")
        }
        guard path.utf8.first == UInt8(ascii: "/"), Self.isTargetText(path), query.map(Self.isTargetText) ?? true else {
            throw .invalidRequest("the URL's path or query is not percent-encoded")
        }
    }

    /// Whether the string may appear in a request line, also with unusual characters that a server has issued.
    private static func isTargetText(_ text: String) -> Bool {
        ASCII.all(text, in: ASCII.targetCharacters)
    }
}

extension HTTPFields.Field {
    func validate() throws(TransportError) {
        guard !name.isEmpty, ASCII.all(name, in: ASCII.tokenCharacters) else {
            throw .invalidRequest("the name of a header is not a token")
        }
        guard Self.isValue(value) else {
            throw .invalidRequest("the header '\(name)' has a control character in its value")
        }
        guard !Self.isOwnedByTransport(name) else {
            throw .invalidRequest("the header '\(name)' is set by the transport; remove it")
        }
    }

    /// Whether the string contains no control characters except tabs (RFC 9110 §5.5).
    private static func isValue(_ text: String) -> Bool {
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F {
            guard byte == 0x09 else { return false }
        }
        return true
    }

    /// Whether the header frames the message or controls the connection, and thus could smuggle a request.
    package static func isOwnedByTransport(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: name.isEqualIgnoringASCIICase(to: "te")
        case 4: name.isEqualIgnoringASCIICase(to: "host")
        case 6: name.isEqualIgnoringASCIICase(to: "expect")
        case 7: name.isEqualIgnoringASCIICase(to: "upgrade") || name.isEqualIgnoringASCIICase(to: "trailer")
        case 10: name.isEqualIgnoringASCIICase(to: "connection") || name.isEqualIgnoringASCIICase(to: "keep-alive")
        case 14:
            name.isEqualIgnoringASCIICase(to: "content-length") || name.isEqualIgnoringASCIICase(to: "http2-settings")
        case 16: name.isEqualIgnoringASCIICase(to: "proxy-connection")
        case 17: name.isEqualIgnoringASCIICase(to: "transfer-encoding")
        default: false
        }
    }
}

extension TransportError {
    /// An error for a request that is rejected before anything is sent.
    ///
    /// - Parameter message: the reason and what to do, without secrets.
    /// - Returns: an error with the code ``Code/invalidRequest`` that did not reach the server.
    public static func invalidRequest(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message, mayHaveReachedServer: false)
    }
}
