// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLCheck
import SOQLStore
import Testing

@Suite("The store as an offline copy")
struct StoreTests {
    /// Two objects, in the form of a server's descriptions.
    private static let describe = """
        {"sobjects":[
        {"name":"Account","label":"Account","labelPlural":"Accounts","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"Name","type":"string","length":8,"nillable":false,"nameField":true},
          {"name":"Industry","type":"picklist","restrictedPicklist":true,"picklistValues":[{"value":"Energy"}]},
          {"name":"Employees__c","type":"int"},{"name":"Key__c","type":"string","externalId":true,"unique":true}],
         "childRelationships":[
          {"childSObject":"Contact","field":"AccountId","relationshipName":"Contacts","cascadeDelete":true}]},
        {"name":"Contact","label":"Contact","labelPlural":"Contacts","keyPrefix":"003","fields":[
          {"name":"Id","type":"id"},{"name":"LastName","type":"string","nillable":false,"nameField":true},
          {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"}]}]}
        """
    private static let user = "005000000000001AAA"
    /// Thursday, 2026-01-29 15:00 UTC.
    private static let now: Int64 = 1_769_698_800_000

    private struct AccountRow: Decodable, Equatable {
        struct Contacts: Decodable, Equatable {
            let records: [ContactRow]
        }

        let Id: String
        let Name: String
        let Employees__c: Int?
        let Contacts: Contacts?
    }

    private struct ContactRow: Decodable, Equatable {
        let LastName: String
    }

    private static func schema(_ json: String = describe) throws -> Schema {
        var reader = DescribeReader()
        return try reader.read(Array(json.utf8))
    }

    private func rows<Row: Decodable>(_ soql: String, _ records: RecordStore) throws -> [Row] {
        try JSONValue(parsing: try records.query(soql, version: 66).records).decode([Row].self)
    }

