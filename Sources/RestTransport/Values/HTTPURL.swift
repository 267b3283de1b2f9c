// SPDX-License-Identifier: Apache-2.0

/// Scheme, host and port: what a credential is bound to (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The schemes this SDK speaks.
    public enum Scheme: String, Sendable, Hashable {
        /// Plain HTTP, allowed only to this machine.
        case http
        /// HTTP over TLS.
        case https

        /// The port used when none is written.
        public var defaultPort: Int { self == .https ? 443 : 80 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host in lower case; an IPv6 address without its brackets.
    public let host: String
    /// The port, always explicit.
    public let port: Int
    /// Whether the host is this machine: 127.0.0.0/8 or ::1 in whatever spelling, or the name `localhost`.
    ///
    /// That name is reserved for loopback (RFC 6761 §6.3), and a transport connects to nothing else for it. No other
    /// name is trusted to be local.
    public let isLoopback: Bool
    /// Whether host and port are well formed; looked at once, since every request asks.
    let isWellFormed: Bool

    /// Makes an origin; the port defaults to the scheme's own.
    public init(scheme: Scheme, host: String, port: Int? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? scheme.defaultPort
        isLoopback = self.host == "localhost" || IPAddress(self.host)?.isLoopback == true
        isWellFormed = Self.isValidHost(self.host) && (1...65_535).contains(self.port)
    }

    /// No server yet: the origin of a relative URL, to which no transport sends anything.
    package static let undecided = Origin(scheme: .https, host: "")

    /// The origin as it stands at the head of a URL, without the scheme's default port.
    public var description: String {
        port == scheme.defaultPort ? "\(scheme.rawValue)://\(bracketedHost)" : descriptionWithPort
    }

    /// The origin with its port in any case, for those who take another one for the default.
    package var descriptionWithPort: String { "\(scheme.rawValue)://\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }
}

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
    public init(origin: Origin, path: String, query: String? = nil) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// Makes a relative URL of parts that are percent-encoded already: a path and query of a server that is not decided
    /// yet.
    ///
    /// No transport takes it; ``origin`` means nothing before it is replaced.
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
