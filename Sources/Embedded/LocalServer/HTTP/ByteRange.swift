// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport

/// One range of the field `Range`: `bytes=0-99`, `bytes=100-` or `bytes=-50`.
package struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// `nil` for what is ignored: another unit, several ranges, or no range at all.
    package init?(_ field: String) {
        guard let range = field.removing(prefix: "bytes="), !range.hasBytes(",") else { return nil }
        let sides = range.split(byte: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        first = Self.place(sides[0])
        last = Self.place(sides[1])
        guard first != nil || (sides[0].isEmpty && last != nil), last != nil || sides[1].isEmpty else { return nil }
        if let first, let last, last < first { return nil }
    }

    /// A place in a file; one that no file has is behind the end of every file.
    private static func place(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(outside: digits, in: .bytes) ?? NumberRange.bytes.clamped(.max)
    }

    /// The bytes that are meant of so many; `nil` if there are none.
    package func resolved(in size: Int) -> Range<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? (size - count)..<size : nil
        }
        guard first < size else { return nil }
        return first..<min((last ?? size - 1) + 1, size)
    }
}
