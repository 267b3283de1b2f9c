// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore

/// The tables of a copy next to the tables of its records.
enum SyncTables {
    static let all = [outbox, subsets, members, aliases, values, files]

    private static let outbox = """
        CREATE TABLE IF NOT EXISTS "sync.Outbox" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Object" TEXT NOT NULL, "Record" TEXT NOT NULL,
            "State" TEXT NOT NULL, "Kind" TEXT NOT NULL, "Fields" TEXT NOT NULL, "Base" TEXT NOT NULL,
            "Server" TEXT NOT NULL, "Reason" TEXT, "Key" TEXT, "SentAt" INTEGER
        );
        CREATE UNIQUE INDEX IF NOT EXISTS "sync.Outbox.Record" ON "sync.Outbox" ("Record", "State")
        """

    /// The subsets, and their parts with the fields of the query, the condition and the progress of the pull.
    ///
    /// The parts of a subset that the schema no longer supports have no object.
    private static let subsets = """
        CREATE TABLE IF NOT EXISTS "sync.Subset" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Query" TEXT UNIQUE, "IsUsable" INTEGER NOT NULL DEFAULT 1
        );
        CREATE TABLE IF NOT EXISTS "sync.Part" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Subset" INTEGER NOT NULL, "Object" TEXT NOT NULL,
            "Fields" TEXT NOT NULL, "Condition" TEXT, "FollowsOthers" INTEGER NOT NULL, "Plan" TEXT NOT NULL
        )
        """

    /// The records of each part, with the number of the last run that has seen them.
    private static let members = """
        CREATE TABLE IF NOT EXISTS "sync.Member" (
            "Part" INTEGER NOT NULL, "Record" TEXT NOT NULL, "Run" INTEGER NOT NULL, PRIMARY KEY ("Part", "Record")
        ) WITHOUT ROWID
        """

    /// The index by which a record that has left a part is found in the other parts.
    static let memberIndex: LaterIndex = (
        "sync.Member.Record", "sync.Member", "CREATE INDEX \"sync.Member.Record\" ON \"sync.Member\" (\"Record\")"
    )

    /// The ids of records that were created here, by their temporary ids.
    ///
    /// The id is null until the server has created the record.
    private static let aliases = """
        CREATE TABLE IF NOT EXISTS "sync.Alias" ("Temporary" TEXT PRIMARY KEY, "Id" TEXT) WITHOUT ROWID
        """

    /// The contents of files, complete or not, with the version of the record to which they belong.
    ///
    /// The bytes are in the tables `org.Content` and `org.Piece`. `IsLocal` marks a file that the server does not have.
    private static let files = """
        CREATE TABLE IF NOT EXISTS "sync.File" (
            "Record" TEXT PRIMARY KEY, "Object" TEXT NOT NULL, "Content" INTEGER NOT NULL, "Size" INTEGER,
            "Received" INTEGER NOT NULL, "Version" TEXT NOT NULL, "Tag" TEXT, "IsLocal" INTEGER NOT NULL
        ) WITHOUT ROWID
        """

    private static let values = """
        CREATE TABLE IF NOT EXISTS "sync.Value" ("Name" TEXT PRIMARY KEY, "Value" TEXT NOT NULL) WITHOUT ROWID
        """
}

/// The changes that the server does not have yet, inside one transaction.
struct Outbox {
    let connection: SQLiteConnection

    private static let columns = """
        "Number", "Object", "Record", "State", "Kind", "Fields", "Base", "Server", "Reason", "Key", "SentAt"
        """

    /// Returns the changes of a record in a state.
    func change(_ record: String, _ state: PendingChange.State) throws(OrgError) -> PendingChange? {
        try list("WHERE \"Record\" = ?1 AND \"State\" = ?2", [.text(record), .text(state.rawValue)]).first
    }

    /// Returns the open and the held changes of an object's records, by the ids of the records.
    func changes(of records: [JSONObject], _ object: String) throws(OrgError) -> [String: [PendingChange]] {
        let ids = records.lazy.compactMap { $0["Id"]?.string.flatMap(RecordID.normalized) }
        guard try !connection.fetch("SELECT 1 FROM \"sync.Outbox\" LIMIT 1", [], { _ in }).isEmpty else { return [:] }
        let found = try list(
            """
            WHERE "Record" IN (SELECT value FROM json_each(?1)) AND "State" IN ('open', 'held') AND "Object" = ?2
            """, [.text(JSONValue(JSONArray(ids.map { JSONValue($0) })).description), .text(object)])
        return Dictionary(grouping: found, by: \.record)
    }

