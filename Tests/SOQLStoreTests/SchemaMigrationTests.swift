// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestSQLite
import SOQLStore
import Testing

@Suite("Migrations of a store to another schema")
struct SchemaMigrationTests {
    private static func schema(_ objects: String) throws -> Schema {
        var reader = DescribeReader()
        return try reader.read(Array("[\(objects)]".utf8))
    }

    private static let contact = """
        {"name":"Contact","keyPrefix":"003","fields":[
          {"name":"Id","type":"id"},{"name":"LastName","type":"string","nameField":true},
          {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"}]}
        """
    private static let old = """
        {"name":"Account","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"Name","type":"string","length":80,"nameField":true},
          {"name":"Size__c","type":"int"},{"name":"Fax","type":"phone"},{"name":"Code__c","type":"string"},
          {"name":"Day__c","type":"date"},{"name":"Note__c","type":"string","length":20}]},\(contact)
        """
    /// `Fax` has another name, `Code__c` is gone, `Day__c` has another type, and the rest has more room.
    private static let new = """
        {"name":"Account","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"Name","type":"string","length":255,"nameField":true},
          {"name":"Size__c","type":"double"},{"name":"Telefax__c","type":"phone"},{"name":"Day__c","type":"datetime"},
          {"name":"Note__c","type":"textarea","length":2000},{"name":"New__c","type":"boolean"}]},
        {"name":"Person__c","keyPrefix":"a00","fields":[
          {"name":"Id","type":"id"},{"name":"LastName","type":"string","nameField":true},
          {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"}]}
        """
    private static let renames = ["Account.Fax": "Telefax__c", "Contact": "Person__c"]

    private static func steps(
        _ old: String, _ new: String, _ renames: [String: String] = [:]
    ) throws -> SchemaMigration {
        SchemaMigration(from: try schema(old), to: try schema(new), renames: renames)
    }

    /// An account with one field of this JSON.
    private static func account(_ field: String) -> String {
        #"{"name":"Account","keyPrefix":"001","fields":[{"name":"Id","type":"id"},\#(field)]}"#
    }

