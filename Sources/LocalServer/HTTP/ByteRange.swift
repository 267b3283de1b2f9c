// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// One range of the field `Range`: `bytes=0-99`, `bytes=100-` or `bytes=-50`.
package struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// `nil` for what is ignored: another unit, several ranges, or no range at all.
    package init?(_ field: String) {
        guard field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let sides = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        first = Int(outside: String(sides[0]), in: .bytes)
        last = Int(outside: String(sides[1]), in: .bytes)
        guard first != nil || (sides[0].isEmpty && last != nil), last != nil || sides[1].isEmpty else { return nil }
        if let first, let last, last < first { return nil }
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
