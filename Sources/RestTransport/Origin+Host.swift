// SPDX-License-Identifier: Apache-2.0

extension Origin {
    /// Whether the text is a host name, an IPv4 address in four decimal octets or an IPv6 address without brackets.
    ///
    /// Other number forms (`0x7f.1`, `2130706433`) are refused: resolvers disagree about them, so they hide loopback
    /// and private addresses from checks.
    package static func isValidHost(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return isIPv6(host) }
        guard (1...253).contains(host.utf8.count) else { return false }
        let start = host.utf8.lastIndex(of: UInt8(ascii: ".")).map(host.utf8.index(after:)) ?? host.utf8.startIndex
        if isNumeric(host[start...].utf8) { return isIPv4(host[...].utf8) }
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

    /// Whether the text is four decimal octets without leading zeros.
    private static func isIPv4(_ text: Substring.UTF8View) -> Bool {
        var octets = 0
        var value = 0
        var digits = 0
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                (octets, value, digits) = (octets + 1, 0, 0)
            } else {
                guard ASCII.isDigit(byte), digits == 0 || value > 0 else { return false }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
                guard value <= 255 else { return false }
            }
        }
        return octets == 3 && digits > 0
    }

    /// Checks the text form of RFC 4291 §2.2 without a zone.
    private static func isIPv6(_ host: String) -> Bool {
        let halves = host.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            guard let count = groupCount(half, mayEndInIPv4: index == halves.count - 1) else { return false }
            groups += count
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    /// The number of 16-bit groups written in a part of an IPv6 address, or `nil` when one is malformed.
    private static func groupCount(_ half: Substring, mayEndInIPv4: Bool) -> Int? {
        let groups = half.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        for (index, group) in groups.enumerated() {
            if (1...4).contains(group.count), group.allSatisfy({ ASCII.hexValue($0) != nil }) {
                count += 1
                continue
            }
            guard mayEndInIPv4, index == groups.count - 1, isIPv4(group) else { return nil }
            count += 2
        }
        return count
    }
}

extension Origin {
    /// Whether the text is an address in 127.0.0.0/8 or ::1.
    static func isLoopback(_ host: String) -> Bool {
        if host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether the host is a literal address of this machine or its link: loopback, link-local or unspecified, also
    /// when it is an IPv4 address inside an IPv6 one.
    var isInternalAddress: Bool {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return Self.isInternalIPv4(host[...]) }
        let first = host.prefix { $0 != ":" }
        if let group = UInt16(first, radix: 16), group & 0xFFC0 == 0xFE80 { return true }
        let significant = host.filter { $0 != ":" && $0 != "0" }
        if significant.isEmpty || (significant == "1" && host.hasSuffix("1")) { return true }
        guard let last = host.split(separator: ":").last else { return false }
        // Any IPv4 address written inside is judged by itself; the hexadecimal spelling of a mapped one is refused
        // whole.
        if last.contains(".") { return Self.isInternalIPv4(last) }
        return host.hasPrefix("::ffff:") || host.hasPrefix("0:0:0:0:0:ffff:") || host.hasPrefix("64:ff9b:")
    }

    private static func isInternalIPv4(_ text: Substring) -> Bool {
        let octets = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard octets.count == 4 else { return false }
        return octets[0] == 127 || octets[0] == 0 || (octets[0] == 169 && octets[1] == 254)
    }
}
