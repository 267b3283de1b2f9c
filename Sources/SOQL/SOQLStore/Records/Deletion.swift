// SPDX-License-Identifier: Apache-2.0

import RestSQLite

/// The deletion of a record with all records that belong to it.
///
/// It proceeds level by level. Each statement marks all children of one kind at once, so the cost is linear in the
/// number of records. If one of them cannot be deleted, the caller's transaction is rolled back.
struct Deletion {
    let number: Int64
    private(set) var objects: [SObjectSchema]
    private let schema: Schema
    private let connection: SQLiteConnection
    /// The number of records that can still be written on this thread, or `nil` for no limit.
    private var left: Int64?

    /// The maximum number of records that are deleted without a thread for slow work.
    private static let mostOnServer: Int64 = 1_000

    /// Creates the deletion of one record, which throws ``OrgError/outgrown`` for many records if `mayEnd` is true.
    init(
        of row: Int64, _ object: SObjectSchema, _ schema: Schema, _ connection: SQLiteConnection, mayEnd: Bool
    ) throws(OrgError) {
        let last = try connection.fetch("SELECT coalesce(max(\"Deletion\"), 0) FROM \"org.Bin\"") { $0.integer(0) }
        (number, objects, self.schema, self.connection) = (last[0] + 1, [object], schema, connection)
        left = mayEnd ? Self.mostOnServer : nil
        try connection.change(
            "INSERT INTO \"org.Bin\" VALUES (?1, ?2, ?3, 0)",
            [.text(object.name), .integer(row), .integer(number)])
    }

    /// Marks all records as deleted, and clears the references to them.
    mutating func run(by user: String, at time: String, _ rules: (any RecordRules)?) throws(OrgError) {
        try collect()
        if let rules { try refuseFixed(rules) }
        try mark(by: user, at: time)
        for object in objects {
            for reference in schema.references(to: object) {
                guard let owner = schema.object(named: reference.owner) else { continue }
                switch reference.field.deletion {
                case .cascade: continue
                case .restrict: try refuse(owner, reference.field, object)
                case .clear: try clear(owner, reference.field, object, at: time)
                }
            }
        }
    }

    /// Adds the records that belong to those of one level as the next level, until there are no more.
    private mutating func collect() throws(OrgError) {
        var (level, current) = (Int64(0), objects)
        while !current.isEmpty {
            var next: [SObjectSchema] = []
            for parent in current {
                for reference in schema.references(to: parent) where reference.field.deletion == .cascade {
                    guard let owner = schema.object(named: reference.owner) else { continue }
                    guard try collect(owner, reference.field, parent, level) else { continue }
                    if !next.contains(where: { $0.name == owner.name }) { next.append(owner) }
                }
            }
            for object in next where !objects.contains(where: { $0.name == object.name }) { objects.append(object) }
            (level, current) = (level + 1, next)
        }
    }

    private mutating func collect(
        _ child: SObjectSchema, _ field: FieldSchema, _ parent: SObjectSchema, _ level: Int64
    ) throws(OrgError) -> Bool {
        // The cross join fixes the order: from the parents to the children by the index of the reference.
        try insert(
            """
            INSERT OR IGNORE INTO "org.Bin" SELECT '\(child.name)', c.rowid, ?1, ?3 + 1
            FROM "org.Bin" b CROSS JOIN "\(parent.name)" p ON p.rowid = b."Number"
            CROSS JOIN "\(child.name)" c ON c."\(field.name)" = p."Id"
            WHERE b."Deletion" = ?1 AND b."Object" = '\(parent.name)' AND b."Level" = ?3 AND c."IsDeleted" = 0
            """, [.integer(level)]) > 0
    }

    /// Runs an `INSERT … SELECT` of this deletion (`?1`), and returns the number of inserted rows.
    private mutating func insert(_ sql: String, _ more: [SQLValue] = []) throws(OrgError) -> Int64 {
        try connection.change(sql + " LIMIT ?2", [.integer(number), .integer(left.map { $0 + 1 } ?? -1)] + more)
        let count = try connection.fetch("SELECT changes()") { $0.integer(0) }[0]
        guard let rest = left else { return count }
        left = rest - count
        guard count <= rest else { throw .outgrown }
        return count
    }

