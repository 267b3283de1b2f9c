// SPDX-License-Identifier: Apache-2.0

/// How rows become types.
public struct CSVDecodingOptions: Sendable {
    /// Whether an empty field is nil for an optional property; a text that is not optional is empty then as well.
    public var emptyIsNil: Bool
    /// What types find in their decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Makes options.
    public init(emptyIsNil: Bool = true, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        (self.emptyIsNil, self.userInfo) = (emptyIsNil, userInfo)
    }
}

extension CSVRow {
    /// Reads the row as a type, by the names of the columns.
    ///
    /// A property that is a type of its own takes the columns of the related record: `owner.name` is `Owner.Name` if
    /// these are the names of the keys. It is nil if all of them are. Null is nil, and so is a column that is absent.
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
                .invalidValue, column: nil, expected: "a row that \(type) takes", underlying: error)
        }
    }
}

extension CSVRows {
    /// Reads all rows as a type, as ``CSVRow/decode(_:options:)`` does with one.
    ///
    /// - Throws: `CSVError` for the first row that does not make the type.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, options: CSVDecodingOptions = .init()
    ) throws(CSVError) -> [T] {
        var values: [T] = []
        values.reserveCapacity(count)  // bounded: rows that are in memory
        for row in self { values.append(try row.decode(type, options: options)) }
        return values
    }
}
