// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore
import Synchronization
import Testing

/// Writes every change as a line of a table of the same database, in the same transaction.
private final class LineSink: ChangeSink {
    let objects: [String]
    let commits = Mutex(0)
    let rollbacks = Mutex(0)
    let rejects = Mutex(false)

    static let table =
        "CREATE TABLE IF NOT EXISTS \"test.Change\" (Line TEXT, Key TEXT, Number INTEGER, Sequence INTEGER)"

    init(_ objects: [String]) { self.objects = objects }

    func capturedObjects(_: SQLiteConnection) throws(DatabaseError) -> [String] { objects }

    func write(
        _ changes: [RecordChange], _ commit: ChangeCommit, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        let change = changes[0]
        guard !rejects.withLock(\.self) else { throw DatabaseError(kind: .other, message: "full") }
        let nulled = change.nulled.map { "\($0.name)=null" }
        let count = changes.count > 1 ? ["×\(changes.count)"] : []
        let words = ["\(change.object.name) \(change.kind)"] + texts(change.values) + nulled + count
        let line = words.joined(separator: " ")
        try connection.run(
            "INSERT INTO \"test.Change\" VALUES (?1, ?2, ?3, ?4)",
            [.text(line), .text(commit.key), .integer(commit.number), .integer(Int64(commit.sequence))])
    }

    func write(_ event: PublishedEvent, _ connection: SQLiteConnection) throws(DatabaseError) {
        let line = (["\(event.object.name) published"] + texts(event.values)).joined(separator: " ")
        try connection.run("INSERT INTO \"test.Change\" (Line) VALUES (?1)", [.text(line)])
    }

    private func texts(_ values: [RecordChange.Value]) -> [String] {
        let hidden: Set<String> = [
            "Id", "IsDeleted", "CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp",
        ]
        return values.filter { !hidden.contains($0.field.name) }.map { field, value in
            switch value {
            case .integer(let number): "\(field.name)=\(number)"
            case .text(let text): "\(field.name)=\(text)"
            default: "\(field.name)=?"
            }
        }
    }

    func didCommit(_: ChangeCapture, _: SQLiteConnection) { commits.withLock { $0 += 1 } }
    func didRollBack() { rollbacks.withLock { $0 += 1 } }
}

@Suite("Changes that a store captures in its transactions")
struct ChangeCaptureTests {
    private static let describe = """
        {"sobjects":[
        {"name":"Account","keyPrefix":"001","fields":[
          {"name":"Name","type":"string","length":80,"nillable":false,"nameField":true},
          {"name":"Phone","type":"phone"},{"name":"Employees__c","type":"int"},
          {"name":"MasterRecordId","type":"reference","referenceTo":["Account"],"relationshipName":"MasterRecord"}],
         "childRelationships":[
          {"childSObject":"Contact","field":"AccountId","relationshipName":"Contacts","cascadeDelete":true}]},
        {"name":"Contact","keyPrefix":"003","fields":[
          {"name":"LastName","type":"string","nillable":false},
          {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"},
          {"name":"ReportsToId","type":"reference","referenceTo":["Contact"],"relationshipName":"ReportsTo"}]},
        {"name":"Paid__e","fields":[{"name":"Amount__c","type":"int"},{"name":"Note__c","type":"string"}]},
        {"name":"Seen__e","publishBehavior":"PublishImmediately","fields":[{"name":"Note__c","type":"string"}]}]}
        """
    private static let user = "005000000000001AAA"

    private let sink: LineSink
    private let store: Store
    private let records: RecordStore

    init() throws { try self.init(["Account", "Contact"]) }

    private init(_ objects: [String]) throws {
        var reader = DescribeReader()
        let schema = try reader.read(Array(Self.describe.utf8))
        sink = LineSink(objects)
        // Two changes at one time can be equal.
        store = try Store(
            .temporary("changes"), schema: schema, tables: [LineSink.table], now: { 1_700_000_000_000 }, sink: sink)
        records = store.records(by: Self.user)
    }