    private func mark(by user: String, at time: String) throws(OrgError) {
        for object in objects {
            try connection.change(
                """
                UPDATE "\(object.name)" SET "IsDeleted" = 1, "LastModifiedDate" = ?1, "SystemModstamp" = ?1,
                "LastModifiedById" = ?2
                WHERE rowid IN (SELECT "Number" FROM "org.Bin" WHERE "Deletion" = ?3 AND "Object" = '\(object.name)')
                """, [.text(time), .text(user), .integer(number)])
        }
    }

    /// Returns SQL for the records that point to deleted records and are not deleted with them.
    private func others(_ owner: SObjectSchema, _ field: FieldSchema, _ object: SObjectSchema) -> String {
        """
        FROM "org.Bin" b CROSS JOIN "\(object.name)" p ON p.rowid = b."Number"
        CROSS JOIN "\(owner.name)" c ON c."\(field.name)" = p."Id"
        WHERE b."Deletion" = ?1 AND b."Object" = '\(object.name)' AND c."IsDeleted" = 0
        """
    }

    /// Clears references, which is a change by the system and not by a user.
    private mutating func clear(
        _ owner: SObjectSchema, _ field: FieldSchema, _ object: SObjectSchema, at time: String
    ) throws(OrgError) {
        let count = try insert(
            """
            INSERT INTO "org.Cleared" SELECT ?1, '\(owner.name)', '\(field.name)', c.rowid, p."Id"
            \(others(owner, field, object))
            """)
        guard count > 0 else { return }
        try connection.change(
            """
            UPDATE "\(owner.name)" SET "\(field.name)" = NULL, "SystemModstamp" = ?2
            WHERE rowid IN (SELECT "Number" FROM "org.Cleared"
            WHERE "Deletion" = ?1 AND "Object" = '\(owner.name)' AND "Field" = '\(field.name)')
            """, [.integer(number), .text(time)])
    }

    // MARK: Refusals

    private func refuse(_ owner: SObjectSchema, _ field: FieldSchema, _ object: SObjectSchema) throws(OrgError) {
        let names = try names(of: owner, others(owner, field, object))
        guard !names.isEmpty else { return }
        throw try failure("it is associated with the following \(owner.labelPlural.lowercased()).", names)
    }

    private func refuseFixed(_ rules: any RecordRules) throws(OrgError) {
        for object in objects {
            guard let rule = rules.deletionBlock(of: object.name) else { continue }
            let names = try names(
                of: object,
                """
                FROM "org.Bin" b JOIN "\(object.name)" c ON c.rowid = b."Number" WHERE b."Deletion" = ?1
                AND b."Object" = '\(object.name)' AND b."Level" >= \(rule.level) AND \(rule.condition)
                """)
            guard names.isEmpty else { throw try failure(rule.reason, names) }
        }
    }

    /// Returns the names of up to ten of the records `c`.
    private func names(of object: SObjectSchema, _ source: String) throws(OrgError) -> [String] {
        let name = object.fields.first(where: \.isNameField)?.name ?? "Id"
        return try connection.fetch(
            "SELECT coalesce(c.\"\(name)\", c.\"Id\") \(source) LIMIT 10", [.integer(number)]
        ) { $0.text(0) }
    }

    private func failure(_ reason: String, _ names: [String]) throws(OrgError) -> OrgError {
        let root = objects[0]
        let own = try self.names(
            of: root,
            """
            FROM "org.Bin" b JOIN "\(root.name)" c ON c.rowid = b."Number"
            WHERE b."Deletion" = ?1 AND b."Object" = '\(root.name)' AND b."Level" = 0
            """)
        return OrgError(
            "DELETE_FAILED",
            "Your attempt to delete \(own.first ?? root.label) could not be completed because \(reason): "
                + names.joined(separator: ", ") + "\n")
    }
}