    @Test(
        "a field keeps its values if the new type has room for all of them",
        arguments: [
            (#""type":"string","length":20"#, #""type":"string","length":80"#, nil),
            (#""type":"string","length":80"#, #""type":"string","length":20"#, .narrower),
            (#""type":"picklist","length":40"#, #""type":"textarea","length":40"#, nil),
            (#""type":"int""#, #""type":"currency","precision":18,"scale":2"#, nil),
            (#""type":"double","precision":18,"scale":0"#, #""type":"double","precision":18,"scale":2"#, .narrower),
            (#""type":"double","precision":16,"scale":2"#, #""type":"percent","precision":18,"scale":2"#, nil),
            (#""type":"double""#, #""type":"int""#, .otherType), (#""type":"string""#, #""type":"int""#, .otherType),
            (#""type":"date""#, #""type":"datetime""#, .otherType),
            (#""type":"string","length":18"#, #""type":"reference","referenceTo":["Account"]"#, nil),
            (#""type":"reference","referenceTo":["Account"]"#, #""type":"string","length":18"#, nil),
        ] as [(String, String, SchemaMigration.Fit?)])
    func fits(old: String, new: String, fit: SchemaMigration.Fit?) throws {
        let steps = try Self.steps(
            Self.account(#"{"name":"F__c",\#(old)}"#), Self.account(#"{"name":"F__c",\#(new)}"#))
        #expect(steps.change(of: "f__C", in: "account")?.fit == fit)
    }

    @Test("renames are followed over several versions, and apply once")
    func renames() throws {
        func name(_ new: String, _ renames: [String: String], old: String = "A__c") throws -> String? {
            let steps = try Self.steps(
                Self.account(#"{"name":"\#(old)","type":"string"}"#),
                Self.account(#"{"name":"\#(new)","type":"string"}"#), renames)
            return steps.name(replacing: old, of: "Account")
        }
        let renames = ["account.a__c": "B__c", "Account.B__c": "C__c"]
        #expect(try name("B__c", renames) == "B__c")
        #expect(try name("C__c", renames) == "C__c")
        #expect(try name("C__c", renames, old: "B__c") == "C__c")
        #expect(try name("D__c", renames) == nil)
        #expect(try name("A__c", renames) == "A__c")
        // A later version uses the old name for something else.
        let both = #"{"name":"A__c","type":"string"},{"name":"B__c","type":"string"}"#
        let first = try Self.steps(Self.account(#"{"name":"A__c","type":"string"}"#), Self.account(both), renames)
        #expect(first.fields.map(\.newName) == ["B__c"])
        #expect(try Self.steps(Self.account(both), Self.account(both), renames).fields.isEmpty)
        // Two fields cannot become one.
        let clash = ["Account.A__c": "C__c", "Account.B__c": "C__c"]
        let merged = try Self.steps(Self.account(both), Self.account(#"{"name":"C__c","type":"string"}"#), clash)
        #expect(merged.fields.map(\.newName) == ["C__c", nil])
    }

    /// Creates a store of the old schema with an account for each number, and a contact.
    private static func fill(_ path: String, _ count: Int) throws {
        let schema = try schema(old)
        let store = try Store(.file(path), schema: schema)
        let (accounts, contacts) = (
            try #require(schema.object(named: "Account")), try #require(schema.object(named: "Contact"))
        )
        func id(_ prefix: String, _ number: Int) -> JSONValue {
            let digits = "\(number)"
            return JSONValue(prefix + String(repeating: "0", count: 12 - digits.count) + digits)
        }
        let records = store.records(by: "005000000000001AAA")
        try records.copy(
            (1...count).map { number in
                [
                    "Id": id("001", number), "Name": JSONValue("a\(number)"), "Size__c": JSONValue(number), "Fax": "1",
                    "Code__c": "c", "Day__c": "2026-01-29", "Note__c": "note",
                ]
            }, of: accounts)
        try records.copy([["Id": id("003", 1), "LastName": "Ito", "AccountId": id("001", 1)]], of: contacts)
        store.close()
    }

    /// The definitions and the rows of a file.
    private static func contents(_ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path)
        var lines = try connection.list("SELECT name, coalesce(sql, '') FROM sqlite_master ORDER BY name") {
            $0.text(0) + " " + $0.text(1)
        }
        for table in ["Account", "Contact", "Person__c", "org.Field", "org.LastNumber"] {
            guard try connection.number("SELECT count(*) FROM sqlite_master WHERE name = ?1", [.text(table)]) > 0 else {
                continue
            }
            lines += try connection.list("SELECT * FROM \"\(table)\"") { row in
                (0..<row.columnCount).map { "\(row.value($0))" }.joined(separator: "|")
            }
        }
        return lines
    }

    private static func migrate(
        _ path: String, before: (SQLiteConnection) throws(DatabaseError) -> Void = { _ in },
        after: (SQLiteConnection) throws(DatabaseError) -> Void = { _ in }
    ) throws -> Store {
        let steps = try steps(old, new, renames)
        return try Store(
            .file(path), schema: steps.new,
            migration: { (connection) throws(DatabaseError) in
                try before(connection)
                return steps
            }, finish: { (connection, _) throws(DatabaseError) in try after(connection) })
    }

    @Test("records keep their values, row numbers and references under new names and types")
    func tables() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder + "/copy.db"
            try Self.fill(path, 3)
            let new = try Self.schema(Self.new)
            let changed = #expect(throws: DatabaseError.self) { try Store(.file(path), schema: new) }
            #expect(changed?.kind == .changed)
            let store = try Self.migrate(path)
            let records = store.records(by: "005000000000001AAA")
            let found = try records.query(
                "SELECT Name, Size__c, Telefax__c, Day__c, Note__c, New__c FROM Account WHERE Name = 'a2'", version: 66)
            let record = try #require(try JSONValue(parsing: found.records).array?.first)
            #expect(record["Size__c"]?.double == 2 && record["Telefax__c"] == "1" && record["Note__c"] == "note")
            #expect(record["Day__c"] == .null && record["New__c"] == false)
            let people = try records.query("SELECT Id FROM Person__c WHERE Account.Name = 'a1'", version: 66)
            #expect(people.total == 1)
            #expect(throws: OrgError.self) { try records.query("SELECT Code__c FROM Account", version: 66) }
            #expect(throws: OrgError.self) { try records.query("SELECT Id FROM Contact", version: 66) }
            store.close()
            let connection = try SQLiteConnection(path: path)
            #expect(try connection.list("SELECT rowid FROM Account") { $0.integer(0) } == [1, 2, 3])
            let indexes = try connection.list("SELECT name FROM sqlite_master WHERE type = 'index'") { $0.text(0) }
            #expect(indexes.contains("Account.by.Name") && indexes.contains("Person__c.of.AccountId"))
            #expect(!indexes.contains { $0.hasPrefix("Contact.") })
            // The file has its new schema, which needs no steps any more.
            try Store(.file(path), schema: new).close()
        }
    }

    @Test("a migration that fails at any step, or is killed before its end, leaves the old file")
    func failures() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder + "/copy.db"
            try Self.fill(path, 2_000)
            let before = try Self.contents(path)
            let pages = try SQLiteConnection(path: path).number("PRAGMA page_count")
            // Each new page is a step at which the disk can be full.
            var failures = 0
            for more in 0...400 {
                do {
                    try Self.migrate(
                        path,
                        before: { (connection) throws(DatabaseError) in
                            try connection.execute("PRAGMA max_page_count = \(Int(pages) + more)")
                        }
                    ).close()
                    break
                } catch is DatabaseError {
                    failures += 1
                    let after = try Self.contents(path)
                    #expect(after == before, "with \(more) more pages")
                }
            }
            #expect(failures > 30 && failures < 400)
            #expect(try Self.contents(path) != before)
            // The files as a killed process leaves them, when only the end of the transaction is missing.
            let (killed, copy) = (folder + "/killed.db", folder + "/left.db")
            try Self.fill(killed, 2_000)
            try Self.migrate(
                killed,
                before: { (connection) throws(DatabaseError) in
                    // Most pages are written before the end of the transaction.
                    try connection.execute("PRAGMA cache_size = 10")
                },
                after: { (_) throws(DatabaseError) in
                    for suffix in ["", "-wal", "-journal"] {
                        try? FileManager.default.copyItem(atPath: killed + suffix, toPath: copy + suffix)
                    }
                }
            ).close()
            let size = try FileManager.default.attributesOfItem(atPath: copy + "-wal")[.size] as? Int
            #expect((size ?? 0) > 100_000)
            #expect(try Self.contents(copy) == before)
            #expect(try Self.contents(killed) != before)
            try Self.migrate(copy).close()
            #expect(try Self.contents(copy).contains { $0.hasPrefix("Person__c ") })
        }
    }
}
