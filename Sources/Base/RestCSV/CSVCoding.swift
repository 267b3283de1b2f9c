// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A decoder of a row, of the columns of a related record, or of one field.
struct CSVRowDecoder: Decoder {
    let row: CSVRow
    let options: CSVDecodingOptions
    /// The name of the column or the related record, or an empty string for the row itself.
    let name: String
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(CSVKeyedReader<Key>(decoder: self, prefix: name.isEmpty ? "" : name + "."))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw row.error(.invalidValue, column: column, name: name, expected: "a type that is not a list")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func inner(_ name: String, _ key: some CodingKey) -> CSVRowDecoder {
        CSVRowDecoder(row: row, options: options, name: name, codingPath: codingPath + [key])
    }

    /// The index of the column, if the row has it.
    var column: Int? {
        guard let column = row.header?[name], column < row.count else { return nil }
        return column
    }

    func isNil(at column: Int) -> Bool {
        column >= row.count || row.isNull(at: column) || (options.emptyIsNil && row.isEmpty(at: column))
    }

    func scalar<T: CSVScalar>(_ type: T.Type) throws -> T {
        guard let column else {
            throw row.error(.missingColumn, column: nil, name: name, expected: "a column of this name")
        }
        let isText = type == String.self
        if row.isNull(at: column) || (row.isEmpty(at: column) && !isText) {
            throw row.error(.missingValue, column: column, expected: "a value for \(type)")
        }
        guard let value = T(field: row[column]) else {
            throw row.error(.invalidValue, column: column, expected: "a value that \(type) can hold")
        }
        return value
    }
}

extension CSVRowDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if let column { return isNil(at: column) }
        return (row.header?.columns(below: name + ".") ?? []).allSatisfy(isNil)
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let type = type as? any CSVScalar.Type, let value = try scalar(type) as? T { return value }
        return try T(from: self)
    }
}

/// The keyed container of a row or a related record, by the names of its columns.
struct CSVKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: CSVRowDecoder
    let prefix: String

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// The columns of this record and its related records, each once.
    var allKeys: [Key] {
        var seen: Set<String> = []
        let names = decoder.row.header?.names ?? []
        return names.compactMap { name in
            guard let key = name.removing(prefix: prefix)?.prefix(before: ".").description else { return nil }
            return seen.insert(key).inserted ? Key(stringValue: key) : nil
        }
    }

    private func inner(_ key: some CodingKey) -> CSVRowDecoder { decoder.inner(prefix + key.stringValue, key) }

    func contains(_ key: Key) -> Bool {
        let inner = inner(key)
        return inner.column != nil || decoder.row.header?.columns(below: inner.name + ".").isEmpty == false
    }

    func decodeNil(forKey key: Key) -> Bool { inner(key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try inner(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key).unkeyedContainer()
    }

    /// A superclass uses the same columns as its subclass.
    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder { inner(key) }
}

/// A value that is stored in one field.
protocol CSVScalar: Codable {
    /// Parses a field strictly, without spaces and plus signs, or returns `nil` if it is invalid.
    init?(field: String)
    /// The text of the field, or `nil` for a value that no field can represent.
    var field: String? { get }
}

extension String: CSVScalar {
    init?(field: String) { self = field }
    var field: String? { self }
}

extension Bool: CSVScalar {
    /// Parses `true`, `false`, `1` or `0`, in lower or upper case.
    init?(field: String) {
        switch field {
        case "true", "TRUE", "True", "1": self = true
        case "false", "FALSE", "False", "0": self = false
        default: return nil
        }
    }

    var field: String? { self ? "true" : "false" }
}

extension CSVScalar where Self: FixedWidthInteger {
    init?(field: String) {
        guard field.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(field, radix: 10)  // bounded: the type's own range, nil outside of it
    }

    var field: String? { String(self) }
}

extension Int: CSVScalar {}
extension Int8: CSVScalar {}
extension Int16: CSVScalar {}
extension Int32: CSVScalar {}
extension Int64: CSVScalar {}
extension Int128: CSVScalar {}
extension UInt: CSVScalar {}
extension UInt8: CSVScalar {}
extension UInt16: CSVScalar {}
extension UInt32: CSVScalar {}
extension UInt64: CSVScalar {}
extension UInt128: CSVScalar {}

