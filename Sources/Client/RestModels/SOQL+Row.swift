// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestSDK

extension SOQL {
    /// A row of one certain query, whose fields have types.
    ///
    /// `soqlgen` and its plugin write such types for queries in files.
    public protocol Row: Sendable {
        /// Takes the values of a row.
        ///
        /// - Throws: `SOQL.RowReader.Fault` for a value that is missing or of another type.
        init(row: RowReader) throws(RowReader.Fault)
    }
}

extension RestClient {
    /// The rows of a query, all of them, fetched as they are asked for.
    ///
    /// A row that cannot be read ends the sequence with `RestError.Code.decoding`, and the message names its place.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - type: the type of its rows.
    ///   - batchSize: records per page, within `RestRequest.batchSizes`.
    ///   - includingDeleted: whether deleted and archived records are seen.
    /// - Returns: the rows, their lists of children complete.
    public func records<Row: SOQL.Row>(
        _ query: SOQL, as type: Row.Type, batchSize: Int? = nil, includingDeleted: Bool = false
    ) -> QueryRecords<Row> {
        QueryRecords(pages(query, batchSize: batchSize, includingDeleted: includingDeleted)) {
            (value, index) throws(RestError) in
            do throws(SOQL.RowReader.Fault) {
                return try SOQL.RowReader.read(value)
            } catch {
                throw RestError(.decoding, "records[\(index)]\(error.path) \(error.reason)")
            }
        }
    }
}

extension SOQL {
    /// The members of a row, by their names, as the types of whoever asks.
    public struct RowReader: Sendable {
        /// Why a row cannot be read.
        public struct Fault: Error, Hashable, Sendable {
            /// The way from the row to the value: `.Owner.Name`.
            public let path: String
            /// What is wrong with it: `is null`.
            public let reason: String

            fileprivate func below(_ place: String) -> Fault { Fault(path: place + path, reason: reason) }
        }

        private let fields: JSONObject

        /// The members of an object.
        public init(_ fields: JSONObject) {
            self.fields = fields
        }

        /// The API name of the record's object; empty where the server does not tell.
        public var object: String { fields["attributes"]?["type"]?.string ?? "" }

        /// A value that is never null.
        public subscript<Value: FieldValue>(name: String) -> Value {
            get throws(Fault) {
                guard let json = fields[name] else { throw Fault(path: ".\(name)", reason: "is missing") }
                return try Self.value(json, name)
            }
        }

        /// A value that may be null.
        public subscript<Value: FieldValue>(name: String) -> Value? {
            get throws(Fault) {
                guard let json = fields[name], !json.isNull else { return nil }
                return try Self.value(json, name)
            }
        }

        /// The record of a parent, if there is one.
        public subscript<Row: SOQL.Row>(name: String) -> Row? {
            get throws(Fault) {
                guard let json = fields[name], !json.isNull else { return nil }
                do throws(Fault) { return try Self.read(json) } catch { throw error.below(".\(name)") }
            }
        }

        /// The records of children; the server has null where there are none.
        public subscript<Row: SOQL.Row>(name: String) -> [Row] {
            get throws(Fault) {
                guard let json = fields[name], !json.isNull else { return [] }
                guard let records = json["records"]?.array else {
                    throw Fault(path: ".\(name)", reason: "is no list of records")
                }
                var rows: [Row] = []
                rows.reserveCapacity(records.count)
                for record in records {
                    do throws(Fault) { rows.append(try Self.read(record)) } catch {
                        throw error.below(".\(name)[\(rows.count)]")
                    }
                }
                return rows
            }
        }

        /// Reads a record.
        static func read<Row: SOQL.Row>(_ json: JSONValue) throws(Fault) -> Row {
            guard let fields = json.object else { throw Fault(path: "", reason: "is no record") }
            return try Row(row: RowReader(fields))
        }

        private static func value<Value: FieldValue>(_ json: JSONValue, _ name: String) throws(Fault) -> Value {
            guard let value = Value(field: json) else {
                throw Fault(path: ".\(name)", reason: json.isNull ? "is null" : "is no \(Value.self)")
            }
            return value
        }
    }
}
