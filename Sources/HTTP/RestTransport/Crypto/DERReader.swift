// SPDX-License-Identifier: Apache-2.0

/// Reads the outermost values of a DER encoding (ITU-T X.690) one by one, and never beyond its end.
package struct DERReader {
    package enum Tag: UInt8 {
        case integer = 0x02
        case octetString = 0x04
        case objectIdentifier = 0x06
        case sequence = 0x30
        /// The version of a certificate (RFC 5280 §4.1).
        case version = 0xA0
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The content of the next value, if it is of this kind and complete, and otherwise `nil`, and nothing is read.
    package mutating func value(of tag: Tag) -> ArraySlice<UInt8>? {
        var bytes = rest
        guard bytes.popFirst() == tag.rawValue, let length = Self.length(&bytes), length <= bytes.count else {
            return nil
        }
        rest = bytes.dropFirst(length)
        return bytes.prefix(length)
    }

    /// The next value with its tag and length.
    package mutating func element(of tag: Tag) -> ArraySlice<UInt8>? {
        let start = rest
        return value(of: tag).map { start[..<$0.endIndex] }
    }

    package mutating func reader(of tag: Tag) -> DERReader? { value(of: tag).map { DERReader($0) } }

    /// A length of up to four bytes, or `nil` if it is longer than any key requires.
    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), count <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
