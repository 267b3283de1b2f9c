// SPDX-License-Identifier: Apache-2.0

/// What an entry of the tape stands for.
enum TapeKind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    /// A number with a fraction or an exponent.
    case decimal
    /// A string or name whose bytes are its characters.
    case string
    /// A string or name with at least one backslash escape.
    case escapedString
    case array, object
}

/// One value or name of a document in eight bytes.
///
/// Entries lie in document order; a name comes before its value. The top 4 bits hold the kind.
/// * Strings and numbers: 28 bits of length in bytes, 32 bits of byte offset. A string's quotes are left out.
/// * Containers: 28 bits of count (members of an object, elements of an array; saturating), 32 bits of tape index of
///   the entry after the whole container. While the parser has a container open, those 32 bits hold the tape index
///   of the container around it, so no stack is needed.
struct TapeEntry: Sendable {
    /// The largest length or count that fits; a count of this size must be counted again.
    static let maximumLength = 0xFFF_FFFF

    let bits: UInt64

    @inline(__always)
    init(_ kind: TapeKind, length: Int, position: Int) {
        bits =
            UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32
            | UInt64(UInt32(truncatingIfNeeded: position))
    }

    /// The kind; the parser writes no other bit patterns than those of `TapeKind`.
    @inline(__always)
    var kind: TapeKind { TapeKind(rawValue: UInt8(truncatingIfNeeded: bits &>> 60)) ?? .null }

    /// Whether this is an entry of the given kind; cheaper than a comparison with `kind`.
    @inline(__always)
    func has(_ kind: TapeKind) -> Bool { bits &>> 60 == UInt64(kind.rawValue) }

    /// Whether this is a number of either form.
    @inline(__always)
    var isNumber: Bool { has(.integer) || has(.decimal) }

    /// The bytes of a string or number, the members or elements of a container.
    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: bits &>> 32) & TapeEntry.maximumLength }

    /// The byte offset of a string or number, the tape index after a container.
    @inline(__always)
    var position: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    /// The bytes of a string or number in the text.
    @inline(__always)
    var range: Range<Int> { position..<position &+ length }

    @inline(__always)
    var isContainer: Bool { bits &>> 60 >= UInt64(TapeKind.array.rawValue) }
}
