// SPDX-License-Identifier: Apache-2.0

extension Origin {
    /// Whether the text is a host name, an IPv4 address in four decimal octets or an IPv6 address without brackets.
    ///
    /// Other number forms (`0x7f.1`, `2130706433`) are refused: resolvers disagree about them, so they hide loopback
    /// and private addresses from checks.
    package static func isValidHost(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return isIPv6(host) }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, let last = labels.last else { return false }
        if isNumeric(last) { return isIPv4(labels) }
        return labels.allSatisfy(isValidLabel)
    }

    /// A label of a host name; the underscore is not in the standard but in use.
    private static func isValidLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Whether a resolver could take a host that ends with this label as a number.
    private static func isNumeric(_ label: Substring.UTF8View) -> Bool {
        if label.allSatisfy(ASCII.isDigit) { return !label.isEmpty }
        return label.count > 2 && label.starts(with: "0x".utf8)
            && label.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
    }

    private static func isIPv4(_ octets: [Substring.UTF8View]) -> Bool {
        octets.count == 4
            && octets.allSatisfy { octet in
                guard (1...3).contains(octet.count), octet.allSatisfy(ASCII.isDigit) else { return false }
                guard octet.count == 1 || octet.first != UInt8(ascii: "0") else { return false }
                return UInt8(String(Substring(octet))) != nil
            }
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
            let octets = group.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard mayEndInIPv4, index == groups.count - 1, isIPv4(octets) else { return nil }
            count += 2
        }
        return count
    }
}
