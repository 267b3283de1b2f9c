// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A percent-encoded http(s) URL without user info or fragment.
///
/// It is absolute, or relative (RFC 3986 §4.2) until its server is known.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// Scheme, host and port.
    public let origin: Origin
    /// The percent-encoded path, which begins with a slash.
    public let path: String
    /// The percent-encoded query without the question mark, or `nil` if the URL has no query.
    public let query: String?

    /// Creates a URL from parts that are already percent-encoded.
    ///
    /// - Parameters:
    ///   - origin: scheme, host and port.
    ///   - path: the path, including its first slash.
    ///   - query: the query without the question mark.
    public init(origin: Origin, path: String, query: String? = nil) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// Creates a relative URL, from a path and a query that are already percent-encoded.
    ///
    /// Transports reject it until its ``origin`` has been replaced.
    ///
    /// - Parameters:
    ///   - path: the path, including its first slash.
    ///   - query: the query without the question mark.
    public init(path: String, query: String? = nil) {
        self.init(origin: .undecided, path: path, query: query)
    }

    /// Whether the URL is relative, because its server is not known yet.
    public var isRelative: Bool { origin.host.isEmpty }

    /// Path and query, which form the request target in origin form (RFC 9112 §3.2.1).
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The whole URL.
    public var description: String { isRelative ? target : "\(origin)\(target)" }
}

extension HTTPURL {
    /// The error thrown when a string is not a URL that the SDK accepts.
    ///
    /// The error never contains the string, because a URL may contain secrets in its user info or query.
    public struct ParsingError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The violated rule, which is an open set whose label is safe as a metric name.
        public struct Reason: RawRepresentable, Sendable, Hashable {
            /// The fixed label of the rule.
            public let rawValue: String

            /// Wraps a label.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// A space, a control character, a non-ASCII character or one that must be escaped (RFC 3986 §2).
            public static let character = Reason(rawValue: "character")
            /// A percent sign without two hexadecimal digits after it (RFC 3986 §2.1).
            public static let percentEncoding = Reason(rawValue: "percentEncoding")
            /// No scheme, or one other than http and https.
            public static let scheme = Reason(rawValue: "scheme")
            /// A user name or password in the authority (RFC 9110 §4.2.4).
            public static let userInfo = Reason(rawValue: "userInfo")
            /// The host is missing, or is not a host name, an IPv4 address or an IPv6 address.
            public static let host = Reason(rawValue: "host")
            /// The port is not a number from 1 to 65535.
            public static let port = Reason(rawValue: "port")
            /// A fragment, which is never sent.
            public static let fragment = Reason(rawValue: "fragment")
            /// More than 64 KiB.
            public static let length = Reason(rawValue: "length")
        }

        /// The violated rule.
        public let reason: Reason
        /// The position in the string, in bytes from its start.
        public let offset: Int

        /// Creates an error.
        public init(_ reason: Reason, offset: Int = 0) {
            self.reason = reason
            self.offset = offset
        }

        /// The violated rule and its position.
        public var description: String { "invalid URL: \(reason.rawValue) at byte \(offset)" }
    }
}

extension HTTPURL {
    /// Resolves a reference, such as a `Location` header, against this URL (RFC 3986 §5.2).
    ///
    /// A fragment in the reference is dropped, because it is never sent. Otherwise this is as strict as parsing.
    ///
    /// - Parameter reference: the reference as received.
    /// - Returns: the URL that the reference identifies.
    /// - Throws: `HTTPURL.ParsingError`, also for schemes other than http and https.
    public func resolving(_ reference: String) throws(ParsingError) -> HTTPURL {
        let text = reference.prefix(before: "#")
        try Self.checkCharacters(Array(text.utf8))
        if Self.hasScheme(text) { return try HTTPURL(parsing: String(text)).withoutDotSegments }
        if text.hasBytes(prefix: "//") {
            return try HTTPURL(parsing: "\(origin.scheme.rawValue):\(text)").withoutDotSegments
        }
        let (path, query) = Self.pathAndQuery(ArraySlice(text.utf8))
        if path.isEmpty { return HTTPURL(origin: origin, path: self.path, query: query ?? self.query) }
        let merged = path.hasBytes(prefix: "/") ? path : self.path.prefix(through: lastSlash) + path
        return HTTPURL(origin: origin, path: merged, query: query).withoutDotSegments
    }

