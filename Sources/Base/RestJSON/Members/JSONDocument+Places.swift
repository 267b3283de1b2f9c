// SPDX-License-Identifier: Apache-2.0

/// Values at places of the tape, for readers of other modules that know what they look for.
///
/// Each read gives `nil` for a value of another kind; nothing is converted or rounded.
extension JSONDocument {
    /// The kind of the value at a place.
    package func kind(at place: Int) -> JSONValue.Kind { JSONValue.Kind(tape[place].kind) }

    /// Whether the value is `null`.
    @inline(__always)
    package func isNull(at place: Int) -> Bool { tape[place].has(.null) }

    /// A number written without fraction and exponent, as an integer of 64 bits with sign.
    package func int64(at place: Int) -> Int64? { plainInteger(at: place) }

    /// A number written without fraction and exponent, as an integer of 64 bits without sign.
    package func uint64(at place: Int) -> UInt64? { plainInteger(at: place) }

    /// The single nearest to a number of any form, rounded once.
    package func single(at place: Int) -> Float? {
        let entry = tape[place]
        guard entry.isNumber, let value = Float(text(of: entry)), value.isFinite else { return nil }
        return value
    }

    /// The bytes of a string without escapes.
    package func plainText(at place: Int) -> ArraySlice<UInt8>? {
        let entry = tape[place]
        return entry.has(.string) ? bytes[entry.range] : nil
    }

    /// Calls a function with the bytes of a string without escapes, of a number or of a boolean, as they stand in the
    /// text; `nil` for what needs more than that.
    ///
    /// The function must not keep the bytes.
    package func withPlainBytes<Result>(at place: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let entry = tape[place]
        guard !entry.isContainer, !entry.has(.escapedString), !entry.has(.null) else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            // Slicing checks the bounds.
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[entry.range]))
        }
    }

    /// The value as one to look into.
    package func value(at place: Int) -> JSONValue { JSONValue(self, at: place) }

    /// The places from the first inside an array or object to the one after the last; `nil` for other kinds.
    package func inside(_ kind: JSONValue.Kind, at place: Int) -> Range<Int>? {
        let entry = tape[place]
        guard entry.isContainer, entry.has(.object) == (kind == .object) else { return nil }
        return place + 1..<entry.position
    }

    /// The number of members or elements inside the value at a place.
    package func count(at place: Int) -> Int { count(of: tape[place], at: place) }

    /// The way from one place to another inside it.
    package func path(from root: Int, to place: Int) -> [any CodingKey] {
        JSONDecodingContext(document: self, root: root, options: JSONDecodingOptions()).path(to: place)
    }

    @inline(__always)
    private func plainInteger<T: FixedWidthInteger>(at place: Int) -> T? {
        let entry = tape[place]
        return entry.has(.integer) ? withSource { JSONNumber.integer($0, entry.range, as: T.self) } : nil
    }
}

/// A step of a path: the name of a member.
package func jsonKey(_ name: String) -> any CodingKey { JSONKey(stringValue: name) }

extension JSONValue {
    /// The document and the place of the value; one made in memory is written and parsed.
    package func placed() throws(JSONDecodingError) -> (document: JSONDocument, place: Int) { try viewed() }
}