    private func object(_ name: String) throws -> SObjectSchema { try #require(store.schema.object(named: name)) }

    /// The lines since the last call.
    private func lines() throws -> [String] {
        try records.database.write { (connection) throws(OrgError) in
            let lines = try connection.fetch("SELECT Line FROM \"test.Change\" ORDER BY rowid") { $0.text(0) }
            try connection.change("DELETE FROM \"test.Change\"")
            return lines
        }
    }

    @Test("one record: created, updated, nothing for the same values, deleted, restored, and removed for good")
    func record() throws {
        let account = try object("Account")
        let id = try records.create(["Name": "Acme", "Employees__c": 3], of: account)
        #expect(try lines() == ["Account created Name=Acme Employees__c=3"])
        try records.update(id, with: ["Name": "Acme", "Phone": "1"], of: account)
        #expect(try lines() == ["Account updated Phone=1"])
        try records.update(id, with: ["Phone": nil, "Employees__c": 4], of: account)
        #expect(try lines() == ["Account updated Employees__c=4 Phone=null"])
        try records.delete(id, of: account)
        #expect(try lines() == ["Account deleted"])
        try records.undelete(id, of: account)
        #expect(try lines().map { $0.hasPrefix("Account undeleted") } == [true])
        try records.delete(id, of: account)
        try records.purge(id, of: account)
        #expect(try lines() == ["Account deleted"])
        let other = try records.create(["Name": "Other"], of: account)
        try records.delete(other, of: account, isFinal: true)
        #expect(try lines() == ["Account created Name=Other", "Account deleted"])
    }

    @Test("records that belong to a deleted one, references that it clears, and a merge")
    func related() throws {
        let (account, contact) = (try object("Account"), try object("Contact"))
        let id = try records.create(["Name": "A"], of: account)
        let first = try records.create(["LastName": "One", "AccountId": JSONValue(id)], of: contact)
        _ = try records.create(["LastName": "Two", "ReportsToId": JSONValue(first)], of: contact)
        _ = try lines()
        try records.delete(first, of: contact)
        #expect(try lines() == ["Contact deleted", "Contact updated ReportsToId=null"])
        try records.undelete(first, of: contact)
        let restored = try lines()
        #expect(restored.count == 2 && restored[0].hasPrefix("Contact undeleted"))
        #expect(restored.last == "Contact updated ReportsToId=\(first)")
        try records.delete(id, of: account)
        #expect(
            try lines().sorted() == ["Account deleted", "Contact deleted", "Contact updated ReportsToId=null"])
        let (master, other) = (
            try records.create(["Name": "Master"], of: account), try records.create(["Name": "Other"], of: account)
        )
        _ = try records.create(["LastName": "Moved", "AccountId": JSONValue(other)], of: contact)
        _ = try lines()
        _ = try records.merge([other], into: master, with: ["Phone": "7"], of: account)
        #expect(
            try lines() == ["Account updated Phone=7", "Contact updated AccountId=\(master)", "Account merged"])
    }

    @Test("a transaction has one key, one number and one change for each record, and rolled back parts have none")
    func transaction() throws {
        let account = try object("Account")
        let first = try records.create(["Name": "First"], of: account)
        _ = try lines()
        let id = try records.database.atomically { database -> (String, isKept: Bool) in
            var inner = records
            inner.database = database
            let id = (try? inner.create(["Name": "A"], of: account)) ?? ""
            try? inner.update(id, with: ["Phone": "1"], of: account)
            try? inner.update(first, with: ["Phone": "2"], of: account)
            // A failed part is rolled back alone.
            try? database.transaction { (_) throws(OrgError) in
                try inner.update(first, with: ["Phone": "3"], of: account)
                _ = try inner.create(["Name": "Undone"], of: account)
                throw .notFound
            }
            return (id, true)
        }
        let found = try records.database.fetch(
            "SELECT Line, Key, Number, Sequence FROM \"test.Change\" ORDER BY rowid"
        ) { row in (row.text(0), row.text(1), row.integer(2), row.integer(3)) }
        #expect(found.map(\.0) == ["Account created Name=A Phone=1", "Account updated Phone=2"])
        #expect(Set(found.map(\.1)).count == 1 && Set(found.map(\.2)).count == 1 && found.map(\.3) == [1, 2])
        let commits = sink.commits.withLock(\.self)
        _ = try lines()
        try records.database.atomically { database -> (Void, isKept: Bool) in
            var inner = records
            inner.database = database
            try? inner.delete(id, of: account)
            return ((), false)
        }
        #expect(try lines().isEmpty && sink.commits.withLock(\.self) == commits)
        try records.update(id, with: ["Phone": "9"], of: account)
        #expect(try lines() == ["Account updated Phone=9"])
    }

    @Test("an error of the sink rolls the record back")
    func rejected() throws {
        let account = try object("Account")
        sink.rejects.withLock { $0 = true }
        #expect(throws: OrgError.self) { try records.create(["Name": "Lost"], of: account) }
        sink.rejects.withLock { $0 = false }
        #expect(try records.query("SELECT COUNT() FROM Account", version: 66).total == 0)
        _ = try records.create(["Name": "Kept"], of: account)
        #expect(try lines() == ["Account created Name=Kept"])
    }

    @Test("an object that is not captured has no changes, until it is captured")
    func notCaptured() throws {
        let tests = try ChangeCaptureTests(["Contact"])
        let account = try tests.object("Account")
        let id = try tests.records.create(["Name": "Silent"], of: account)
        #expect(try tests.lines().isEmpty && tests.sink.commits.withLock(\.self) == 0)
        try tests.records.database.write { (connection) throws(OrgError) in
            let capture = connection.observer as? ChangeCapture
            try OrgError.wrapping { () throws(DatabaseError) in
                try capture?.capture("account", connection)
                try capture?.capture("Account", connection)
            }
        }
        try tests.records.update(id, with: ["Phone": "1"], of: account)
        #expect(try tests.lines() == ["Account updated Phone=1"])
    }

    @Test("events are checked like records, and published with the transaction, or in any case")
    func events() throws {
        let (paid, seen) = (try object("Paid__e"), try object("Seen__e"))
        #expect(paid.publishing == .afterCommit && seen.publishing == .immediately && paid.abilities == .create)
        let uuid = try records.create(["Amount__c": 5], of: paid)
        #expect(uuid.utf8.count == 36)
        #expect(throws: OrgError.self) { try records.create(["Amount__c": "five"], of: paid) }
        #expect(throws: OrgError.self) { try records.create(["ReplayId": "1"], of: paid) }
        #expect(try lines() == ["Paid__e published Amount__c=5"])
        try records.database.atomically { database -> (Void, isKept: Bool) in
            var inner = records
            inner.database = database
            _ = try? inner.create(["Amount__c": 6], of: paid)
            _ = try? inner.create(["Note__c": "now"], of: seen)
            return ((), false)
        }
        #expect(try lines() == ["Seen__e published Note__c=now"])
        #expect(throws: OrgError.self) { try records.delete(uuid, of: paid) }
    }

    @Test("many changes of one transaction arrive in the order of their first change, equal ones together")
    func many() throws {
        let account = try object("Account")
        func together<Value: Sendable>(_ body: (RecordStore) throws -> Value) throws -> Value? {
            try records.database.atomically { database -> (Value?, isKept: Bool) in
                var inner = records
                inner.database = database
                return (try? body(inner), true)
            }
        }
        let ids = try #require(
            try together { records in
                try (0..<1_200).map { try records.create(["Name": JSONValue("A\($0)")], of: account) }
            })
        #expect(try lines() == (0..<1_200).map { "Account created Name=A\($0)" })
        _ = try together { records in
            for (id, phone) in zip(ids, ["1", "1", "2", "1"]) {
                try records.update(id, with: ["Phone": JSONValue(phone)], of: account)
            }
        }
        #expect(
            try lines() == ["Account updated Phone=1 ×2", "Account updated Phone=2", "Account updated Phone=1"])
        _ = try together { records in for id in ids.prefix(600) { try records.delete(id, of: account) } }
        #expect(try lines() == ["Account deleted ×500", "Account deleted ×100"])
    }
}
