// SPDX-License-Identifier: Apache-2.0

// Access to values by tape index, for readers in other modules that know the structure. Each function returns `nil` for
// a value of another kind. Nothing is converted or rounded.
extension JSONDocument {
    package func kind(at place: Int) -> JSONValue.Kind { JSONValue.Kind(tape[place].kind) }

    @inline(__always)
    package func isNull(at place: Int) -> Bool { tape[place].has(.null) }

    /// A signed 64-bit integer written without fraction and exponent.
    package func int64(at place: Int) -> Int64? { plainInteger(at: place) }

    /// An unsigned 64-bit integer written without fraction and exponent.
    package func uint64(at place: Int) -> UInt64? { plainInteger(at: place) }

    /// The `Float` nearest to a number of any form, rounded once.
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

    /// The range in `bytes` of a string without escapes, or of a number.
    @inline(__always)
    package func plainRange(at place: Int, isNumber: Bool = false) -> Range<Int>? {
        let entry = tape[place]
        return (isNumber ? entry.isNumber : entry.has(.string)) ? entry.range : nil
    }

    /// Calls `body` with the original bytes, which must not escape, of a string without escapes, a number or a Boolean.
    package func withPlainBytes<Result>(at place: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let entry = tape[place]
        guard !entry.isContainer, !entry.has(.escapedString), !entry.has(.null) else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            // Slicing checks the bounds.
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[entry.range]))
        }
    }

    package func value(at place: Int) -> JSONValue { JSONValue(self, at: place) }

    /// The tape indices inside an array or object, or `nil` for other kinds.
    package func inside(_ kind: JSONValue.Kind, at place: Int) -> Range<Int>? {
        let entry = tape[place]
        guard entry.isContainer, entry.has(.object) == (kind == .object) else { return nil }
        return place + 1..<entry.position
    }

    package func count(at place: Int) -> Int { count(of: tape[place], at: place) }

    /// The coding path from a value to a value inside it.
    package func path(from root: Int, to place: Int) -> [any CodingKey] {
        JSONDecodingContext(document: self, root: root, options: JSONDecodingOptions()).path(to: place)
    }

    @inline(__always)
    private func plainInteger<T: FixedWidthInteger>(at place: Int) -> T? {
        let entry = tape[place]
        return entry.has(.integer) ? withSource { JSONNumber.integer($0, entry.range, as: T.self) } : nil
    }
}

/// A coding path step for the name of a member.
package func jsonKey(_ name: String) -> any CodingKey { JSONKey(stringValue: name) }

extension JSONValue {
    /// The document and tape index of the value, which is serialized and parsed if it was created in memory.
    package func placed() throws(JSONDecodingError) -> (document: JSONDocument, place: Int) { try viewed() }
}
