// SPDX-License-Identifier: Apache-2.0

import OrgModels
import RestJSON
import RestModels
import RestSync
import RestTesting
import Testing

@Suite("A copy without a network")
struct SyncStoreTests {
    private func withStore(_ body: (SyncStore, String) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("copy")
        let store = try await SyncStore.open(path, schema: SyncSchema(describe: SyncBed.describe))
        try await body(store, path)
        store.close()
    }

    @Test("records are created, changed and deleted together with the outbox, and queried with SOQL and models")
    func edits() async throws {
        try await withStore { store, path in
            let (account, contact) = try store.edit { edit in
                let account = try edit.create("Account", ["Name": "Acme", "NumberOfEmployees": 5])
                return (account, try edit.create("Contact", ["LastName": "Ito", "AccountId": JSONValue(account)]))
            }
            #expect(account.hasPrefix("001zzz") && account.utf8.count == 18)
            let joined = try store.query(
                "SELECT LastName, Account.Name FROM Contact WHERE Account.NumberOfEmployees > 4")
            #expect(joined.first?["Account"]?["Name"] == "Acme" && joined.count == 1)
            var found = try #require(
                try store.query(Account.self, select: \.name, \.phone, where: \.name == "acme").first)
            found.phone = "5"
            try store.edit { try $0.update(found) }
            #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["5"])
            try store.edit { try $0.delete("Contact", id: contact) }
            #expect(try store.count("SELECT COUNT() FROM Contact") == 0)
            // The deleted contact never reaches the server, and the edit belongs to the creation.
            #expect(try store.pendingCount == 1)
            #expect(try store.pendingRecords == [account])
            store.close()
            let again = try await SyncStore.open(path)
            #expect(try again.values("SELECT Name FROM Account") == ["Acme"])
            #expect(try again.pendingCount == 1)
            again.close()
        }
    }

    @Test("an edit that fails leaves nothing behind, and invalid edits and queries have Salesforce's codes")
    func errors() async throws {
        try await withStore { store, _ in
            let wrong: [(SyncError.Code, (SyncEdit) throws -> Void)] = [
                (.invalid, { try $0.create("Account", [:]) }), (.invalid, { try $0.create("Nothing", ["Name": "a"]) }),
                (.invalid, { try $0.create("Account", ["Name": "a", "Nme": 1]) }),
                (.invalid, { try $0.create("Account", ["Name": 5]) }),
                (.invalid, { try $0.create("Contact", ["LastName": "a", "Account": ["ExternalId__c": "x"]]) }),
                (.notFound, { try $0.update("Account", id: "001000000000001AAA", ["Name": "a"]) }),
                (.notFound, { try $0.delete("Account", id: "001000000000001AAA") }),
            ]
            for (code, body) in wrong {
                let error = #expect(throws: SyncError.self) {
                    try store.edit { edit in
                        try edit.create("Account", ["Name": "rolled back"])
                        try body(edit)
                    }
                }
                #expect(error?.code == code)
            }
            let (count, pending) = (try store.count("SELECT COUNT() FROM Account"), try store.pendingCount)
            #expect(count == 0 && pending == 0)
            #expect(throws: SyncError.self) { try store.query("SELECT Nme FROM Account") }
        }
    }

    @Test("one store opens a file, and a file of another program is not changed")
    func files() async throws {
        try await withStore { _, path in
            await #expect(throws: SyncError.self) { try await SyncStore.open(path) }
        }
        let folder = try TemporaryDirectory()
        let error = await #expect(throws: SyncError.self) { try await SyncStore.open(folder.path("new")) }
        #expect(error?.code == .schema)
    }

    @Test("an observer gets the records now, and again after a commit that changes them")
    func observers() async throws {
        try await withStore { store, _ in
            var names = try store.observe("SELECT Name FROM Account ORDER BY Name").makeAsyncIterator()
            #expect(await names.next()?.isEmpty == true)
            try store.edit { try $0.create("Account", ["Name": "b"]) }
            #expect(await names.next()?.map { $0["Name"] } == ["b"])
            try store.edit { try $0.create("Contact", ["LastName": "unrelated"]) }
            try store.edit { try $0.create("Account", ["Name": "a"]) }
            #expect(await names.next()?.map { $0["Name"] } == ["a", "b"])
            store.close()
            #expect(await names.next() == nil)
        }
    }
}
