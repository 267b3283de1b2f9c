// SPDX-License-Identifier: Apache-2.0

import RestBase

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

/// An HTTP request method, an open set (RFC 9110 9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's token exactly as it goes on the wire.
    public let rawValue: String

    /// Wraps a method token; case matters (RFC 9110 9.1).
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

    /// Whether repeating the request has the same effect as sending it once (RFC 9110 9.2.2).
    public var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: false
        }
    }
}

extension HTTPRequest {
    /// A part of a resource, in bytes (RFC 9110 14.1.2).
    public enum ByteRange: Sendable, Hashable {
        /// These bytes, counted from 0; fewer where the resource ends before.
        case bytes(Range<Int64>)
        /// All bytes from this place on, counted from 0.
        case from(Int64)
        /// So many bytes at the end; all where the resource has fewer.
        case last(Int64)

        /// Why the range cannot be asked for.
        package var problem: String? {
            let limit = NumberRange.bytes.bounds.upperBound
            let isPossible =
                switch self {
                case .bytes(let bytes): bytes.lowerBound >= 0 && !bytes.isEmpty && bytes.upperBound <= limit
                case .from(let start): (0...limit).contains(start)
                case .last(let count): (1...limit).contains(count)
                }
            return isPossible ? nil : "must hold at least one byte, at a place from 0 to \(limit)"
        }

        /// The value of a `Range` field.
        package var text: String {
            switch self {
            case .bytes(let bytes): "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)"
            case .from(let start): "bytes=\(start)-"
            case .last(let count): "bytes=-\(count)"
            }
        }

        /// The bytes that it means of a resource of this length; `nil` when there are none.
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

/// Which part of a resource an answer holds (RFC 9110 14.4).
struct ContentRange: Equatable {
    /// The bytes of the resource that the answer holds; `nil` in a 416, which holds none.
    let part: Range<Int64>?
    /// The length of the resource; `nil` when the server does not know it.
    let total: Int64?

    /// Reads a `Content-Range` field; `nil` for what is not one, or contradicts itself.
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
    /// Refuses a request that must not leave this process; every transport calls it before anything is sent.
    ///
    /// Checked are: the method and the field names are tokens, field values hold no control characters, the target and
    /// the host are well formed, the fields that frame a message or name its target are left to the transport, and
    /// plain http goes to literal loopback addresses and to `localhost` only.
    ///
    /// - Throws: `TransportError` with the code `.invalidRequest`; it never repeats a field's value.
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
    /// Checks parts that may have been put together without parsing.
    func validate() throws(TransportError) {
        guard origin.isWellFormed else {
            throw .invalidRequest("the URL's host or port is malformed")
        }
        guard origin.scheme == .https || origin.isLoopback else {
            throw .invalidRequest("plain http is allowed for loopback addresses and localhost only; use https")
        }
        guard path.utf8.first == UInt8(ascii: "/"), Self.isTargetText(path), query.map(Self.isTargetText) ?? true else {
            throw .invalidRequest("the URL's path or query is not percent-encoded")
        }
    }

    /// Whether the text can stand in a request line; a server that issued odd characters gets them back unchanged.
    private static func isTargetText(_ text: String) -> Bool {
        ASCII.all(text, in: ASCII.targetCharacters)
    }
}

extension HTTPFields.Field {
    func validate() throws(TransportError) {
        guard !name.isEmpty, ASCII.all(name, in: ASCII.tokenCharacters) else {
            throw .invalidRequest("a header field's name is not a token")
        }
        guard Self.isValue(value) else {
            throw .invalidRequest("the header field '\(name)' has a control character in its value")
        }
        guard !Self.isOwnedByTransport(name) else {
            throw .invalidRequest("the header field '\(name)' is set by the transport")
        }
    }

    /// Whether the text holds no control characters but tabs (RFC 9110 5.5).
    private static func isValue(_ text: String) -> Bool {
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F {
            guard byte == 0x09 else { return false }
        }
        return true
    }

    /// Whether the field frames the message or steers the connection: a wrong one would let requests be smuggled.
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