    /// Returns the open changes with numbers, by their numbers.
    func open(_ numbers: [Int64]) throws(OrgError) -> [Int64: PendingChange] {
        let found = try list(
            "WHERE \"Number\" IN (SELECT value FROM json_each(?1)) AND \"State\" = 'open'", [.text("\(numbers)")])
        return Dictionary(found.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the open changes of records that the server restores first.
    func restoring() throws(OrgError) -> [PendingChange] {
        try list("WHERE \"State\" = 'open' AND \"Key\" = ?1", [.text(PendingChange.restoring)])
    }

    /// Returns all changes in some states, in the order of their numbers.
    func changes(_ states: PendingChange.State...) throws(OrgError) -> [PendingChange] {
        let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try list("WHERE \"State\" IN (\(names))", [])
    }

    func change(number: Int64) throws(OrgError) -> PendingChange? {
        try list("WHERE \"Number\" = ?1", [.integer(number)]).first
    }

    /// Whether a record has a change in any state.
    func isPending(_ record: String) throws(OrgError) -> Bool {
        try !connection.fetch("SELECT 1 FROM \"sync.Outbox\" WHERE \"Record\" = ?1 LIMIT 1", [.text(record)]) { _ in }
            .isEmpty
    }

    private func list(_ condition: String, _ values: [SQLValue]) throws(OrgError) -> [PendingChange] {
        try connection.fetch(
            "SELECT \(Self.columns) FROM \"sync.Outbox\" \(condition) ORDER BY \"Number\"", values
        ) { row in
            var change = PendingChange(
                PendingChange.Kind(rawValue: row.text(4)) ?? .update, of: row.text(1), row.text(2))
            change.number = row.integer(0)
            change.state = PendingChange.State(rawValue: row.text(3)) ?? .held
            change.fields = JSONObject(text: row.text(5))
            change.base = JSONObject(text: row.text(6))
            change.server = JSONObject(text: row.text(7))
            change.reason =
                row.isNull(8) ? nil : (try? JSONValue(parsing: row.text(8))).flatMap(SyncConflict.Reason.init)
            change.key = row.isNull(9) ? nil : row.text(9)
            change.sentAt = row.isNull(10) ? nil : Int(row.integer(10))
            return change
        }
    }

    /// Writes a change in place of the record's change in the same state, or removes that if the change is empty.
    ///
    /// A new row gets the next number, and an existing row keeps its number.
    func save(_ change: PendingChange) throws(OrgError) {
        guard !change.isEmpty else { return try remove(change.record, change.state) }
        try connection.change(
            """
            INSERT INTO "sync.Outbox" (\(Self.columns)) VALUES (
            (SELECT "Number" FROM "sync.Outbox" WHERE "Record" = ?2 AND "State" = ?3),
            ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT ("Number") DO UPDATE SET "Object" = ?1, "Kind" = ?4, "Fields" = ?5, "Base" = ?6, "Server" = ?7, "Reason" = ?8,
            "Key" = ?9, "SentAt" = ?10
            """,
            [
                .text(change.object), .text(change.record), .text(change.state.rawValue), .text(change.kind.rawValue),
                .text(JSONValue(change.fields).description), .text(JSONValue(change.base).description),
                .text(JSONValue(change.server).description),
                change.reason.map { .text($0.json.description) } ?? .null, change.key.map { .text($0) } ?? .null,
                change.sentAt.map { .integer(Int64($0)) } ?? .null,
            ])
    }

    /// Turns an open change into the sent one.
    func send(_ change: PendingChange) throws(OrgError) {
        try connection.change(
            "UPDATE OR REPLACE \"sync.Outbox\" SET \"State\" = 'sent', \"SentAt\" = ?2 WHERE \"Number\" = ?1",
            [.integer(change.number), change.sentAt.map { .integer(Int64($0)) } ?? .null])
    }

    /// Removes a change, without which the record can leave the copy at the next purge.
    func remove(_ record: String, _ state: PendingChange.State) throws(OrgError) { try remove([record], state) }

    func remove(_ records: [String], _ state: PendingChange.State) throws(OrgError) {
        for record in records {
            try connection.change(
                "DELETE FROM \"sync.Outbox\" WHERE \"Record\" = ?1 AND \"State\" = ?2",
                [.text(record), .text(state.rawValue)])
        }
        try Self.requestPurge(connection)
    }

    /// Lets the next purge look for records that nothing keeps in the copy.
    static func requestPurge(_ connection: SQLiteConnection) throws(OrgError) {
        try connection.change("INSERT OR IGNORE INTO \"sync.Value\" VALUES ('purge', '1')")
    }

    /// Moves fields of a change to the record's orphaned change.
    func orphan(
        _ names: some Sequence<String>, of change: PendingChange, because reason: SyncConflict.Reason
    ) throws(OrgError) {
        var rest = change
        var orphan =
            try self.change(change.record, .orphaned) ?? PendingChange(.update, of: change.object, change.record)
        (orphan.state, orphan.reason) = (.orphaned, reason)
        for name in names {
            guard let value = change.fields[name] else { continue }
            if orphan.fields[name] == nil { orphan.base[name] = change.base[name] }
            (orphan.fields[name], orphan.server[name]) = (value, change.server[name])
            rest.drop(name)
        }
        try save(orphan)
        try save(rest)
    }

    /// Turns a change of an object that the schema lacks into the record's orphaned change.
    func orphan(_ change: PendingChange) throws(OrgError) {
        var whole = change
        if let other = try self.change(change.record, .orphaned) {
            whole = (change.kind == .create ? change.followed(by: other) : other.followed(by: change)) ?? change
        }
        (whole.state, whole.reason, whole.sentAt) = (.orphaned, .objectRemoved, nil)
        try remove(change.record, change.state)
        try save(whole)
    }

    /// The changes of a record and of records that refer to it.
    private func affected(by id: String) throws(OrgError) -> [PendingChange] {
        try list(
            "WHERE \"Record\" = ?1 OR \"Fields\" LIKE ?2 OR \"Base\" LIKE ?2", [.text(id), .text("%\"\(id)\"%")])
    }

    /// Removes the references to a new record that the server never sees.
    func clear(_ id: String) throws(OrgError) {
        for change in try affected(by: id) {
            var cleared = change
            for (name, value) in change.fields where value.string == id { cleared.fields[name] = .null }
            try save(cleared)
        }
        try connection.change("DELETE FROM \"sync.Alias\" WHERE \"Temporary\" = ?1", [.text(id)])
    }

    /// Replaces temporary ids in all changes, after the records were created.
    ///
    /// Only changes with a temporary id are read, once for all records.
    func rename(_ ids: [String: String]) throws(OrgError) {
        let mark = SQLValue.text("%\(SyncEdit.temporaryMark)%")
        let changes = try list("WHERE \"Record\" LIKE ?1 OR \"Fields\" LIKE ?1 OR \"Base\" LIKE ?1", [mark])
        for change in changes {
            let renamed = change.renamed(by: ids)
            guard renamed != change else { continue }
            try remove(change.record, change.state)
            try save(renamed)
        }
        for (id, newID) in ids {
            try connection.change(
                "UPDATE \"sync.Alias\" SET \"Id\" = ?1 WHERE \"Temporary\" = ?2", [.text(newID), .text(id)])
            try connection.change(
                "UPDATE \"sync.File\" SET \"Record\" = ?1, \"IsLocal\" = 0 WHERE \"Record\" = ?2",
                [.text(newID), .text(id)])
        }
    }

    /// Returns the current id for an id that may be temporary.
    func current(_ id: String) throws(OrgError) -> String {
        try connection.fetch(
            "SELECT \"Id\" FROM \"sync.Alias\" WHERE \"Temporary\" = ?1 AND \"Id\" IS NOT NULL", [.text(id)]
        ) { $0.text(0) }.first ?? id
    }

    /// Returns the temporary ids of the records that the server has not created.
    func temporaryIDs() throws(OrgError) -> Set<String> {
        Set(try connection.fetch("SELECT \"Temporary\" FROM \"sync.Alias\" WHERE \"Id\" IS NULL") { $0.text(0) })
    }
}

extension JSONObject {
    /// Reads an object that this module has written.
    init(text: String) {
        self = text == "{}" ? [:] : (try? JSONValue(parsing: text))?.object ?? [:]
    }
}
