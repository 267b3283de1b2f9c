// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A percent-encoded http(s) URL without user info and fragment: absolute, or relative as long as its server is not
/// decided (RFC 3986 4.2).
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// Scheme, host and port.
    public let origin: Origin
    /// The percent-encoded path; begins with a slash.
    public let path: String
    /// The percent-encoded query without its question mark.
    public let query: String?

    /// Makes a URL of parts that are percent-encoded already.
    ///
    /// - Parameters:
    ///   - origin: scheme, host and port.
    ///   - path: the path, with its slash.
    ///   - query: the query without its question mark.
    public init(origin: Origin, path: String, query: String? = nil) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// Makes a relative URL of parts that are percent-encoded already: a path and query of a server that is not decided
    /// yet.
    ///
    /// No transport takes it; ``origin`` means nothing before it is replaced.
    ///
    /// - Parameters:
    ///   - path: the path, with its slash.
    ///   - query: the query without its question mark.
    public init(path: String, query: String? = nil) {
        self.init(origin: .undecided, path: path, query: query)
    }

    /// Whether the server is not decided yet.
    public var isRelative: Bool { origin.host.isEmpty }

    /// Path and query: the request target in origin form (RFC 9112 3.2.1).
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The whole URL as text.
    public var description: String { isRelative ? target : "\(origin)\(target)" }
}

extension HTTPURL {
    /// Why a text is not a URL this SDK would send a request to.
    ///
    /// The error never repeats the text itself: a URL may carry secrets in its user info or query.
    public struct ParsingError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The rule that was broken, an open set whose label is safe as a metric name.
        public struct Reason: RawRepresentable, Sendable, Hashable {
            /// The fixed label of the rule.
            public let rawValue: String

            /// Wraps a label.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A blank, a control character, a character outside ASCII or one that RFC 3986 2 does not allow
            /// unescaped.
            public static let character = Reason(rawValue: "character")
            /// A percent sign without two hexadecimal digits after it (RFC 3986 2.1).
            public static let percentEncoding = Reason(rawValue: "percentEncoding")
            /// No scheme, or one other than http and https.
            public static let scheme = Reason(rawValue: "scheme")
            /// User name or password in the authority (RFC 9110 4.2.4).
            public static let userInfo = Reason(rawValue: "userInfo")
            /// The host is missing or is neither a name, an IPv4 nor an IPv6 address.
            public static let host = Reason(rawValue: "host")
            /// The port is not a number from 1 to 65535.
            public static let port = Reason(rawValue: "port")
            /// A fragment, which is never sent.
            public static let fragment = Reason(rawValue: "fragment")
            /// More than 64 KiB of text.
            public static let length = Reason(rawValue: "length")
        }

        /// The rule that was broken.
        public let reason: Reason
        /// Where in the text, in bytes from its start.
        public let offset: Int

        /// Makes an error.
        public init(_ reason: Reason, offset: Int = 0) {
            self.reason = reason
            self.offset = offset
        }

        /// The broken rule and its place.
        public var description: String { "invalid URL: \(reason.rawValue) at byte \(offset)" }
    }
}

extension HTTPURL {
    /// The URL that a reference found under this one points to (RFC 3986 5.2), such as a `Location` field.
    ///
    /// A fragment in the reference is dropped, since it never goes on the wire; all else is as strict as parsing.
    ///
    /// - Parameter reference: the reference as it was found.
    /// - Returns: the URL that it points to.
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

    /// Whether the reference begins with a scheme (RFC 3986 3.1), also one that is refused later.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let end = text.utf8.firstIndex(where: { ":/?".utf8.contains($0) }), text.utf8[end] == UInt8(ascii: ":")
        else {
            return false
        }
        return true
    }

    /// The place of the slash behind which a relative path is put (RFC 3986 5.2.3).
    private var lastSlash: String.Index { path.lastIndex(byte: "/") ?? path.startIndex }

    /// The same URL with `.` and `..` segments taken out of its path (RFC 3986 5.2.4).
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
}

extension Origin {
    /// Reads the origin out of the text of an absolute http or https URL; what follows the port is left out.
    ///
    /// - Parameter text: the URL, such as `https://example.my.salesforce.com`, read as strictly as
    ///   ``HTTPURL/init(parsing:)`` does.
    /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
    public init(parsing text: String) throws(HTTPURL.ParsingError) {
        self = try HTTPURL(parsing: text).origin
    }
}

extension HTTPURL {
    /// The longest URL text accepted, in bytes.
    static let maximumLength = 65_536

    /// Reads an absolute http or https URL, strictly (RFC 3986 3, RFC 9110 4.2).
    ///
    /// Nothing is repaired: user info, a fragment, blanks, control characters, anything outside ASCII, broken percent
    /// triplets, host names in number form other than four decimal octets and ports out of range are refused.
    ///
    /// - Parameter text: the URL.
    /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
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

    /// Reads what follows the origin, a path and perhaps a query, as strictly as a whole URL (RFC 9112 3.2.1).
    ///
    /// - Parameters:
    ///   - origin: the server.
    ///   - target: the path, and perhaps the query behind a question mark.
    /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
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

    /// Refuses what RFC 3986 2 does not allow and percent signs without two digits.
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

    /// The scheme and the offset behind `://`.
    private static func scheme(of bytes: [UInt8]) throws(ParsingError) -> (Origin.Scheme, Int) {
        for (scheme, prefix) in [(Origin.Scheme.https, "https://"), (.http, "http://")] {
            let head = String(decoding: bytes.prefix(prefix.utf8.count), as: UTF8.self)
            if head.isEqualIgnoringASCIICase(to: prefix) { return (scheme, prefix.utf8.count) }
        }
        throw ParsingError(.scheme)
    }

    /// Splits what stands behind the authority at the first question mark.
    static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> (path: String, query: String?) {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else {
            return (String(decoding: bytes, as: UTF8.self), nil)
        }
        let path = String(decoding: bytes[..<mark], as: UTF8.self)
        return (path, String(decoding: bytes[(mark + 1)...], as: UTF8.self))
    }

    /// Host and port of an authority without user info (RFC 3986 3.2).
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

    /// The host without brackets and what follows it.
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
