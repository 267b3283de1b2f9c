// SPDX-License-Identifier: Apache-2.0

/// Reads of parsed values are inlined into the caller as far as the call of the document; what values in memory need is
/// a call away.
extension JSONValue {
    /// What kind of value this is.
    public var kind: Kind {
        switch storage {
        case .view(let document, let index): Kind(document.tape[Int(index)].kind)
        case .null: .null
        case .bool: .bool
        case .integer, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The member with a name, the last one where the name repeats; nil when absent or when this is no object.
    @inlinable
    public subscript(_ key: String) -> JSONValue? {
        guard case .view(let document, let index) = storage else { return ownedMember(key) }
        guard let found = document.member(named: key, of: Int(index)) else { return nil }
        return JSONValue(document, at: found)
    }

    /// The member of an object in memory.
    @usableFromInline
    func ownedMember(_ key: String) -> JSONValue? {
        guard case .object(let members) = storage else { return nil }
        return members.lastIndex(of: key).map { members.list[$0].value }
    }

    /// The element at a position; nil beyond the end, below zero, or when this is no array.
    ///
    /// Over parsed bytes this walks from the first element; use `array` to read many elements of a long array.
    public subscript(_ index: Int) -> JSONValue? {
        switch storage {
        case .view(let document, let position):
            return document.element(index, ofArrayAt: Int(position)).map { JSONValue(document, at: $0) }
        case .array(let elements):
            guard elements.indices.contains(index) else { return nil }
            return elements[index]
        default: return nil
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { kind == .null }

    /// The boolean, or nil for any other kind.
    @inlinable
    public var bool: Bool? {
        switch storage {
        case .view(let document, let index): document.bool(at: Int(index))
        case .bool(let value): value
        default: nil
        }
    }

    /// The characters, or nil for any other kind.
    ///
    /// Over parsed bytes they are copied by this call, not before.
    @inlinable
    public var string: String? {
        switch storage {
        case .view(let document, let index): document.characters(at: Int(index))
        case .string(let value): value
        default: nil
        }
    }

    /// The object, or nil for any other kind.
    public var object: JSONObject? {
        switch storage {
        case .view(let document, let index):
            document.tape[Int(index)].has(.object) ? JSONObject(document, at: Int(index)) : nil
        case .object(let members): JSONObject(members)
        default: nil
        }
    }

    /// The array, or nil for any other kind.
    public var array: JSONArray? {
        switch storage {
        case .view(let document, let index):
            document.tape[Int(index)].has(.array) ? JSONArray(document, at: Int(index)) : nil
        case .array(let elements): JSONArray(elements)
        default: nil
        }
    }
}

extension JSONValue {
    /// The number as an `Int`, or nil when it has a fraction, is out of range, or this is no number.
    ///
    /// Never rounds.
    @inlinable
    public var int: Int? {
        switch storage {
        case .view(let document, let index): document.int(at: Int(index))
        case .integer(let value): value
        default: ownedInt
        }
    }

    /// The integer of a number kept as text.
    @usableFromInline
    var ownedInt: Int? { integer(as: Int.self) }

    /// The number as a `UInt64`, or nil when it has a fraction, is out of range, or this is no number.
    ///
    /// Never rounds.
    public var uint: UInt64? { integer(as: UInt64.self) }

    /// The nearest double, or nil when the number is beyond the range of doubles or this is no number.
    @inlinable
    public var double: Double? {
        switch storage {
        case .view(let document, let index): document.double(at: Int(index))
        case .integer(let value): Double(value)
        default: ownedDouble
        }
    }

    /// The double of a number kept as text.
    @usableFromInline
    var ownedDouble: Double? { readNumber { JSONNumber.double($0, $1) } }

    /// The number exactly as it is written, or nil for any other kind.
    public var numberText: String? {
        switch storage {
        case .integer(let value): String(value)
        case .number(let text): text
        default: readNumber { String(decoding: $0.bytes(in: $1), as: UTF8.self) }
        }
    }

    /// The number as an integer type, exactly or not at all.
    public func integer<T: FixedWidthInteger>(as type: T.Type) -> T? {
        if case .integer(let value) = storage { return T(exactly: value) }
        return readNumber { JSONNumber.integer($0, $1, as: type) }
    }

    /// The bytes of a string without escapes, or of a number, as they stand in the text that was parsed; nil for other
    /// kinds, and for values made in memory.
    package var plainBytes: ArraySlice<UInt8>? {
        guard case .view(let document, let index) = storage else { return nil }
        let entry = document.tape[Int(index)]
        return entry.has(.string) || entry.isNumber ? document.bytes[entry.range] : nil
    }

    /// Calls a function with the text of a number that is not stored as an `Int`; nil for other kinds.
    @inline(__always)
    private func readNumber<Result>(_ body: (JSONSource, Range<Int>) -> Result?) -> Result? {
        switch storage {
        case .view(let document, let index):
            let entry = document.tape[Int(index)]
            return entry.isNumber ? document.withSource { body($0, entry.range) } : nil
        case .number(let text):
            var text = text
            return text.withUTF8 { buffer in
                // The buffer is not kept.
                let source = unsafe JSONSource(UnsafeRawBufferPointer(buffer))
                return body(source, 0..<source.count)
            }
        default: return nil
        }
    }
}

extension JSONValue.Kind {
    init(_ kind: TapeKind) {
        switch kind {
        case .null: self = .null
        case .false, .true: self = .bool
        case .integer, .decimal: self = .number
        case .string, .escapedString: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
