// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A literal address as numbers: one address has many spellings, and only the numbers can be judged.
enum IPAddress: Hashable {
    /// Four octets, the first one in the highest bits.
    case v4(UInt32)
    /// Eight groups (RFC 4291 §2.2).
    case v6([UInt16])

    /// Reads four decimal octets without leading zeros, or an IPv6 address without brackets and zone.
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

    /// How far away the machine at an address is, judged by the address alone.
    enum Distance: Comparable {
        /// This machine or its link: loopback, link-local, unspecified. Clouds keep their secrets there.
        case machine
        /// The network this machine is in: private (RFC 1918), shared by a carrier's customers (RFC 6598) or unique
        /// local (RFC 4193).
        case network
        /// Anywhere.
        case world
    }

    /// How far away it is.
    ///
    /// An IPv6 address with an IPv4 one inside is this machine's whatever that one is: nobody links to it in good
    /// faith.
    var distance: Distance {
        switch self {
        case .v4(let number):
            if isLoopback || Self.contains(number, [(0, 8), (0xA9FE_0000, 16)]) { return .machine }
            return Self.contains(number, Self.privateBlocks) ? .network : .world
        case .v6(let groups):
            if groups[0] & 0xFFC0 == 0xFE80 || Self.prefixesOfIPv4.contains(Array(groups.prefix(6))) { return .machine }
            // The second one is the old form of unique local addresses (RFC 3879).
            return groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFFC0 == 0xFEC0 ? .network : .world
        }
    }

    /// Private blocks, the one for carriers, and the one for measurements between networks (RFC 2544).
    private static let privateBlocks: [(UInt32, UInt32)] = [
        (0x0A00_0000, 8), (0xAC10_0000, 12), (0xC0A8_0000, 16), (0x6440_0000, 10), (0xC612_0000, 15),
    ]

    private static func contains(_ number: UInt32, _ blocks: [(start: UInt32, bits: UInt32)]) -> Bool {
        blocks.contains { number >> (32 - $0.bits) == $0.start >> (32 - $0.bits) }
    }

    /// What stands before an IPv4 address: compatible (with `::` and `::1`), mapped, translated (RFC 6052 §2.1).
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

    /// The groups written in a part of an IPv6 address, or `nil` when one is malformed.
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
