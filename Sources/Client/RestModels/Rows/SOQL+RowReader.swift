// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestSDK

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
