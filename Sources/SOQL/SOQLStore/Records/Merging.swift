// SPDX-License-Identifier: Apache-2.0

package import RestJSON
import RestSQLite

/// Merges several records of an object into one, inside a transaction.
///
/// References to the other records are changed to the master. The others are then deleted without their children.
struct Merging {
    /// The field of a deleted record that refers to the record it was merged into.
    static let masterField = "MasterRecordId"
    /// The maximum number of records that are merged into another record.
    static let mostOthers = 2

    let object: SObjectSchema
    let schema: Schema
    let master: String
    let connection: SQLiteConnection
    let user: String
    let time: String

    /// Changes all references to a record into references to the master, and returns the ids of the changed records.
    func move(from other: String) throws(OrgError) -> [String] {
        var moved: [String] = []
        for reference in schema.references(to: object) where reference.field.name != Self.masterField {
            guard let owner = schema.object(named: reference.owner) else { continue }
            moved += try move(owner, reference.field.name, from: other)
        }
        return moved
    }

    private func move(
        _ owner: SObjectSchema, _ field: String, from other: String
    ) throws(OrgError) -> [String] {
        let pointing = "\"\(field)\" = ?1 AND \"IsDeleted\" = 0"
        let ids = try connection.fetch("SELECT \"Id\" FROM \"\(owner.name)\" WHERE \(pointing)", [.text(other)]) {
            $0.text(0)
        }
        guard !ids.isEmpty else { return [] }
        try connection.change(
            """
            UPDATE "\(owner.name)" SET "\(field)" = ?2, "LastModifiedDate" = ?3, "SystemModstamp" = ?3,
            "LastModifiedById" = ?4 WHERE \(pointing)
            """, [.text(other), .text(master), .text(time), .text(user)])
        return ids
    }

    /// Throws if the master is now its own ancestor.
    func refuseCircles() throws(OrgError) {
        for field in object.fields where field.referenceTo == [object.name] && field.name != Self.masterField {
            let circles = try connection.fetch(
                """
                WITH RECURSIVE up(id) AS (SELECT "\(field.name)" FROM "\(object.name)" WHERE "Id" = ?1
                UNION SELECT r."\(field.name)" FROM up JOIN "\(object.name)" r ON r."Id" = up.id)
                SELECT 1 FROM up WHERE id = ?1
                """, [.text(master)]
            ) { $0.integer(0) }
            guard circles.isEmpty else {
                throw OrgError(
                    "CIRCULAR_DEPENDENCY",
                    "attempt to violate hierarchy constraints: the record would be above itself", fields: [field.name])
            }
        }
    }

    /// Records the master in a deleted record.
    func note(_ number: Int64) throws(OrgError) {
        try connection.change(
            "UPDATE \"\(object.name)\" SET \"\(Self.masterField)\" = ?2 WHERE rowid = ?1",
            [.integer(number), .text(master)])
    }
}

extension RecordStore {
    package struct Merged: Sendable {
        package let master: String
        package let others: [String]
        /// The records whose references were changed.
        package let moved: [String]
    }

    /// Merges records into another record of the same object, whose members are updated first.
    package func merge(
        _ ids: [String], into id: String, with members: JSONObject, of object: SObjectSchema
    ) throws(OrgError) -> Merged {
        guard object.field(named: Merging.masterField) != nil else {
            throw OrgError("INVALID_TYPE_FOR_OPERATION", "entity type \(object.name) does not support merge")
        }
        let input = try RecordInput(members, of: object, isCreate: false)
        let known = ([id] + ids).map { RecordID.normalized($0) ?? $0 }
        guard !ids.isEmpty else { throw OrgError("MISSING_ARGUMENT", "recordToMergeIds not specified") }
        guard ids.count <= Merging.mostOthers, Set(known).count == known.count else {
            throw OrgError(
                "MERGE_FAILED", "a record can be merged only with one or two other records")
        }
        return try database.transaction { (connection) throws(OrgError) -> Merged in
            let merging = Merging(
                object: object, schema: schema, master: known[0], connection: connection, user: userID,
                time: timestamp)
            var numbers: [Int64] = []
            for id in known { numbers.append(try mergeableRow(id, of: object, connection)) }
            try change(numbers[0], known[0], input, object, connection)
            var moved: [String] = []
            for other in known.dropFirst() { moved += try merging.move(from: other) }
            try merging.refuseCircles()
            for number in numbers.dropFirst() {
                let deletion = try delete(number, object, connection)
                try merging.note(number)
                try bin.add(deletion, connection)
            }
            var seen = Set(known)
            return Merged(
                master: known[0], others: Array(known.dropFirst()), moved: moved.filter { seen.insert($0).inserted })
        }
    }

    /// Returns the row of an id, or throws an error for an invalid reference if the record does not exist.
    private func mergeableRow(
        _ id: String, of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> Int64 {
        do throws(OrgError) {
            return try row(id, of: object, connection)
        } catch  where error == .notFound {
            throw RecordID.normalized(id) == nil
                ? .malformedID(id) : OrgError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
        }
    }
}
