// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Record ids: 15 case-sensitive letters and digits, or 18 with a suffix that encodes which of them are capitals.
///
/// The first three characters are the object's key prefix, the next five this org's, the last seven a number in base 62
/// that equals the row's number in its table.
package enum RecordID {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let suffixes = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".utf8)
    private static let instance = Array("bZ000".utf8)

    /// Stands for the record type of records that have none.
    package static let masterRecordType = "012000000000000AAA"

    /// As many rows as seven digits can count.
    package static let mostRecords: Int64 = 3_521_614_606_207

    /// How many rows of one object an org has numbers for before those of the next seed's org begin.
    package static let rowsPerSeed: Int64 = 14_776_336  // 62⁴: four of the seven digits

    /// The 18-character id of a row.
    package static func make(prefix: String, number: Int64) -> String {
        var bytes = Array(prefix.utf8) + instance
        var rest = UInt64(clamping: number)
        var tail: [UInt8] = []
        for _ in 0..<7 {
            tail.append(digits[Int(rest % 62)])
            rest /= 62
        }
        bytes.append(contentsOf: tail.reversed())
        bytes.append(contentsOf: checksum(of: bytes[...]))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The id of the definition of an object, by its place in the schema.
    package static func make(entityAt position: Int) -> String { make(prefix: "4ie", number: Int64(position) + 1) }

    /// The number that seven digits in base 62 stand for.
    package static func number(of text: some Collection<UInt8>) -> Int64? {
        var number: Int64 = 0
        for byte in text {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            number = number * 62 + Int64(digit)
        }
        return number
    }

    /// The 18-character form of an id of either length, or `nil` when it is malformed or its suffix is wrong.
    package static func normalized(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 15 || bytes.count == 18, bytes.allSatisfy(ASCII.isAlphanumeric) else { return nil }
        let suffix = checksum(of: bytes[..<15])
        guard bytes.count == 15 || bytes[15...].elementsEqual(suffix) else { return nil }
        return String(decoding: bytes[..<15] + suffix, as: UTF8.self)
    }

    /// For each of three groups of five characters a digit whose bits say which are capitals, the first the lowest bit.
    private static func checksum(of id: ArraySlice<UInt8>) -> [UInt8] {
        (0..<3).map { group in
            let start = id.startIndex + group * 5
            let bits = (0..<5).reduce(0) { bits, index in
                bits | ((0x41...0x5A).contains(id[start + index]) ? 1 << index : 0)
            }
            return suffixes[bits]
        }
    }
}
