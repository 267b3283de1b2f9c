// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// The difference that a transaction made to one record.
package struct RecordChange: Sendable {
    package enum Kind: Sendable, Hashable {
        case created, updated, deleted, undeleted
        /// The record was merged into the record in `MasterRecordId`, and deleted.
        case merged
    }

    package typealias Value = (field: FieldSchema, value: SQLValue)

    package let object: SObjectSchema
    package let kind: Kind
    /// The row of the record.
    package let row: Int64
    package let id: String
    /// The id of the user who made the change.
    package let user: String
    /// The changed fields that are not null.
    ///
    /// All fields that are not null if the record was created or undeleted, and none if it was deleted. An update
    /// always has `LastModifiedDate`, which is equal for two changes within a second.
    package let values: [Value]
    /// The fields that the change set to null.
    package let nulled: [FieldSchema]
    /// The earlier values of the long texts that an update replaced, by the names of their fields.
    package var replaced: [String: String] = [:]

    /// Whether a field has another value than before.
    package func changes(_ name: String) -> Bool {
        values.contains { $0.field.name == name } || nulled.contains { $0.name == name }
    }

    /// Whether another record of the object has changed in the same way.
    func isSame(as other: RecordChange) -> Bool {
        kind == other.kind && object.name == other.object.name && user == other.user
            && values.elementsEqual(other.values) { $0.field.name == $1.field.name && $0.value == $1.value }
            && nulled.map(\.name) == other.nulled.map(\.name) && replaced == other.replaced
    }
}

/// An event that a transaction published, which has no record.
package struct PublishedEvent: Sendable {
    package let object: SObjectSchema
    package let uuid: String
    /// The fields that are not null, without the UUID.
    package let values: [RecordChange.Value]
}

/// The facts that all changes of a transaction share.
package struct ChangeCommit: Sendable {
    /// The key of the transaction, which is unique.
    package let key: String
    /// The number of the commit, which rises with each transaction that changes captured records.
    package let number: Int64
    /// The client and the API of the changes, or an empty string.
    package let origin: String
    /// The number of the change, or of equal changes of several records, within the transaction, from 1.
    package internal(set) var sequence: Int

    package init(key: String, number: Int64, origin: String, sequence: Int) {
        (self.key, self.number, self.origin, self.sequence) = (key, number, origin, sequence)
    }
}

/// Receives the changes of records inside the transaction that makes them.
///
/// A sink that writes them to the same database loses no change and doubles none, whenever the process is killed.
package protocol ChangeSink: AnyObject, Sendable {
    /// Returns the names of the objects whose changes are captured from the start, for a database that was just opened.
    func capturedObjects(_ connection: SQLiteConnection) throws(DatabaseError) -> [String]
    /// Takes the changes of records of an object that changed in the same way one after another.
    ///
    /// An error rolls the transaction back.
    func write(
        _ changes: [RecordChange], _ commit: ChangeCommit, _ connection: SQLiteConnection) throws(DatabaseError)
    /// Takes an event when it is published, before the changes of its transaction.
    func write(_ event: PublishedEvent, _ connection: SQLiteConnection) throws(DatabaseError)
    /// Called after the transaction of the written changes was committed.
    func didCommit(_ capture: ChangeCapture, _ connection: SQLiteConnection)
    /// Called after the transaction of the written changes was rolled back.
    func didRollBack()
}

extension RecordChange {
    /// Compares the states of a record before and after a transaction, or returns `nil` if they are equal.
    ///
    /// A state has the values by the position of their fields, or is `nil` if there was no row. The `user` is the one
    /// who removed the row.
    static func between(
        _ before: [SQLValue]?, _ after: [SQLValue]?, of object: SObjectSchema, _ fields: [FieldSchema], row: Int64,
        user: String
    ) -> RecordChange? {
        func text(_ name: String, _ values: [SQLValue]?) -> String {
            guard let values, let index = fields.firstIndex(where: { $0.name == name }),
                case .text(let text) = values[index]
            else { return "" }
            return text
        }
        func isAlive(_ values: [SQLValue]?) -> Bool {
            guard let values else { return false }
            return fields.firstIndex { $0.name == "IsDeleted" }.map { values[$0] == .integer(0) } ?? true
        }
        let by = after == nil ? user : text("LastModifiedById", after)
        func change(_ kind: Kind, _ values: [Value] = [], nulled: [FieldSchema] = []) -> RecordChange {
            RecordChange(
                object: object, kind: kind, row: row, id: text("Id", after ?? before), user: by, values: values,
                nulled: nulled)
        }
        switch (isAlive(before), isAlive(after)) {
        case (false, false): return nil
        case (true, false):
            let isMerged = !text("MasterRecordId", after).isEmpty
            return change(isMerged ? .merged : .deleted)
        case (false, true):
            let present = zip(fields, after ?? []).filter { $1 != .null }.map { (field: $0, value: $1) }
            return change(before == nil ? .created : .undeleted, present)
        case (true, true):
            guard let before, let after, before != after else { return nil }
            var (values, nulled): ([Value], [FieldSchema]) = ([], [])
            var replaced: [String: String] = [:]
            for (index, field) in fields.enumerated() {
                guard before[index] != after[index] || field.name == "LastModifiedDate" else { continue }
                if after[index] == .null {
                    nulled.append(field)
                } else {
                    values.append((field, after[index]))
                    if field.isLongText, case .text(let text) = before[index] { replaced[field.name] = text }
                }
            }
            var updated = change(.updated, values, nulled: nulled)
            updated.replaced = replaced
            return updated
        }
    }
}

extension FieldSchema {
    /// Whether values can be so long that their differences are shorter.
    fileprivate var isLongText: Bool { type == .textarea && length > 255 }
}
