// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Record ids of 15 case-sensitive letters and digits, or of 18 with a suffix that encodes the case of the letters.
///
/// An id consists of the object's key prefix (3 characters), a part for this org (5), and the row in base 62 (7).
package enum RecordID {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let suffixes = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".utf8)
    private static let instance = Array("bZ000".utf8)

    /// The id that represents no record type.
    package static let masterRecordType = "012000000000000AAA"

    /// The maximum number of rows, limited by seven digits.
    package static let mostRecords: Int64 = 3_521_614_606_207

    /// The number of row numbers for one object in the org of one seed, before the numbers of the next seed begin.
    package static let rowsPerSeed: Int64 = 14_776_336  // 62⁴: four of the seven digits

    /// Returns the 18-character id of a row.
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

    /// Returns the id of the definition of an object, by its position in the schema.
    package static func make(entityAt position: Int) -> String { make(prefix: "4ie", number: Int64(position) + 1) }

    /// Returns the number represented by seven digits in base 62, or `nil` if a digit is invalid.
    package static func number(of text: some Collection<UInt8>) -> Int64? {
        var number: Int64 = 0
        for byte in text {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            number = number * 62 + Int64(digit)
        }
        return number
    }

    /// Returns the 18-character form of an id of either length, or `nil` if the id or its suffix is invalid.
    package static func normalized(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 15 || bytes.count == 18, bytes.allSatisfy(ASCII.isAlphanumeric) else { return nil }
        let suffix = checksum(of: bytes[..<15])
        guard bytes.count == 15 || bytes[15...].elementsEqual(suffix) else { return nil }
        return String(decoding: bytes[..<15] + suffix, as: UTF8.self)
    }

    /// Whether the bytes are a valid id of 18 characters.
    static func isNormalized(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == 18 else { return false }
        for group in 0..<3 {
            var bits = 0
            for index in 0..<5 {
                let byte = bytes[group &* 5 &+ index]
                guard ASCII.isAlphanumeric(byte) else { return false }
                if (0x41...0x5A).contains(byte) { bits |= 1 << index }
            }
            guard bytes[15 &+ group] == suffixes[bits] else { return false }
        }
        return true
    }

    /// Returns one character for each group of five, whose bits mark upper-case letters, the first in the lowest bit.
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
