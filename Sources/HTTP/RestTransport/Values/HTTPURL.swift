// SPDX-License-Identifier: Apache-2.0

import RestText

/// A percent-encoded http(s) URL without user info and fragment: absolute, or relative as long as its server is not
/// decided (RFC 3986 §4.2).
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

    /// Path and query: the request target in origin form (RFC 9112 §3.2.1).
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

            /// A blank, a control character, a character outside ASCII or one that RFC 3986 §2 does not allow
            /// unescaped.
            public static let character = Reason(rawValue: "character")
            /// A percent sign without two hexadecimal digits after it (RFC 3986 §2.1).
            public static let percentEncoding = Reason(rawValue: "percentEncoding")
            /// No scheme, or one other than http and https.
            public static let scheme = Reason(rawValue: "scheme")
            /// User name or password in the authority (RFC 9110 §4.2.4).
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
    /// The URL that a reference found under this one points to (RFC 3986 §5.2), such as a `Location` field.
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

    /// Whether the reference begins with a scheme (RFC 3986 §3.1), also one that is refused later.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let end = text.utf8.firstIndex(where: { ":/?".utf8.contains($0) }), text.utf8[end] == UInt8(ascii: ":")
        else {
            return false
        }
        return true
    }

    /// The place of the slash behind which a relative path is put (RFC 3986 §5.2.3).
    private var lastSlash: String.Index { path.lastIndex(byte: "/") ?? path.startIndex }

    /// The same URL with `.` and `..` segments taken out of its path (RFC 3986 §5.2.4).
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
