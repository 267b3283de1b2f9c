// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore
import Testing

@testable import EmbeddedOrg

@Suite("Deleting related records")
struct DeletionTests {
    private static let lines = InvoiceSchema.json.replacing(
        #""relationshipName":"Invoice__r","#, with: #""relationshipName":"Invoice__r","cascadeDelete":true,"#
    ).replacing(
        #""relationshipName":"Customer__r"}"#, with: #""relationshipName":"Customer__r","restrictedDelete":true}"#)

    private func store(_ client: OrgClient) -> RecordStore {
        var store = client.org.service.router.records.store
        store.database = Database(client.org.service.router.shared, .full)
        return store
    }

    private func delete(_ client: OrgClient, _ object: String, _ id: String) throws -> RawClient.Response {
        try client.send("DELETE", "\(OrgClient.data)/sobjects/\(object)/\(id)")
    }

    private func count(_ client: OrgClient, _ text: String, all: Bool = false) throws -> Int? {
        try client.query("SELECT COUNT() FROM \(text)", resource: all ? "queryAll" : "query").json["totalSize"]?.int
    }

    @Test("an account deletes and restores its dependent records, and other references are cleared until then")
    func account() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"Top"}"#)
        let child = try client.create("Account", #"{"Name":"Below","ParentId":"\#(account)"}"#)
        let contact = try client.create("Contact", #"{"LastName":"x","AccountId":"\#(account)"}"#)
        let report = try client.create("Contact", #"{"LastName":"y","ReportsToId":"\#(contact)"}"#)
        let task = try client.create("Task", #"{"Subject":"t","WhoId":"\#(contact)"}"#)
        let file = try client.create("Attachment", #"{"Name":"a","ParentId":"\#(task)","Body":"AAEC"}"#)
        let ids = [("Account", account), ("Contact", contact), ("Task", task), ("Attachment", file)]
        #expect(try delete(client, "Account", account).status == 204)
        for (object, id) in ids {
            #expect(try client.get("/sobjects/\(object)/\(id)").errorCode == "ENTITY_IS_DELETED", "\(object)")
            #expect(try count(client, "\(object) WHERE Id = '\(id)' AND IsDeleted = true", all: true) == 1)
        }
        #expect(try client.get("/sobjects/Account/\(child)").json["ParentId"] == .null)
        #expect(try client.get("/sobjects/Contact/\(report)").json["ReportsToId"] == .null)
        let contacts = try #require(store(client).schema.object(named: "Contact"))
        let accounts = try #require(store(client).schema.object(named: "Account"))
        let inside = #expect(throws: OrgError.self) { try store(client).undelete(contact, of: contacts) }
        #expect(inside?.code == "UNDELETE_FAILED")
        try store(client).undelete(account, of: accounts)
        for (object, id) in ids { #expect(try client.get("/sobjects/\(object)/\(id)").status == 200, "\(object)") }
        #expect(try client.get("/sobjects/Attachment/\(file)/Body").body == [0, 1, 2])
        #expect(try client.get("/sobjects/Account/\(child)").json["ParentId"]?.string == account)
        #expect(try client.get("/sobjects/Contact/\(report)").json["ReportsToId"]?.string == contact)
        #expect(throws: OrgError.notInBin) { try store(client).undelete(account, of: accounts) }
    }

    @Test("a record with restricting references is kept, with its children, and the message names the references")
    func restricted() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"Held"}"#)
        let contact = try client.create("Contact", #"{"LastName":"Holder","AccountId":"\#(account)"}"#)
        let ticket = try client.create("Case", #"{"ContactId":"\#(contact)"}"#)
        let number = try client.get("/sobjects/Case/\(ticket)").json["CaseNumber"]?.string ?? ""
        for (object, id, name) in [("Account", account, "Held"), ("Contact", contact, "Holder")] {
            let refused = try delete(client, object, id)
            #expect(refused.status == 400 && refused.errorCode == "DELETE_FAILED")
            #expect(
                refused.json[0]?["message"]?.string
                    == "Your attempt to delete \(name) could not be completed because it is associated with the following "
                    + "cases.: \(number)\n", "\(refused.text)")
        }
        #expect(try client.get("/sobjects/Contact/\(contact)").status == 200)
        #expect(try delete(client, "Case", ticket).status == 204)
        let won = try client.create(
            "Opportunity",
            #"{"Name":"Deal","StageName":"Closed Won","CloseDate":"2026-03-01","AccountId":"\#(account)"}"#)
        let refused = try delete(client, "Account", account)
        #expect(refused.errorCode == "DELETE_FAILED" && refused.text.contains("were closed won"), "\(refused.text)")
        #expect(try delete(client, "Opportunity", won).status == 204)
        #expect(try delete(client, "Account", account).status == 204)
        for (object, id) in [
            ("User", client.org.userID), ("Organization", client.org.organizationID), ("RecordType", "012bZ0000000001"),
        ] {
            #expect(try delete(client, object, id).errorCode == "METHOD_NOT_ALLOWED", "\(object)")
        }
    }

    @Test("described objects cascade and restrict deletions as their descriptions say")
    func described() async throws {
        let client = try await OrgClient.start(try InvoiceSchema.configuration(Self.lines))
        let account = try client.create("Account", #"{"Name":"Buyer"}"#)
        let invoice = try client.create("Invoice__c", #"{"Total__c":1,"Customer__c":"\#(account)"}"#)
        let line = try client.create("Line__c", #"{"Name":"l","Invoice__c":"\#(invoice)"}"#)
        let early = try client.create("Line__c", #"{"Name":"m","Invoice__c":"\#(invoice)"}"#)
        let describe = try client.get("/sobjects/Line__c/describe").json["fields"]?.array ?? []
        #expect(describe.first { $0["name"] == "Invoice__c" }?["cascadeDelete"] == true)
        let children = try client.get("/sobjects/Account/describe").json["childRelationships"]?.array ?? []
        #expect(children.first { $0["childSObject"] == "Invoice__c" }?["restrictedDelete"] == true)
        #expect(children.first { $0["childSObject"] == "Contact" }?["cascadeDelete"] == true)
        let refused = try delete(client, "Account", account)
        #expect(refused.text.contains("associated with the following invoices.: 0000000"), "\(refused.text)")
        #expect(try delete(client, "Line__c", early).status == 204)
        #expect(try delete(client, "Invoice__c", invoice).status == 204)
        #expect(try client.get("/sobjects/Line__c/\(line)").errorCode == "ENTITY_IS_DELETED")
        let (invoices, kinds) = (
            try #require(store(client).schema.object(named: "Invoice__c")),
            try #require(store(client).schema.object(named: "Line__c"))
        )
        #expect(throws: OrgError.notInBin) { try store(client).undelete(early, of: kinds) }
        try store(client).undelete(invoice, of: invoices)
        #expect(try count(client, "Line__c") == 1)
        try store(client).undelete(early, of: kinds)
        #expect(try count(client, "Line__c") == 2)
    }

    @Test("a record whose unique value is in use again cannot be restored")
    func unique() async throws {
        let client = try await OrgClient.start()
        let first = try client.create("Account", #"{"Name":"a","ExternalId__c":"U"}"#)
        #expect(try delete(client, "Account", first).status == 204)
        _ = try client.create("Account", #"{"Name":"b","ExternalId__c":"U"}"#)
        let accounts = try #require(store(client).schema.object(named: "Account"))
        let refused = #expect(throws: OrgError.self) { try store(client).undelete(first, of: accounts) }
        #expect(refused?.code == "DUPLICATE_VALUE")
        #expect(try client.get("/sobjects/Account/\(first)").errorCode == "ENTITY_IS_DELETED")
    }

    @Test("purging a record from the recycle bin also purges what was deleted with it, and its files")
    func purge() async throws {
        let client = try await OrgClient.start()
        let file = try client.create("ContentVersion", #"{"PathOnClient":"a.txt","VersionData":"AAEC"}"#)
        _ = try client.create("ContentVersion", #"{"PathOnClient":"b.txt","VersionData":"AAEC"}"#)
        let document = try client.get("/sobjects/ContentVersion/\(file)").json["ContentDocumentId"]?.string ?? ""
        let store = store(client)
        let documents = try #require(store.schema.object(named: "ContentDocument"))
        #expect(try delete(client, "ContentDocument", document).status == 204)
        #expect(try count(client, "ContentVersion WHERE Id = '\(file)'", all: true) == 1)
        try store.purge(document, of: documents)
        #expect(try count(client, "ContentVersion WHERE Id = '\(file)'", all: true) == 0)
        #expect(throws: OrgError.notInBin) { try store.undelete(document, of: documents) }
        let blobs = try store.database.read { (connection) throws(OrgError) in
            try OrgError.wrapping { () throws(DatabaseError) in
                var count: Int64 = 0
                let sql = "SELECT count(*) FROM \"org.File\" WHERE \"Record\" = ?1"
                try connection.rows(sql, [.text(file)]) { count = $0.integer(0) }
                return count
            }
        }
        #expect(blobs == 0)
        let accounts = try #require(store.schema.object(named: "Account"))
        let account = try client.create("Account", #"{"Name":"a"}"#)
        _ = try client.create("Account", #"{"Name":"b"}"#)
        try store.delete(account, of: accounts, isFinal: true)
        #expect(try count(client, "Account WHERE Id = '\(account)'", all: true) == 0)
    }

    @Test(
        "an account with 30,000 contacts is deleted and restored completely, at a linear cost",
        .timeLimit(.minutes(2)))
    func large() async throws {
        let client = try await OrgClient.start()
        let accounts = try #require(store(client).schema.object(named: "Account"))
        let factor = try Growth.factor(from: 2_500) { count in
            let account = try client.create("Account", #"{"Name":"Large"}"#)
            try fill(client, account, count)
            try store(client).delete(account, of: accounts)
        }
        #expect(factor < 9)
        let account = try client.create("Account", #"{"Name":"Larger"}"#)
        try fill(client, account, 30_000)
        #expect(try delete(client, "Account", account).status == 204)
        let deleted = "Contact WHERE AccountId = '\(account)' AND IsDeleted = true"
        #expect(try count(client, deleted, all: true) == 30_000)
        try store(client).undelete(account, of: accounts)
        #expect(try count(client, "Contact WHERE AccountId = '\(account)'") == 30_000)
    }

    /// Adds `count` contacts to an account without the API.
    private func fill(_ client: OrgClient, _ account: String, _ count: Int) throws {
        try store(client).database.write { (connection) throws(OrgError) in
            try OrgError.wrapping { () throws(DatabaseError) in
                try connection.run(
                    """
                    WITH RECURSIVE n(i) AS (SELECT max(rowid) + 1 FROM "Contact" UNION ALL SELECT i + 1 FROM n LIMIT ?2)
                    INSERT INTO "Contact" (rowid, "Id", "LastName", "Name", "AccountId", "OwnerId", "IsDeleted",
                    "CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp")
                    SELECT i, '003bZ' || printf('%013d', i), 'x', 'x', ?1, ?3, 0, ?4, ?3, ?4, ?3, ?4 FROM n
                    """,
                    [
                        .text(account), .integer(Int64(count)), .text(client.org.userID),
                        .text("2026-01-01T00:00:00.000+0000"),
                    ])
            }
        }
    }
}

@Suite("The size of an org with deleted records")
struct GrowthTests {
    private func churn(_ client: OrgClient, _ rounds: Int) throws {
        let records = (0..<100).map { number in
            #"{"attributes":{"type":"Contact"},"LastName":"\#(number)","Description":"\#(String(repeating: "x", count: 300))"}"#
        }
        let body = #"{"records":[\#(records.joined(separator: ","))]}"#
        for _ in 0..<rounds {
            let made = try client.send("POST", "\(OrgClient.data)/composite/sobjects", body: body).json.array ?? []
            let ids = made.compactMap { $0["id"]?.string }
            #expect(ids.count == 100)
            let list = ids.joined(separator: ",")
            let gone = try client.send("DELETE", "\(OrgClient.data)/composite/sobjects?ids=\(list)").json.array ?? []
            #expect(gone.count { $0["success"]?.bool == true } == 100)
        }
    }

    @Test("deleted records leave at most a full recycle bin, and no record number is used twice")
    func bin() async throws {
        try await withTemporaryDirectory { folder in
            var configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            configuration.recycleBinCapacity = 50
            let client = try await OrgClient.start(configuration)
            let file = try SQLiteConnection(path: folder + "/org.db")
            func pages() throws -> Int64 {
                var pages: Int64 = 0
                try file.rows("PRAGMA page_count") { pages = $0.integer(0) }
                return pages
            }
            try churn(client, 2)
            let before = try pages()
            try churn(client, 4)
            #expect(try pages() <= before + before / 10)
            let left = try client.query("SELECT COUNT() FROM Contact WHERE IsDeleted = true", resource: "queryAll")
            #expect((50...150).contains(left.json["totalSize"]?.int ?? 0))
            let newest = try client.query(
                "SELECT Id FROM Contact WHERE IsDeleted = true ORDER BY Id DESC LIMIT 1", resource: "queryAll")
            let next = try client.create("Contact", #"{"LastName":"next"}"#)
            #expect(try next > #require(newest.json["records"]?[0]?["Id"]?.string))
        }
    }
}
