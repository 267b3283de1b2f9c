// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Scheme, host and port, to which a credential is bound (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The schemes that the SDK supports.
    public enum Scheme: String, Sendable, Hashable {
        /// Plain HTTP, allowed only for loopback.
        case http
        /// HTTP over TLS.
        case https

        /// The port to use if none is given.
        public var defaultPort: Int { self == .https ? 443 : 80 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host in lower case, without the brackets of an IPv6 address.
    public let host: String
    /// The port, always explicit.
    public let port: Int
    /// Whether the host is this machine: 127.0.0.0/8 or ::1 in any notation, or the name `localhost`.
    ///
    /// The name is reserved for loopback (RFC 6761 §6.3), and a transport connects it to loopback only. No other name
    /// is trusted to be local.
    public let isLoopback: Bool
    /// Whether host and port are well formed, computed once because every request is checked.
    let isWellFormed: Bool

    /// Creates an origin.
    ///
    /// - Parameters:
    ///   - scheme: the scheme.
    ///   - host: the host in any case, without the brackets of an IPv6 address.
    ///   - port: the port, by default that of the scheme.
    public init(scheme: Scheme, host: String, port: Int? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? scheme.defaultPort
        isLoopback = self.host == "localhost" || IPAddress(self.host)?.isLoopback == true
        isWellFormed = Self.isValidHost(self.host) && (1...65_535).contains(self.port)
    }

    /// The origin of a relative URL, to which no transport sends anything.
    package static let undecided = Origin(scheme: .https, host: "")

    /// The origin as at the start of a URL, without the scheme's default port.
    public var description: String {
        port == scheme.defaultPort ? "\(scheme.rawValue)://\(bracketedHost)" : descriptionWithPort
    }

    /// The origin with its port, for programs that assume another default port.
    package var descriptionWithPort: String { "\(scheme.rawValue)://\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.hasBytes(":") ? "[\(host)]" : host }

    /// Whether the string is a host name, an IPv4 address of four decimal octets, or an IPv6 address without brackets.
    ///
    /// Other numeric forms (`0x7f.1`, `2130706433`) are rejected. Resolvers disagree about them, so they can hide
    /// loopback and private addresses from checks.
    package static func isValidHost(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return IPAddress(host) != nil }
        guard (1...253).contains(host.utf8.count) else { return false }
        let start = host.utf8.lastIndex(of: UInt8(ascii: ".")).map(host.utf8.index(after:)) ?? host.utf8.startIndex
        if isNumeric(host[start...].utf8) { return IPAddress(host) != nil }
        return hasValidLabels(host)
    }

    /// Whether every label has 1 to 63 letters, digits, inner hyphens and underscores, which are nonstandard but in
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

    /// Whether a resolver might interpret a host that ends with this label as a number.
    private static func isNumeric(_ label: Substring.UTF8View) -> Bool {
        if label.allSatisfy(ASCII.isDigit) { return !label.isEmpty }
        return label.count > 2 && label.starts(with: "0x".utf8)
            && label.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
    }

    /// The distance of the host, according to its literal address or reserved name.
    var distance: IPAddress.Distance {
        // Resolvers may resolve any name under `localhost` to this machine (RFC 6761 §6.3).
        if isLoopback || host.hasBytes(suffix: ".localhost") { return .machine }
        return IPAddress(host)?.distance ?? .world
    }
}

/// The numbers of a literal IP address, because one address has many notations.
enum IPAddress: Hashable {
    /// Four octets, the first in the highest bits.
    case v4(UInt32)
    /// Eight groups (RFC 4291 §2.2).
    case v6([UInt16])

    /// Parses four decimal octets without leading zeros, or an IPv6 address without brackets and zone.
    init?(_ host: String) {
        if host.utf8.contains(UInt8(ascii: ":")) {
            guard let groups = Self.groups(of: host) else { return nil }
            self = .v6(groups)
        } else {
            guard let number = Self.number(of: host[...].utf8) else { return nil }
            self = .v4(number)
        }
    }

    /// Whether it is in 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        switch self {
        case .v4(let number): number >> 24 == 127
        case .v6(let groups): groups == [0, 0, 0, 0, 0, 0, 0, 1]
        }
    }

    /// The distance of a machine, according to its address alone.
    enum Distance: Comparable {
        /// This machine or its link: loopback, link-local or unspecified. Cloud providers publish instance secrets at
        /// link-local addresses.
        case machine
        /// The network of this machine: private (RFC 1918), carrier-grade NAT (RFC 6598) or unique local (RFC 4193).
        case network
        /// Any other address.
        case world
    }

    /// The distance of the address.
    ///
    /// An IPv6 address that contains an IPv4 address always counts as this machine, because such addresses have no
    /// legitimate use in a redirect.
    var distance: Distance {
        switch self {
        case .v4(let number):
            if isLoopback || Self.contains(number, [(0, 8), (0xA9FE_0000, 16)]) { return .machine }
            return Self.contains(number, Self.privateBlocks) ? .network : .world
        case .v6(let groups):
            if groups[0] & 0xFFC0 == 0xFE80 || Self.prefixesOfIPv4.contains(Array(groups.prefix(6))) { return .machine }
            // The second block is the older form of unique local addresses (RFC 3879).
            return groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFFC0 == 0xFEC0 ? .network : .world
        }
    }

    /// The blocks for private use (RFC 1918), carrier-grade NAT (RFC 6598) and benchmarks between networks (RFC 2544).
    private static let privateBlocks: [(UInt32, UInt32)] = [
        (0x0A00_0000, 8), (0xAC10_0000, 12), (0xC0A8_0000, 16), (0x6440_0000, 10), (0xC612_0000, 15),
    ]

    private static func contains(_ number: UInt32, _ blocks: [(start: UInt32, bits: UInt32)]) -> Bool {
        blocks.contains { number >> (32 - $0.bits) == $0.start >> (32 - $0.bits) }
    }

    /// The prefixes of embedded IPv4 addresses: compatible (with `::` and `::1`), mapped, translated (RFC 6052 §2.1).
    private static let prefixesOfIPv4: [[UInt16]] = [
        [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0xFFFF], [0x64, 0xFF9B, 0, 0, 0, 0],
    ]

    private static func number(of text: Substring.UTF8View) -> UInt32? {
        var (number, octets) = (UInt32(0), 0)
        var (value, digits) = (UInt32(0), 0)
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard digits > 0, octets < 3 else { return nil }
                number = number << 8 | value
                (octets, value, digits) = (octets + 1, 0, 0)
            } else {
                guard ASCII.isDigit(byte), digits == 0 || value > 0 else { return nil }
                value = value * 10 + UInt32(byte - UInt8(ascii: "0"))
                digits += 1
                guard value <= 255 else { return nil }
            }
        }
        return octets == 3 && digits > 0 ? number << 8 | value : nil
    }

    private static func groups(of host: String) -> [UInt16]? {
        let halves = Self.halves(of: host)
        guard halves.count <= 2, let tail = groups(of: halves[halves.count - 1], mayEndInIPv4: true) else { return nil }
        guard halves.count == 2 else { return tail.count == 8 ? tail : nil }
        guard let head = groups(of: halves[0], mayEndInIPv4: false), head.count + tail.count <= 7 else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func halves(of host: String) -> [Substring] {
        guard let middle = host.firstRange(bytes: "::") else { return [host[...]] }
        return [host[..<middle.lowerBound], host[middle.upperBound...]]
    }

    /// The groups in a part of an IPv6 address, or `nil` if a group is malformed.
    private static func groups(of part: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !part.isEmpty else { return [] }
        var texts = part.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var end: [UInt16] = []
        if mayEndInIPv4, let number = texts.last.flatMap({ Self.number(of: $0) }) {
            end = [UInt16(number >> 16), UInt16(number & 0xFFFF)]
            texts.removeLast()
        }
        var groups: [UInt16] = []
        for text in texts {
            let digits = text.compactMap { ASCII.hexValue($0) }
            guard (1...4).contains(digits.count), digits.count == text.count else { return nil }
            groups.append(digits.reduce(0) { $0 << 4 | UInt16($1) })
        }
        return groups + end
    }
}