    /// Whether the reference begins with any scheme (RFC 3986 §3.1), even one that is rejected later.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let end = text.utf8.firstIndex(where: { ":/?".utf8.contains($0) }), text.utf8[end] == UInt8(ascii: ":")
        else {
            return false
        }
        return true
    }

    /// The index of the slash after which a relative path is inserted (RFC 3986 §5.2.3).
    private var lastSlash: String.Index { path.lastIndex(byte: "/") ?? path.startIndex }

    /// A copy of the URL without `.` and `..` segments in its path (RFC 3986 §5.2.4).
    var withoutDotSegments: HTTPURL {
        var output: [Substring] = []
        let segments = path.dropFirst().split(byte: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { output.append("") }
            case "..":
                _ = output.popLast()
                if isLast { output.append("") }
            default:
                output.append(segment)
            }
        }
        return HTTPURL(origin: origin, path: "/" + output.joined(separator: "/"), query: query)
    }

    /// The URL without its query, in the form in which equal URLs are equal strings (RFC 3986 §6.2.2, §6.2.3).
    ///
    /// Escapes are in upper case, unreserved characters are not escaped, and there are no dot segments.
    package var normalizedTarget: String {
        var path: [UInt8] = []
        var rest = Array(self.path.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            guard byte == UInt8(ascii: "%"), digits.count == 2,
                let high = ASCII.hexValue(digits[digits.startIndex]),
                let low = ASCII.hexValue(digits[digits.startIndex + 1])
            else {
                path.append(byte)
                continue
            }
            let code = high << 4 | low
            path += ASCII.isUnreserved(code) ? [code] : [byte] + digits.map { $0 < 0x61 ? $0 : $0 - 0x20 }
            rest = rest.dropFirst(2)
        }
        return HTTPURL(origin: origin, path: String(decoding: path, as: UTF8.self)).withoutDotSegments.description
    }
}

extension Origin {
    /// Parses the origin of an absolute http or https URL and ignores its path and query.
    ///
    /// - Parameter text: the URL, such as `https://example.my.salesforce.com`, parsed as strictly as by
    ///   ``HTTPURL/init(parsing:)``.
    /// - Throws: `HTTPURL.ParsingError` with the violated rule and its position.
    public init(parsing text: String) throws(HTTPURL.ParsingError) {
        self = try HTTPURL(parsing: text).origin
    }
}

extension HTTPURL {
    /// The maximum length of a URL, in bytes.
    static let maximumLength = 65_536

    /// Parses an absolute http or https URL strictly (RFC 3986 §3, RFC 9110 §4.2).
    ///
    /// Nothing is repaired. Rejected are user info, a fragment, spaces, control characters, non-ASCII characters,
    /// broken percent triplets, numeric hosts other than four decimal octets, and ports out of range.
    ///
    /// - Parameter text: the URL.
    /// - Throws: `HTTPURL.ParsingError` with the violated rule and its position.
    public init(parsing text: String) throws(ParsingError) {
        let bytes = Array(text.utf8)
        try Self.checkWithoutFragment(bytes)
        let (scheme, authorityStart) = try Self.scheme(of: bytes)
        let authorityEnd = bytes[authorityStart...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let authority = bytes[authorityStart..<(authorityEnd ?? bytes.endIndex)]
        let origin = try Self.origin(scheme: scheme, authority: authority)
        let (path, query) = Self.pathAndQuery(bytes[authority.endIndex...])
        self.init(origin: origin, path: path.isEmpty ? "/" : path, query: query)
    }

    /// Parses a path and an optional query as strictly as a whole URL (RFC 9112 §3.2.1).
    ///
    /// - Parameters:
    ///   - origin: the server.
    ///   - target: the path, which a question mark and the query may follow.
    /// - Throws: `HTTPURL.ParsingError` with the violated rule and its position.
    public init(origin: Origin, target: String) throws(ParsingError) {
        let bytes = Array(target.utf8)
        try Self.checkWithoutFragment(bytes)
        guard bytes.first == UInt8(ascii: "/") else { throw ParsingError(.character, offset: 0) }
        let (path, query) = Self.pathAndQuery(bytes[...])
        self.init(origin: origin, path: path, query: query)
    }

    private static func checkWithoutFragment(_ bytes: [UInt8]) throws(ParsingError) {
        try checkCharacters(bytes)
        guard let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) else { return }
        throw ParsingError(.fragment, offset: fragment)
    }

