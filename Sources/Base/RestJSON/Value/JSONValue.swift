// SPDX-License-Identifier: Apache-2.0
/// Any JSON value: built from literals, or a view over parsed bytes that decodes what it is asked for.
///
/// ```swift
/// let page = try JSONValue(parsing: bytes)
/// page["records"]?[0]?["Name"]?.string
/// let body: JSONValue = ["Name": "Ada", "Active": true, "Score": 12.5, "Manager": nil]
/// ```
public struct JSONValue: Sendable {
    /// The six kinds of values of RFC 8259 3, with both booleans as one.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool
        /// A number of any size and precision.
        case number
        /// A string.
        case string
        /// A list of values.
        case array
        /// A list of named values.
        case object
    }

    /// What the value is made of.
    @usableFromInline
    enum Storage: Sendable {
        /// The value at a tape index of a document.
        case view(JSONDocument, UInt32)
        case null
        case bool(Bool)
        case integer(Int)
        /// A number by its text, which is valid.
        case number(String)
        case string(String)
        case array([JSONValue])
        case object(JSONMembers)
    }

    @usableFromInline let storage: Storage

    init(storage: Storage) {
        self.storage = storage
    }

    /// A view of the value at a tape index.
    ///
    /// Tapes have fewer than 2³² entries, as texts have fewer bytes.
    @inlinable @inline(__always)
    init(_ document: JSONDocument, at index: Int) {
        storage = .view(document, UInt32(truncatingIfNeeded: index))
    }

    /// Parses a text by RFC 8259, strictly.
    ///
    /// - Throws: `JSONError` with the place of the first fault.
    public init(parsing bytes: [UInt8], limits: JSONDocument.Limits = .default) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, limits: limits).root
    }

    /// Parses a text that is already a string.
    ///
    /// - Throws: `JSONError` with the place of the first fault.
    public init(parsing text: String, limits: JSONDocument.Limits = .default) throws(JSONError) {
        self = try JSONDocument(parsing: text, limits: limits).root
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - pool: lends the document its memory beside the bytes, until its last value is gone.
    /// - Throws: `JSONError` with the place of the first fault.
    package init(parsing bytes: [UInt8], from pool: JSONTapePool?) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, from: pool).root
    }
}

extension JSONValue {
    /// The value `null`.
    public static let null = JSONValue(storage: .null)

    /// Makes a string.
    public init(_ value: String) { storage = .string(value) }

    /// Makes a number from an integer.
    public init(_ value: Int) { storage = .integer(value) }

    /// Makes a number from an integer of any size.
    public init(_ value: some BinaryInteger) {
        storage = Int(exactly: value).map { .integer($0) } ?? .number(String(value))
    }

    /// Makes a number that reads back as the same double, or nil for NaN and the infinities, which JSON cannot write.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .number(value.description)
    }

    /// Makes `true` or `false`.
    public init(_ value: Bool) { storage = .bool(value) }

    /// Makes an object.
    public init(_ value: JSONObject) {
        switch value.storage {
        case .view(let document, let index): self.init(document, at: index)
        case .owned(let members): self.init(storage: .object(members))
        }
    }

    /// Makes an array.
    public init(_ value: JSONArray) {
        switch value.storage {
        case .view(let document, let index, _): self.init(document, at: index)
        case .owned(let elements): self.init(storage: .array(elements))
        }
    }

    /// Makes a number from its text, every digit of which is kept; nil when RFC 8259 6 does not allow the text.
    public init?(numberText: String) {
        guard JSONNumber.isValid(numberText) else { return nil }
        storage = .number(numberText)
    }
}

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