    @Test("copied records and local changes are in one file, are queried as typed rows, and persist")
    func life() async throws {
        try await withTemporaryDirectory { folder in
            let schema = try Self.schema()
            let (accounts, contacts) = (
                try #require(schema.object(named: "Account")), try #require(schema.object(named: "contact"))
            )
            let store = try Store(.file(folder + "/copy.db"), schema: schema)
            let records = store.records(by: Self.user)
            try records.copy(
                [["Id": "003000000000001AAA", "LastName": "Server", "AccountId": "001000000000001"]], of: contacts)
            try records.copy(
                [
                    ["Id": "001000000000001AAA", "Name": "Acme", "Employees__c": 5, "Key__c": "a"],
                    ["Id": "001000000000002AAA", "Name": "Beta", "Industry": "Energy"],
                ], of: accounts)
            _ = try records.create(["LastName": "Local", "Account": ["Key__c": "A"]], of: contacts)
            try records.update("001000000000002AAA", with: ["Employees__c": 7], of: accounts)
            let soql = """
                SELECT Id, Name, Employees__c, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account
                WHERE Employees__c > 1 ORDER BY Name DESC
                """
            let expected = [
                AccountRow(Id: "001000000000002AAA", Name: "Beta", Employees__c: 7, Contacts: nil),
                AccountRow(
                    Id: "001000000000001AAA", Name: "Acme", Employees__c: 5,
                    Contacts: .init(records: [.init(LastName: "Local"), .init(LastName: "Server")])),
            ]
            #expect(try rows(soql, records) == expected)
            let counting = "SELECT COUNT() FROM Contact WHERE Account.Name = 'acme'"
            #expect(try records.query(counting, version: 66).total == 2)
            try records.delete("001000000000001AAA", of: accounts)
            #expect(try records.query("SELECT Id FROM Contact", version: 66).total == 0)
            try records.undelete("001000000000001AAA", of: accounts)
            store.close()
            let wider = try Self.schema(
                Self.describe.replacing(
                    #"{"name":"Employees__c""#, with: #"{"name":"New__c","type":"date"},{"name":"Employees__c""#))
            let again = try Store(.file(folder + "/copy.db"), schema: wider)
            #expect(try rows(soql, again.records(by: Self.user)) == expected)
            #expect(try again.records(by: Self.user).query("SELECT New__c FROM Account", version: 66).total == 2)
            again.close()
            let error = #expect(throws: DatabaseError.self) { try Store(.file(folder + "/copy.db"), schema: schema) }
            #expect(error?.kind == .changed && error?.message.contains("Account.New__c") == true)
        }
    }

    @Test("a copy replaces the previous copy, and has the server's values")
    func copies() throws {
        let schema = try Self.schema()
        let accounts = try #require(schema.object(named: "Account"))
        let records = try Store(.temporary("store"), schema: schema, now: { Self.now }).records(by: Self.user)
        let copy: JSONObject = [
            "attributes": ["type": "Account"], "Id": "001000000000001AAA", "Name": "Longer than eight",
            "Industry": "Retired", "CreatedDate": "2020-02-03T04:05:06.000+0000", "CreatedById": "005000000000009AAA",
        ]
        try records.copy([copy], of: accounts)
        try records.copy([["Id": "001000000000001", "Name": "New"]], of: accounts)
        let read = try records.query("SELECT Name, Industry, CreatedDate, CreatedById FROM Account", version: 66)
        #expect(
            String(decoding: read.records, as: UTF8.self).hasSuffix(
                #""Name":"New","Industry":"Retired","CreatedDate":"2020-02-03T04:05:06.000+0000","#
                    + #""CreatedById":"005000000000009AAA"}]"#))
        let wrong: [(JSONObject, code: String)] = [
            (["Name": "no id"], "REQUIRED_FIELD_MISSING"), (["Id": "001"], "MALFORMED_ID"),
            (["Id": "001000000000003AAA", "Nme": 1], "INVALID_FIELD"),
            (["Id": "001000000000003AAA", "Employees__c": "x"], "JSON_PARSER_ERROR"),
        ]
        for (wrong, code) in wrong {
            let error = #expect(throws: OrgError.self) {
                try records.copy([["Id": "001000000000002AAA", "Name": "b"], wrong], of: accounts)
            }
            #expect(error?.code == code)
        }
        #expect(try records.query("SELECT Id FROM Account", version: 66).total == 1)
    }

    @Test("records have the time of the store's clock, and date formulas are relative to it")
    func clock() throws {
        let schema = try Self.schema()
        let accounts = try #require(schema.object(named: "Account"))
        let records = try Store(.temporary("store"), schema: schema, now: { Self.now }).records(by: Self.user)
        let id = try records.create(["Name": "a"], of: accounts)
        try records.delete(id, of: accounts)
        let found = try records.query(
            "SELECT CreatedDate, SystemModstamp FROM Account WHERE SystemModstamp = TODAY", version: 66,
            includesDeleted: true)
        #expect(
            String(decoding: found.records, as: UTF8.self).hasSuffix(
                #""CreatedDate":"2026-01-29T15:00:00.000+0000","SystemModstamp":"2026-01-29T15:00:00.000+0000"}]"#))
    }

    @Test("queries run during a transaction, and see its changes only after it ended")
    func readers() throws {
        let schema = try Self.schema()
        let accounts = try #require(schema.object(named: "Account"))
        let store = try Store(.temporary("store"), schema: schema, now: { Self.now })
        let records = store.records(by: Self.user)
        func count() throws(OrgError) -> Int { try records.query("SELECT COUNT() FROM Account", version: 66).total }
        try records.database.transaction { (connection) throws(OrgError) in
            _ = try records.insert(RecordInput([("Name", .text("a"))], of: accounts), accounts, connection)
            #expect(try count() == 0)
        }
        #expect(try count() == 1)
        #expect(throws: OrgError.storage) {
            try records.database.transaction { (connection) throws(OrgError) in
                _ = try records.insert(RecordInput([("Name", .text("b"))], of: accounts), accounts, connection)
                throw .storage
            }
        }
        #expect(try count() == 1)
    }

    @Test("rows that the server does not know are checked, and get their ids in all references to them later")
    func localRows() throws {
        let schema = try Self.schema()
        let (accounts, contacts) = (
            try #require(schema.object(named: "Account")), try #require(schema.object(named: "Contact"))
        )
        let records = try Store(.temporary("store"), schema: schema).records(by: Self.user)
        let checked = try records.checked(["Name": "Acme", "Employees__c": 5], of: accounts, isCreate: true)
        #expect(checked == ["Name": "Acme", "Employees__c": 5])
        for wrong: JSONObject in [
            [:], ["Name": "longer than eight"], ["Name": "a", "Nme": 1], ["Name": "a", "Id": "b"],
        ] {
            #expect(throws: OrgError.self) { try records.checked(wrong, of: accounts, isCreate: true) }
        }
        #expect(throws: OrgError.self) {
            try records.checked(["LastName": "a", "Account": ["Key__c": "b"]], of: contacts, isCreate: true)
        }
        let (local, server, child) = ("001zzz000000001AAA", "001000000000009AAA", "003000000000001AAA")
        let found = try records.database.transaction { (connection) throws(OrgError) in
            try records.put(local, checked, of: accounts, connection)
            try records.put(child, ["LastName": "a", "AccountId": JSONValue(local)], of: contacts, connection)
            try records.rename(local, to: server, of: accounts, connection)
            return try (
                records.fields(of: child, contacts, connection), records.fields(of: local, accounts, connection)
            )
        }
        #expect(found.0?["AccountId"]?.string == server && found.1 == nil)
        let total = try records.query("SELECT COUNT() FROM Contact WHERE Account.Employees__c = 5", version: 66).total
        #expect(total == 1)
        let copies = try records.database.transaction { (connection) throws(OrgError) in
            let page: [JSONObject] = [
                ["Id": JSONValue(server), "Name": "Acme"], ["Id": "001000000000008", "Name": "B"],
                ["Name": "other fields", "Id": "001000000000007"],
            ]
            var copier = try RecordCopier(for: page[0], of: accounts, connection)
            var isNew: [Bool?] = []
            for record in page + page { isNew.append(try copier.write(record)) }
            return isNew
        }
        #expect(copies == [false, true, nil, false, false, nil])
    }

    @Test("queries wait if there are more queries than readers")
    func moreQueriesThanReaders() throws {
        let records = try Store(.temporary("store"), schema: try Self.schema(), readers: 1).records(by: Self.user)
        let total = try records.database.read { (_) throws(OrgError) in
            try records.query("SELECT COUNT() FROM Account", version: 66).total
        }
        #expect(total == 0)
    }

    @Test("a file of another program is rejected and left unchanged")
    func foreign() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder + "/other.db"
            try SQLiteConnection(path: path).execute("CREATE TABLE Account (Name TEXT)")
            let error = #expect(throws: DatabaseError.self) { try Store(.file(path), schema: try Self.schema()) }
            #expect(error?.kind == .foreign)
        }
    }
}
