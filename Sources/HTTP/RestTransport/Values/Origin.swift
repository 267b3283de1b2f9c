// SPDX-License-Identifier: Apache-2.0

import RestBase

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
    ///
    /// - Parameters:
    ///   - scheme: the scheme.
    ///   - host: the host in any case; an IPv6 address without its brackets.
    ///   - port: the port.
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

    private var bracketedHost: String { host.hasBytes(":") ? "[\(host)]" : host }
}

extension Origin {
    /// Whether the text is a host name, an IPv4 address in four decimal octets or an IPv6 address without brackets.
    ///
    /// Other number forms (`0x7f.1`, `2130706433`) are refused: resolvers disagree about them, so they hide loopback
    /// and private addresses from checks.
    package static func isValidHost(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return IPAddress(host) != nil }
        guard (1...253).contains(host.utf8.count) else { return false }
        let start = host.utf8.lastIndex(of: UInt8(ascii: ".")).map(host.utf8.index(after:)) ?? host.utf8.startIndex
        if isNumeric(host[start...].utf8) { return IPAddress(host) != nil }
        return hasValidLabels(host)
    }

    /// Whether every label has 1 to 63 letters, digits and inner hyphens; underscores are not in the standard but in
    /// use.
    private static func hasValidLabels(_ host: String) -> Bool {
        var length = 0
        var last = UInt8(ascii: ".")
        for byte in host.utf8 {
            if byte == UInt8(ascii: ".") {
                guard length > 0, last != UInt8(ascii: "-") else { return false }
                length = 0
            } else {
                guard ASCII.hostCharacters.contains(byte), length < 63, length > 0 || byte != UInt8(ascii: "-") else {
                    return false
                }
                length += 1
            }
            last = byte
        }
        return length > 0 && last != UInt8(ascii: "-")
    }

    /// Whether a resolver could take a host that ends with this label as a number.
    private static func isNumeric(_ label: Substring.UTF8View) -> Bool {
        if label.allSatisfy(ASCII.isDigit) { return !label.isEmpty }
        return label.count > 2 && label.starts(with: "0x".utf8)
            && label.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
    }
}

extension Origin {
    /// How far away the host is, as far as its literal address, in whatever spelling, or its reserved name tells.
    var distance: IPAddress.Distance {
        // Resolvers may take any name under it for this machine (RFC 6761 §6.3).
        if isLoopback || host.hasBytes(suffix: ".localhost") { return .machine }
        return IPAddress(host)?.distance ?? .world
    }
}