    /// Rejects characters that RFC 3986 §2 does not allow, and percent signs without two hexadecimal digits.
    static func checkCharacters(_ bytes: [UInt8]) throws(ParsingError) {
        guard bytes.count <= maximumLength else { throw ParsingError(.length, offset: maximumLength) }
        for (offset, byte) in bytes.enumerated() {
            guard ASCII.isURLCharacter(byte) else { throw ParsingError(.character, offset: offset) }
            guard byte == UInt8(ascii: "%") else { continue }
            guard offset + 2 < bytes.count, ASCII.hexValue(bytes[offset + 1]) != nil,
                ASCII.hexValue(bytes[offset + 2]) != nil
            else { throw ParsingError(.percentEncoding, offset: offset) }
        }
    }

    /// The scheme and the offset after `://`.
    private static func scheme(of bytes: [UInt8]) throws(ParsingError) -> (Origin.Scheme, Int) {
        for (scheme, prefix) in [(Origin.Scheme.https, "https://"), (.http, "http://")] {
            let head = String(decoding: bytes.prefix(prefix.utf8.count), as: UTF8.self)
            if head.isEqualIgnoringASCIICase(to: prefix) { return (scheme, prefix.utf8.count) }
        }
        throw ParsingError(.scheme)
    }

    /// Splits the string after the authority at the first question mark.
    static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> (path: String, query: String?) {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else {
            return (String(decoding: bytes, as: UTF8.self), nil)
        }
        let path = String(decoding: bytes[..<mark], as: UTF8.self)
        return (path, String(decoding: bytes[(mark + 1)...], as: UTF8.self))
    }

    private static func origin(scheme: Origin.Scheme, authority: ArraySlice<UInt8>) throws(ParsingError)
        -> Origin
    {
        if let mark = authority.firstIndex(of: UInt8(ascii: "@")) {
            throw ParsingError(.userInfo, offset: mark)
        }
        let (host, rest) = try splitHost(authority)
        guard let first = rest.first else { return Origin(scheme: scheme, host: host) }
        let digits = rest.dropFirst()
        guard first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit),
            let port = Int(outside: String(decoding: digits, as: UTF8.self), in: NumberRange(1...65_535))
        else { throw ParsingError(.port, offset: rest.startIndex) }
        return Origin(scheme: scheme, host: host, port: port)
    }

    private static func splitHost(
        _ authority: ArraySlice<UInt8>
    ) throws(ParsingError) -> (host: String, rest: ArraySlice<UInt8>) {
        let isBracketed = authority.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? authority.firstIndex(of: UInt8(ascii: "]"))
            : authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        guard let end else { throw ParsingError(.host, offset: authority.startIndex) }
        let name = isBracketed ? authority[(authority.startIndex + 1)..<end] : authority[..<end]
        let host = String(decoding: name, as: UTF8.self)
        guard isBracketed == name.contains(UInt8(ascii: ":")), Origin.isValidHost(host) else {
            throw ParsingError(.host, offset: authority.startIndex)
        }
        return (host, isBracketed ? authority[(end + 1)...] : authority[end...])
    }
}
