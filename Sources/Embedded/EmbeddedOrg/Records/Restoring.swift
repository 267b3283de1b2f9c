// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Takes everything of a deletion out of the bin.
struct Restoring {
    let number: Int64
    let schema: Schema
    let connection: SQLiteConnection

    func run(by user: String) throws(OrgFault) {
        let objects = try OrgFault.wrapping { () throws(DatabaseError) in
            try RecycleBin.objects(of: number, schema, connection)
        }
        for object in objects { try OrgFault.wrapping { () throws(DatabaseError) in try unmark(object, by: user) } }
        for object in objects { try drop(object) }
        try OrgFault.wrapping { () throws(DatabaseError) in
            try relink()
            try RecycleBin.forget(number, connection)
        }
    }

    private func rows(_ object: SObjectSchema) -> String {
        "rowid IN (SELECT \"Number\" FROM \"org.Bin\" WHERE \"Deletion\" = ?1 AND \"Object\" = '\(object.name)')"
    }

    private func unmark(_ object: SObjectSchema, by user: String) throws(DatabaseError) {
        // A record that is there was not merged into another.
        let merged = object.field(named: Merging.masterField) == nil ? "" : "\"\(Merging.masterField)\" = NULL, "
        try connection.run(
            """
            UPDATE "\(object.name)" SET \(merged)"IsDeleted" = 0, "LastModifiedDate" = ?2, "SystemModstamp" = ?2,
            "LastModifiedById" = ?3 WHERE \(rows(object))
            """, [.integer(number), .text(WireTime.now), .text(user)])
    }

    /// Clears what points to records that are no longer there; a detail without its master cannot be restored.
    private func drop(_ object: SObjectSchema) throws(OrgFault) {
        for field in object.fields where field.type == .reference {
            let targets = field.referenceTo.compactMap { schema.object(named: $0) }
            guard targets.contains(where: { $0.abilities.contains(.delete) }) else { continue }
            let known = targets.map {
                "EXISTS (SELECT 1 FROM \"\($0.name)\" t WHERE t.\"Id\" = \"\(object.name)\".\"\(field.name)\""
                    + " AND t.\"IsDeleted\" = 0)"
            }
            let lost = "\(rows(object)) AND \"\(field.name)\" IS NOT NULL AND NOT (\(known.joined(separator: " OR ")))"
            var isLost = false
            try OrgFault.wrapping { () throws(DatabaseError) in
                let sql = "SELECT 1 FROM \"\(object.name)\" WHERE \(lost) LIMIT 1"
                try connection.rows(sql, [.integer(number)]) { _ in isLost = true }
            }
            guard isLost else { continue }
            guard field.isNillable else { throw .notInBin }
            try OrgFault.wrapping { () throws(DatabaseError) in
                try connection.run(
                    "UPDATE \"\(object.name)\" SET \"\(field.name)\" = NULL WHERE \(lost)", [.integer(number)])
            }
        }
    }

    /// Gives back the references that were cleared, unless something else stands in them now.
    private func relink() throws(DatabaseError) {
        var fields: [(object: String, field: String)] = []
        try connection.rows(
            "SELECT DISTINCT \"Object\", \"Field\" FROM \"org.Cleared\" WHERE \"Deletion\" = ?1", [.integer(number)]
        ) { fields.append(($0.text(0), $0.text(1))) }
        for (object, field) in fields where schema.object(named: object)?.field(named: field) != nil {
            let cleared = "\"org.Cleared\" WHERE \"Deletion\" = ?1 AND \"Object\" = ?2 AND \"Field\" = ?3"
            try connection.run(
                """
                UPDATE "\(object)" SET "\(field)" =
                (SELECT "Value" FROM \(cleared) AND "Number" = "\(object)".rowid)
                WHERE rowid IN (SELECT "Number" FROM \(cleared)) AND "\(field)" IS NULL
                """, [.integer(number), .text(object), .text(field)])
        }
    }
}
