// SPDX-License-Identifier: Apache-2.0

/// Bytes as hexadecimal digits (RFC 4648 §8).
package enum Hexadecimal {
    /// The bytes as digits in lower case.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// The bytes of digits in either case, or `nil` if there is another character.
    package static func decode(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let high = ASCII.hexValue(digits[start]), let low = ASCII.hexValue(digits[start + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
