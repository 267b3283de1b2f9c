// SPDX-License-Identifier: Apache-2.0
/// Any JSON value, created from literals or as a lazily decoded view of parsed bytes.
///
/// ```swift
/// let page = try JSONValue(parsing: bytes)
/// page["records"]?[0]?["Name"]?.string
/// let body: JSONValue = ["Name": "Ada", "Active": true, "Score": 12.5, "Manager": nil]
/// ```
public struct JSONValue: Sendable {
    /// The kinds of values of RFC 8259, section 3, where both Booleans are one kind.
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

    @usableFromInline
    enum Storage: Sendable {
        case view(JSONDocument, UInt32)
        case null
        case bool(Bool)
        case integer(Int)
        /// The valid text of a number.
        case number(String)
        case string(String)
        case array([JSONValue])
        case object(JSONMembers)
    }

    @usableFromInline let storage: Storage

    init(storage: Storage) { self.storage = storage }

    /// Creates a view of the value at a tape index, which is below 2³² because texts have fewer bytes.
    @inlinable @inline(__always)
    init(_ document: JSONDocument, at index: Int) {
        storage = .view(document, UInt32(truncatingIfNeeded: index))
    }

    /// Parses JSON text strictly by RFC 8259.
    ///
    /// - Throws: `JSONError` with the position of the first error.
    public init(parsing bytes: [UInt8], limits: JSONDocument.Limits = .default) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, limits: limits).root
    }

    /// Parses JSON text given as a string.
    ///
    /// - Throws: `JSONError` with the position of the first error.
    public init(parsing text: String, limits: JSONDocument.Limits = .default) throws(JSONError) {
        self = try JSONDocument(parsing: text, limits: limits).root
    }

    /// Parses JSON text with memory from a pool.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - pool: The pool that lends the document its tape until the document is deallocated.
    /// - Throws: `JSONError` with the position of the first error.
    package init(parsing bytes: [UInt8], from pool: JSONTapePool?) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, from: pool).root
    }
}

extension JSONValue {
    /// The value `null`.
    public static let null = JSONValue(storage: .null)

    /// Creates a string.
    public init(_ value: String) { storage = .string(value) }

    /// Creates a number from an integer.
    public init(_ value: Int) { storage = .integer(value) }

    /// Creates a number from an integer of any size.
    public init(_ value: some BinaryInteger) {
        storage = Int(exactly: value).map { .integer($0) } ?? .number(String(value))
    }

    /// Creates a number that parses to the same `Double`, or returns `nil` for NaN and infinities, which JSON does not
    /// support.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .number(value.description)
    }

    /// Creates `true` or `false`.
    public init(_ value: Bool) { storage = .bool(value) }

    /// Creates an object.
    public init(_ value: JSONObject) {
        switch value.storage {
        case .view(let document, let index): self.init(document, at: index)
        case .owned(let members): self.init(storage: .object(members))
        }
    }

    /// Creates an array.
    public init(_ value: JSONArray) {
        switch value.storage {
        case .view(let document, let index, _): self.init(document, at: index)
        case .owned(let elements): self.init(storage: .array(elements))
        }
    }

    /// Creates a number from its text with all digits, or returns `nil` if RFC 8259, section 6, does not allow the
    /// text.
    public init?(numberText: String) {
        guard JSONNumber.isValid(numberText) else { return nil }
        storage = .number(numberText)
    }
}

// Accessors of parsed values are inlined up to the call of the document. Values in memory need an additional call.
extension JSONValue {
    /// The kind of the value.
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

    /// The last member with a name, or `nil` if it is missing or the value is not an object.
    @inlinable
    public subscript(_ key: String) -> JSONValue? {
        guard case .view(let document, let index) = storage else { return ownedMember(key) }
        guard let found = document.member(named: key, of: Int(index)) else { return nil }
        return JSONValue(document, at: found)
    }

    @usableFromInline
    func ownedMember(_ key: String) -> JSONValue? {
        guard case .object(let members) = storage else { return nil }
        return members.lastIndex(of: key).map { members.list[$0].value }
    }

    /// The element at an index, or `nil` if the index is out of range or the value is not an array.
    ///
    /// For parsed bytes, this walks from the first element. Use `array` to read many elements of a long array.
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

    /// The Boolean, or `nil` for any other kind.
    @inlinable
    public var bool: Bool? {
        switch storage {
        case .view(let document, let index): document.bool(at: Int(index))
        case .bool(let value): value
        default: nil
        }
    }

    /// The string, or `nil` for any other kind.
    ///
    /// For parsed bytes, each call copies the string.
    @inlinable
    public var string: String? {
        switch storage {
        case .view(let document, let index): document.characters(at: Int(index))
        case .string(let value): value
        default: nil
        }
    }

    /// Whether the value is a string with the same bytes as a text, which needs no copy of the string.
    package func isString(_ text: String) -> Bool {
        guard case .view(let document, let index) = storage else { return string.map(JSONName.init) == JSONName(text) }
        return document.isString(text, at: Int(index))
    }

    /// The object, or `nil` for any other kind.
    public var object: JSONObject? {
        switch storage {
        case .view(let document, let index):
            document.tape[Int(index)].has(.object) ? JSONObject(document, at: Int(index)) : nil
        case .object(let members): JSONObject(members)
        default: nil
        }
    }

    /// The array, or `nil` for any other kind.
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
    /// The number as an `Int`, or `nil` if it has a fraction, is out of range, or the value is not a number.
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

    @usableFromInline
    var ownedInt: Int? { integer(as: Int.self) }

    /// The number as a `UInt64`, or `nil` if it has a fraction, is out of range, or the value is not a number.
    ///
    /// Never rounds.
    public var uint: UInt64? { integer(as: UInt64.self) }

    /// The number as `integer(as:)` returns it, which is generic code in other modules.
    package var int64: Int64? { integer(as: Int64.self) }

    /// The nearest `Double`, or `nil` if the number is beyond its range or the value is not a number.
    @inlinable
    public var double: Double? {
        switch storage {
        case .view(let document, let index): document.double(at: Int(index))
        case .integer(let value): Double(value)
        default: ownedDouble
        }
    }

    @usableFromInline
    var ownedDouble: Double? { readNumber { JSONNumber.double($0, $1) } }

    /// The number exactly as written, or `nil` for any other kind.
    public var numberText: String? {
        switch storage {
        case .integer(let value): String(value)
        case .number(let text): text
        default: readNumber { String(decoding: $0.bytes(in: $1), as: UTF8.self) }
        }
    }

    /// The exact number as an integer type, or `nil` if it does not fit or the value is not a number.
    public func integer<T: FixedWidthInteger>(as type: T.Type) -> T? {
        if case .integer(let value) = storage { return T(exactly: value) }
        return readNumber { JSONNumber.integer($0, $1, as: type) }
    }

    /// Calls `body` with the text of a number that is not stored as an `Int`, or returns `nil` for other kinds.
    @inline(__always)
    private func readNumber<Result>(_ body: (JSONSource, Range<Int>) -> Result?) -> Result? {
        switch storage {
        case .view(let document, let index):
            let entry = document.tape[Int(index)]
            return entry.isNumber ? document.withSource { body($0, entry.range) } : nil
        case .number(let text):
            var text = text
            return text.withUTF8 { buffer in
                // The buffer does not escape.
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
