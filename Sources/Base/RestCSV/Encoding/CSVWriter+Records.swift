// SPDX-License-Identifier: Apache-2.0

extension CSVWriter {
    /// Appends a value as a row, by the names of the columns.
    ///
    /// A property that is a type of its own fills the columns of the related record, such as `Owner.Name`. What the
    /// type leaves out, as synthesized code does with nil, is written empty; for the platform that means no change.
    ///
    /// - Parameters:
    ///   - record: The value.
    ///   - absentIsNull: Whether what the type leaves out is written as null instead, which tells the platform to clear
    ///     the field.
    /// - Throws: `CSVError` for a property without a column, and for a value that no field can hold. Nothing is written
    ///   then.
    public mutating func append(record: some Encodable, absentIsNull: Bool = false) throws(CSVError) {
        let fields = CSVRecordFields(header: header, row: nextRow)
        do {
            try record.encode(to: CSVRecordEncoder(fields: fields, name: "", codingPath: []))
        } catch let error as CSVError {
            throw error
        } catch {
            throw CSVError(
                reason: .invalidValue, row: nextRow, expected: "a value that makes a row", underlying: error)
        }
        for value in fields.values {
            switch value {
            case .text(let text): append(text)
            case .absent where !absentIsNull: appendEmpty()
            case .absent, .null: appendNull()
            }
        }
        try endRow()
    }
}

/// What one record puts into its row.
final class CSVRecordFields {
    enum Value {
        case absent
        case null
        case text(String)
    }

    let header: CSVHeader?
    let row: Int
    private(set) var values: [Value]

    init(header: CSVHeader?, row: Int) {
        (self.header, self.row) = (header, row)
        values = Array(repeating: .absent, count: header?.names.count ?? 0)
    }

    /// Fills a field.
    func set(_ name: String, _ value: Value) throws {
        if let column = header?[name] {
            values[column] = value
        } else if case .null = value, let columns = header?.columns(below: name + "."), !columns.isEmpty {
            // No related record: nothing is said of its fields.
            return
        } else {
            throw CSVError(
                reason: .unknownColumn, row: row, name: name, expected: "a writer with a column of this name")
        }
    }

    /// The error for a value that no field can hold.
    func invalid(_ name: String, _ expected: String) -> CSVError {
        CSVError(
            reason: .invalidValue, row: row, column: (header?[name] ?? -1) + 1, name: name, expected: expected)
    }
}

/// An encoder of a row, of the columns of a related record, or of one field.
struct CSVRecordEncoder: Encoder {
    let fields: CSVRecordFields
    let name: String
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CSVKeyedWriter<Key>(encoder: self, prefix: name.isEmpty ? "" : name + "."))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CSVNoList(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func inner(_ name: String, _ key: some CodingKey) -> CSVRecordEncoder {
        CSVRecordEncoder(fields: fields, name: name, codingPath: codingPath + [key])
    }
}

extension CSVRecordEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try fields.set(name, .null) }

    func encode<T: Encodable>(_ value: T) throws {
        guard let scalar = value as? any CSVScalar else { return try value.encode(to: self) }
        guard let text = scalar.field else { throw fields.invalid(name, "a finite number") }
        try fields.set(name, .text(text))
    }
}

/// The columns of a row or of a related record by their names.
struct CSVKeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CSVRecordEncoder
    let prefix: String

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func inner(_ key: some CodingKey) -> CSVRecordEncoder { encoder.inner(prefix + key.stringValue, key) }

    func encodeNil(forKey key: Key) throws { try inner(key).encodeNil() }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try inner(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { inner(key).unkeyedContainer() }

    /// The columns of the class above stand beside those of the class.
    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
}

/// What a type gets that asks for a list: a row has none, so every element is refused.
struct CSVNoList: UnkeyedEncodingContainer {
    let encoder: CSVRecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { 0 }

    private var refusal: CSVError { encoder.fields.invalid(encoder.name, "a type that is no list") }

    func encodeNil() throws { throw refusal }
    func encode<T: Encodable>(_ value: T) throws { throw refusal }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { encoder }
}
