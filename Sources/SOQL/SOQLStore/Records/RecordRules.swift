// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// The rules of some objects beyond what their fields say, such as names that are made of other fields.
///
/// A store asks them inside its transactions, so an error takes the write back.
package protocol RecordRules: Sendable {
    /// Returns the values of a new record for fields that were not given.
    func defaults(of object: String) -> [String: String]

    /// Completes a new record before it is written; it may write other records.
    func complete(
        _ input: inout RecordInput, in store: RecordStore, _ connection: SQLiteConnection) throws(OrgError)

    /// Brings what depends on a record up to date after it was written.
    func settle(
        _ number: Int64, _ input: RecordInput, in store: RecordStore, _ connection: SQLiteConnection
    ) throws(OrgError)

    /// Rejects a reference to an existing record that the referring object must not have.
    func checkReference(
        _ id: String, to target: SObjectSchema, in field: FieldSchema, of object: SObjectSchema,
        _ connection: SQLiteConnection) throws(OrgError)

    /// Returns the records of an object that cannot be deleted, or `nil` if all of them can.
    func deletionBlock(of object: String) -> DeletionBlock?
}

/// The records of an object that cannot be deleted because of their values.
package struct DeletionBlock {
    /// The lowest level of a deletion at which they block it; the deleted record itself has the level 0.
    let level: Int
    /// The SQL of a test of the record `c`.
    let condition: String
    /// The middle of the message, after the name of the deleted record.
    let reason: String

    package init(level: Int, condition: String, reason: String) {
        self.level = level
        self.condition = condition
        self.reason = reason
    }
}
