// SPDX-License-Identifier: Apache-2.0

import RestText

/// A decoder of a row, of the columns of a related record, or of one field.
struct CSVRowDecoder: Decoder {
    let row: CSVRow
    let options: CSVDecodingOptions
    /// The name of the column, or of the related record; none for the row itself.
    let name: String
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(CSVKeyedReader<Key>(decoder: self, prefix: name.isEmpty ? "" : name + "."))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw row.error(.invalidValue, column: column, name: name, expected: "a type that is no list")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The decoder of a column or a related record.
    func inner(_ name: String, _ key: some CodingKey) -> CSVRowDecoder {
        CSVRowDecoder(row: row, options: options, name: name, codingPath: codingPath + [key])
    }

    /// The position of the column, if the row has it.
    var column: Int? {
        guard let column = row.header?[name], column < row.count else { return nil }
        return column
    }

    func isNil(at column: Int) -> Bool {
        column >= row.count || row.isNull(at: column) || (options.emptyIsNil && row.isEmpty(at: column))
    }

    /// Reads the field as a value.
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

/// The columns of a row or of a related record by their names.
struct CSVKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: CSVRowDecoder
    let prefix: String

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Columns of this record, and records that are related to it, each once.
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

    /// The columns of the class above stand beside those of the class.
    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder { inner(key) }
}
