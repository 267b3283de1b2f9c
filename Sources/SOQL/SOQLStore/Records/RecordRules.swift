// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// Rules for specific objects in addition to their fields, such as names that are composed of other fields.
///
/// A store calls them inside its transactions, so an error rolls the write back.
package protocol RecordRules: Sendable {
    /// Returns the values of a new record for fields that were not given.
    func defaults(of object: String) -> [String: String]

    /// Completes a new record before it is written, and can write other records.
    func complete(
        _ input: inout RecordInput, in store: RecordStore, _ connection: SQLiteConnection) throws(OrgError)

    /// Updates dependent data after a record was written.
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
    /// The minimum level at which they block a deletion.
    ///
    /// The explicitly deleted record has level 0.
    let level: Int
    /// The SQL of a test of the record `c`.
    let condition: String
    /// The part of the message after the name of the deleted record.
    let reason: String

    package init(level: Int, condition: String, reason: String) {
        self.level = level
        self.condition = condition
        self.reason = reason
    }
}
