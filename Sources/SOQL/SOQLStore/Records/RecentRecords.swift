// SPDX-License-Identifier: Apache-2.0

import RestSQLite
package import SOQLSyntax

/// The records that users have viewed recently, as reported by queries with FOR VIEW and FOR REFERENCE.
package struct RecentRecords {
    let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The maximum number of records for each user, as in Salesforce.
    package static let capacity = 200

    /// Adds records in front of those that the user viewed before.
    package func note(
        _ seen: [String], _ usage: SOQLUsage, by user: String, at time: String = WireTime.now
    ) throws(OrgError) {
        guard !seen.isEmpty else { return }
        try database.transaction { (connection) throws(OrgError) in
            try keep(seen.prefix(Self.capacity), usage, .text(user), .text(time), connection)
        }
    }

    private func keep(
        _ seen: ArraySlice<String>, _ usage: SOQLUsage, _ user: SQLValue, _ now: SQLValue,
        _ connection: SQLiteConnection
    ) throws(OrgError) {
        let viewed = usage == .view ? now : .null
        for id in seen.reversed() {
            try connection.change(
                """
                REPLACE INTO "org.Usage" ("User", "Record", "Viewed", "Referenced") VALUES (?1, ?2, coalesce(?3,
                (SELECT "Viewed" FROM "org.Usage" WHERE "User" = ?1 AND "Record" = ?2)), ?4)
                """, [user, .text(id), viewed, now])
        }
        try connection.change(
            """
            DELETE FROM "org.Usage" WHERE "User" = ?1 AND rowid <= (
            SELECT rowid FROM "org.Usage" WHERE "User" = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)
            """, [user, .integer(Int64(Self.capacity))])
    }

    /// Returns SQL for the time when the user, the parameter `?2`, viewed or referenced the record of a row.
    static func time(of usage: RecordUsage) -> String {
        let column = usage == .viewed ? "Viewed" : "Referenced"
        return "(SELECT \"\(column)\" FROM \"org.Usage\" WHERE \"User\" = ?2 AND \"Record\" = \"Id\")"
    }

    /// Returns the ids of the records that a user has viewed, the latest first.
    package func ids(of user: String) throws(OrgError) -> [String] {
        try database.fetch(
            "SELECT \"Record\" FROM \"org.Usage\" WHERE \"User\" = ?1 ORDER BY rowid DESC", [.text(user)]
        ) { $0.text(0) }
    }
}

/// The object RecentlyViewed: the records of all objects that the current user has viewed recently.
///
/// It has no table. A query reads it from the usage table and from the records.
enum RecentlyViewed {
    /// The fields that come from the records, if their objects have the fields.
    private static let names: [(name: String, type: FieldType)] = [
        ("FirstName", .string), ("LastName", .string), ("Email", .email), ("Phone", .phone), ("Title", .string),
        ("Alias", .string), ("IsActive", .boolean), ("ProfileId", .reference),
    ]

    static let object: SObjectSchema = {
        var fields = [
            field("Id", .id, length: 18), field("Name", .string, length: 255, isName: true),
            field("Type", .string, length: 255),
        ]
        fields += names.map { field($0.name, $0.type, length: $0.type == .boolean ? 0 : 80) }
        fields += RecordUsage.allCases.map { field($0.rawValue, .datetime) }
        return SObjectSchema(
            name: "RecentlyViewed", label: "Recently Viewed", labelPlural: "Recently Viewed", keyPrefix: "",
            fields: fields, childRelationships: [])
    }()

    private static func field(
        _ name: String, _ type: FieldType, length: Int = 0, isName: Bool = false
    ) -> FieldSchema {
        FieldSchema(
            name: name, label: name, type: type, length: length, isNillable: name != "Id", isCreateable: false,
            isUpdateable: false, isNameField: isName)
    }

    /// The rows of the object: one select for each object whose views are recorded.
    static func rows(_ schema: Schema, user: String) -> SQLFragment {
        let objects = schema.objects.filter(\.isViewed)
        guard !objects.isEmpty else { return "(\(none))" }
        // SQLite allows 500 selects in one compound select.
        let parts = stride(from: 0, to: objects.count, by: 100).map { start -> SQLFragment in
            let part = objects[start..<min(start + 100, objects.count)].map { rows(of: $0, user: user) }
            return "SELECT * FROM (\(part.joined(separator: " UNION ALL ")))"
        }
        return "(\(parts.joined(separator: " UNION ALL ")))"
    }

    private static func rows(of object: SObjectSchema, user: String) -> SQLFragment {
        let name = object.fields.first(where: \.isNameField).map { "o.\(name: $0.name)" as SQLFragment } ?? "NULL"
        let others = names.map { known -> SQLFragment in
            let value: SQLFragment =
                if let field = object.field(named: known.name), field.type.kind == known.type.kind {
                    "o.\(name: field.name)"
                } else { "NULL" }
            return ", \(value) AS \(name: known.name)"
        }
        return """
            SELECT u.rowid AS rowid, u."Record" AS "Id", \(name) AS "Name", \(string: object.name) AS "Type", \
            0 AS "IsDeleted"\(others.joined(separator: "")) FROM "org.Usage" AS u \
            JOIN \(name: object.name) AS o ON o."Id" = u."Record" WHERE u."User" = \(.text(user)) AND o."IsDeleted" = 0
            """
    }

    /// A select without rows, with the columns that every query needs.
    private static var none: SQLFragment {
        let others = names.map { ", NULL AS \(name: $0.name)" as SQLFragment }
        return """
            SELECT 0 AS rowid, NULL AS "Id", NULL AS "Name", NULL AS "Type", \
            0 AS "IsDeleted"\(others.joined(separator: "")) WHERE 0
            """
    }
}

extension Schema {
    /// Returns the queryable object with this name, in any case.
    package func queried(_ name: String) -> SObjectSchema? {
        object(named: name) ?? (name.lowercased() == "recentlyviewed" ? RecentlyViewed.object : nil)
    }
}

extension Compilation {
    /// Returns the table or select that a query reads an object from.
    func table(of object: SObjectSchema) -> SQLFragment {
        object.name == RecentlyViewed.object.name
            ? RecentlyViewed.rows(schema, user: options.userID ?? "") : "\(name: object.name)"
    }

    /// Returns the time when the user viewed or referenced the record of a row.
    func time(of usage: RecordUsage, _ alias: SQLFragment) -> SQLFragment {
        let column: SQLFragment = usage == .viewed ? "\"Viewed\"" : "\"Referenced\""
        return """
            (SELECT \(column) FROM "org.Usage" WHERE "User" = \(.text(options.userID ?? "")) \
            AND "Record" = \(alias)."Id")
            """
    }
}
