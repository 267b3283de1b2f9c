// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A zone file of the system (TZif, RFC 9636): the changes so far, and the rule for those to come.
struct ZoneFile {
    private static let folder = "/usr/share/zoneinfo/"
    /// The largest file of the system has 4 KB.
    private static let mostBytes = 256 << 10

    private let changes: [Int64]
    private let offsets: [Int64]
    private let rule: ZoneRule

    /// The contents of a zone's file; `nil` for a name that is no zone's.
    static func bytes(of identifier: String) -> [UInt8]? {
        let isName = identifier.utf8.count <= 64 && identifier.utf8.first.map(\.isLetter) == true
        guard isName, identifier.utf8.allSatisfy({ $0.isLetter || "0123456789_+-/".utf8.contains($0) }),
            let data = try? Data(contentsOf: URL(filePath: folder + identifier)), data.count <= mostBytes
        else { return nil }
        return Array(data)
    }

    /// Reads the part of the file with times of 64 bits; `nil` for anything else than such a file.
    init?(_ bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0, timeSize: 4), let header = Header(bytes, at: old.end, timeSize: 8) else {
            return nil
        }
        var position = old.end + Header.size
        changes = (0..<header.times).map { Self.number(bytes, position + $0 * 8, size: 8) }
        position += header.times * 8
        let types = bytes[position..<position + header.times].map(Int.init)
        position += header.times
        let known = (0..<header.types).map { Self.number(bytes, position + $0 * 6, size: 4) }
        guard let first = known.first, types.allSatisfy({ $0 < known.count }),
            zip(changes, changes.dropFirst())
                .allSatisfy({ $0 < $1 })
        else { return nil }
        offsets = [first] + types.map { known[$0] }
        let footer = bytes[header.end...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        let last = ZoneRule(standard: offsets.last ?? first)
        guard let rule = footer.isEmpty ? last : ZoneRule(String(decoding: footer, as: UTF8.self)) else { return nil }
        self.rule = rule
    }

    /// The rules: what the file has, and 400 years of what its rule says.
    func rules(named identifier: String) -> ZoneRules {
        var zone = (changes: changes, offsets: offsets)
        let last = changes.last ?? 0
        let (start, end) = (Self.year(of: last), Self.year(of: last) + 401)
        let coming = rule.summer == nil ? [] : (start...end).flatMap { rule.changes(in: $0) }
        for change in coming where change.moment > last {
            zone.changes.append(change.moment)
            zone.offsets.append(change.offset)
        }
        return ZoneRules(
            identifier: identifier, changes: zone.changes, offsets: zone.offsets, isEndless: rule.summer != nil)
    }

    /// About the year of a moment; the changes at its ends are compared by their moments.
    private static func year(of moment: Int64) -> Int { Int(clamping: moment / 31_556_952) + 1_970 - 1 }

    private static func number(_ bytes: [UInt8], _ position: Int, size: Int) -> Int64 {
        let bits = bytes[position..<position + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return size == 8 ? Int64(bitPattern: bits) : Int64(Int32(truncatingIfNeeded: bits))
    }

    /// The counts in front of one of the file's two parts.
    private struct Header {
        static let size = 44
        let times: Int
        let types: Int
        /// Where the part ends.
        let end: Int

        init?(_ bytes: [UInt8], at start: Int, timeSize: Int) {
            guard bytes.count >= start + Self.size, bytes[start...].starts(with: "TZif".utf8),
                bytes[start + 4] >= UInt8(ascii: "2")
            else { return nil }
            let counts = (0..<6).map { Int(number(bytes, start + 20 + $0 * 4, size: 4)) }
            guard counts.allSatisfy({ (0...mostBytes).contains($0) }) else { return nil }
            let (flags, leaps, names) = (counts[0] + counts[1], counts[2], counts[5])
            (times, types) = (counts[3], counts[4])
            let size = times * (timeSize + 1) + types * 6 + names + leaps * (timeSize + 4) + flags
            end = start + Self.size + size
            guard end <= bytes.count else { return nil }
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
