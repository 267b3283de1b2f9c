// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a URL this SDK would send a request to.
///
/// The error never repeats the text itself: a URL may carry secrets in its user info or query.
public struct HTTPURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that was broken, an open set whose label is safe as a metric name.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The fixed label of the rule.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A blank, a control character, a character outside ASCII or one that RFC 3986 §2 does not allow unescaped.
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