extension CSVScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Parses digits, a decimal point and an exponent, but no names such as `inf`, hexadecimal digits or values that
    /// overflow.
    init?(field: String) {
        let isDecimal = field.utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-.eE".utf8.contains(byte) || byte == UInt8(ascii: "+")
        }
        guard isDecimal, field.utf8.first != UInt8(ascii: "+"), let value = Self(field), value.isFinite else {
            return nil
        }
        self = value
    }

    var field: String? { isFinite ? description : nil }
}

extension Double: CSVScalar {}
extension Float: CSVScalar {}

/// Options for decoding rows as types.
public struct CSVDecodingOptions: Sendable {
    /// Whether an empty field is `nil` for an optional property (a non-optional `String` is then still empty).
    public var emptyIsNil: Bool
    /// Values for `Decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates options.
    public init(emptyIsNil: Bool = true, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        (self.emptyIsNil, self.userInfo) = (emptyIsNil, userInfo)
    }
}

extension CSVRow {
    /// Decodes the row as a type, by the names of the columns.
    ///
    /// A nested type is decoded from the columns of the related record: the key path `owner.name` reads the column
    /// `Owner.Name` if the keys have these names. Null and missing columns are `nil`, and so is a nested type of such
    /// columns.
    ///
    /// - Throws: `CSVError` with the row and the column.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, options: CSVDecodingOptions = .init()
    ) throws(CSVError) -> T {
        do {
            return try T(from: CSVRowDecoder(row: self, options: options, name: "", codingPath: []))
        } catch let error as CSVError {
            throw error
        } catch {
            throw self.error(
                .invalidValue, column: nil, expected: "a row that \(type) accepts", underlying: error)
        }
    }
}

extension CSVRows {
    /// Decodes all rows as a type, like ``CSVRow/decode(_:options:)``.
    ///
    /// - Throws: `CSVError` for the first row that does not fit the type.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, options: CSVDecodingOptions = .init()
    ) throws(CSVError) -> [T] {
        var values: [T] = []
        values.reserveCapacity(count)  // bounded: rows that are in memory
        for row in self { values.append(try row.decode(type, options: options)) }
        return values
    }
}

extension CSVWriter {
    /// Encodes a value as a row, by the names of the columns.
    ///
    /// A nested type is written to the columns of the related record, such as `Owner.Name`. Properties that the type
    /// omits, as synthesized code does for `nil`, are written as empty fields, which Salesforce does not change.
    ///
    /// - Parameters:
    ///   - record: The value.
    ///   - absentIsNull: Whether omitted properties are written as null, which makes Salesforce clear the field.
    /// - Throws: `CSVError`, without writing a row, for a property without a column or a value that no field can
    ///   represent.
    public mutating func append(record: some Encodable, absentIsNull: Bool = false) throws(CSVError) {
        let fields = CSVRecordFields(header: header, row: nextRow)
        do {
            try record.encode(to: CSVRecordEncoder(fields: fields, name: "", codingPath: []))
        } catch let error as CSVError {
            throw error
        } catch {
            throw CSVError(
                reason: .invalidValue, row: nextRow, expected: "a value that encodes as one row", underlying: error)
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

    func set(_ name: String, _ value: Value) throws {
        if let column = header?[name] {
            values[column] = value
        } else if case .null = value, let columns = header?.columns(below: name + "."), !columns.isEmpty {
            // The related record is missing, so its fields stay empty.
            return
        } else {
            throw CSVError(
                reason: .unknownColumn, row: row, name: name, expected: "a writer with a column of this name")
        }
    }

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

/// The keyed container of a row or a related record, by the names of its columns.
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

    /// A superclass uses the same columns as its subclass.
    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
}

/// A container for types that encode a list, which throws for every element because a row has no lists.
struct CSVNoList: UnkeyedEncodingContainer {
    let encoder: CSVRecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { 0 }

    private var rejection: CSVError { encoder.fields.invalid(encoder.name, "a type that is not a list") }

    func encodeNil() throws { throw rejection }
    func encode<T: Encodable>(_ value: T) throws { throw rejection }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { encoder }
}
