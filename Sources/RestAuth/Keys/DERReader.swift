// SPDX-License-Identifier: Apache-2.0

/// Reads the outermost values of a DER encoding (ITU-T X.690) one by one, and never beyond its end.
struct DERReader {
    /// The kinds of value that key files have.
    enum Tag: UInt8 {
        case integer = 0x02
        case octetString = 0x04
        case objectIdentifier = 0x06
        case sequence = 0x30
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The content of the next value, if it is of this kind and whole.
    mutating func value(of tag: Tag) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == tag.rawValue, let length = length(), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    /// A reader of the values inside the next one.
    mutating func reader(of tag: Tag) -> DERReader? {
        value(of: tag).map { DERReader($0) }
    }

    /// A length of up to four bytes; more than any key needs is no length.
    private mutating func length() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
