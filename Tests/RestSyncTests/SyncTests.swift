// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSync
import RestTesting
import Testing

@Suite("Syncs with the embedded org", .timeLimit(.minutes(2)))
struct SyncTests {
    @Test("a pull fills the copy, edits on both sides meet in one sync, and the next sync has nothing to do")
    func roundTrip() async throws {
        try await SyncBed.with { bed in
            let acme = try await bed.create("Account", ["Name": "Acme", "Phone": "1", "NumberOfEmployees": 3])
            _ = try await bed.create("Contact", ["LastName": "Roe", "AccountId": JSONValue(acme)])
            let store = try await bed.filledCopy()
            #expect(try store.query(SyncBed.all).first?["Contacts"]?["records"]?[0]?["LastName"] == "Roe")
            let created = try store.edit { edit in
                try edit.update("Account", id: acme, ["Phone": "5"])
                let account = try edit.create("Account", ["Name": "New"])
                try edit.create("Contact", ["LastName": "Ito", "AccountId": JSONValue(account)])
                return account
            }
            try await bed.update("Account", acme, ["Fax": "9"])
            let report = try await store.sync(with: bed.client)
            #expect(report.created == 2 && report.updated == 1 && report.conflicts == 0 && report.pending == 0)
            #expect(try await bed.values("SELECT Phone FROM Account WHERE Fax = '9'", "Phone") == ["5"])
            #expect(try store.values("SELECT Fax FROM Account WHERE Phone = '5'", "Fax") == ["9"])
            #expect(try await bed.values("SELECT Name FROM Account ORDER BY Name") == ["Acme", "New"])
            let ito = try await bed.client.records("SELECT Account.Name FROM Contact WHERE LastName = 'Ito'").collect(
                limit: 2)
            #expect(ito.first?["Account"]?["Name"] == "New")
            // The temporary id still identifies the record.
            try store.edit { try $0.update("Account", id: created, ["Phone": "7"]) }
            let current = try store.currentID(of: created)
            #expect(current != created)
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Phone FROM Account WHERE Name = 'New'", "Phone") == ["7"])
            let idle = try await store.sync(with: bed.client)
            // One request for each object, and another one while a change with the same stamp is still possible.
            #expect((2...4).contains(idle.requests) && idle.pulled == 0 && idle.removed == 0)
            store.close()
        }
    }

    @Test("a conflict is listed until it is resolved, for either side or with other values")
    func conflicts() async throws {
        try await SyncBed.with { bed in
            var ids: [String] = []
            for name in ["a", "b", "c"] {
                ids.append(try await bed.create("Account", ["Name": JSONValue(name), "Phone": "1"]))
            }
            let store = try await bed.filledCopy()
            try store.edit { edit in for id in ids { try edit.update("Account", id: id, ["Phone": "5", "Fax": "2"]) } }
            for id in ids { try await bed.update("Account", id, ["Phone": "9"]) }
            let report = try await store.sync(with: bed.client)
            #expect(report.conflicts == 3 && report.updated == 3)
            let conflicts = try store.conflicts
            for field in conflicts.flatMap(\.fields) {
                #expect(field.name == "Phone" && field.base == "1" && field.local == "5" && field.server == "9")
            }
            // Fields without a conflict were sent.
            #expect(try await bed.values("SELECT Fax FROM Account WHERE Phone = '9'", "Fax") == ["2", "2", "2"])
            #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["5", "5", "5"])
            let again = try await store.sync(with: bed.client)
            #expect(again.conflicts == 0 && again.updated == 0)
            for (conflict, resolution) in zip(
                conflicts, [.server, .local, .values(["Phone": "7"])] as [SyncConflict.Resolution])
            {
                try store.resolve(conflict, with: resolution)
            }
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Phone FROM Account ORDER BY Name", "Phone") == ["9", "5", "7"])
            #expect(try store.values("SELECT Phone FROM Account ORDER BY Name", "Phone") == ["9", "5", "7"])
            #expect(try store.conflicts.isEmpty)
            #expect(try store.pendingCount == 0)
            store.close()
        }
    }

    @Test("records that were deleted on one side and changed on the other are conflicts")
    func deletions() async throws {
        try await SyncBed.with { bed in
            var ids: [String] = []
            for name in ["a", "b", "c", "d"] { ids.append(try await bed.create("Account", ["Name": JSONValue(name)])) }
            let store = try await bed.filledCopy()
            try store.edit { edit in
                try edit.update("Account", id: ids[0], ["Phone": "5"])
                try edit.update("Account", id: ids[1], ["Phone": "6"])
                try edit.delete("Account", id: ids[2])
                try edit.delete("Account", id: ids[3])
            }
            for id in ids[..<2] { _ = try await bed.client.send(.delete("Account", id: id)) }
            try await bed.updateLater("Account", ids[2], ["Phone": "7"])
            let report = try await store.sync(with: bed.client)
            #expect(report.conflicts == 3 && report.deleted == 1)
            let conflicts = try store.conflicts.sorted { $0.recordID < $1.recordID }
            #expect(
                conflicts.map(\.reason) == [.deletedOnServer, .deletedOnServer, .changedOnServerDeletedHere])
            #expect(try await bed.values("SELECT Name FROM Account") == ["c"])
            try store.resolve(conflicts[0], with: .server)
            try store.resolve(conflicts[1], with: .local)
            try store.resolve(conflicts[2], with: .server)
            #expect(try store.values("SELECT Name FROM Account ORDER BY Name") == ["b", "c"])
            try await store.sync(with: bed.client)
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Phone FROM Account ORDER BY Name", "Phone") == ["6", "7"])
            #expect(try store.values("SELECT Phone FROM Account ORDER BY Name", "Phone") == ["6", "7"])
            store.close()
        }
    }

    @Test("a change that the server rejects is a conflict with the server's code, and an edit corrects it")
    func rejected() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "ExternalId__c": "taken"])
            let other = try await bed.create("Account", ["Name": "b"])
            let store = try await bed.filledCopy()
            _ = id
            try store.edit { try $0.update("Account", id: other, ["AccountNumber": "5"]) }
            try await bed.update("Account", other, ["ExternalId__c": "own"])
            try await store.sync(with: bed.client)
            let fresh = try await bed.create("Account", ["Name": "c", "ExternalId__c": "later"])
            try store.edit { try $0.update("Account", id: other, ["ExternalId__c": "later"]) }
            try await store.sync(with: bed.client)
            let conflict = try #require(try store.conflicts.first)
            guard case .rejected(let code, _) = conflict.reason else {
                Issue.record("\(conflict)")
                return
            }
            #expect(code == "DUPLICATE_VALUE" && conflict.recordID == other && fresh != other)
            try store.edit { try $0.update("Account", id: other, ["ExternalId__c": "free"]) }
            #expect(try store.conflicts.isEmpty)
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Name FROM Account WHERE ExternalId__c = 'free'") == ["b"])
            store.close()
        }
    }

    @Test("a subset that was added without a network is read by the next sync, and only once")
    func addedSubset() async throws {
        try await SyncBed.with { bed in
            _ = try await bed.create("Account", ["Name": "a"])
            let store = try await bed.copy()
            try store.add(SyncBed.all)
            try store.add(SyncBed.all)
            #expect(throws: SyncError.self) { try store.add("SELECT Nme FROM Account") }
            let first = try await store.sync(with: bed.client)
            let second = try await store.sync(with: bed.client)
            // One request for each object, and one for a record that is so new that its stamp is uncertain.
            #expect(first.pulled == 1 && second.pulled == 0 && second.requests <= 3)
            #expect(try store.values("SELECT Name FROM Account") == ["a"])
        }
    }

    @Test("records of overlapping subsets stay until no subset contains them, and a subset can be removed")
    func subsets() async throws {
        try await SyncBed.with { bed in
            for name in ["a", "b", "c"] {
                _ = try await bed.create("Account", ["Name": JSONValue(name), "Phone": "1"])
            }
            let store = try await bed.copy()
            let (first, second): (SOQL, SOQL) = (
                "SELECT Name, Phone FROM Account WHERE Name < 'c'", "SELECT Name, Fax FROM Account WHERE Name > 'a'"
            )
            try await store.pull(first, with: bed.client)
            try await store.pull(second, with: bed.client)
            #expect(try store.values("SELECT Name FROM Account ORDER BY Name") == ["a", "b", "c"])
            // Every record has the fields of all subsets of its object.
            try await store.sync(with: bed.client)
            #expect(try store.count("SELECT COUNT() FROM Account WHERE Phone = '1'") == 3)
            try store.remove(second)
            #expect(try store.values("SELECT Name FROM Account ORDER BY Name") == ["a", "b"])
            store.close()
        }
    }

    @Test("a large pull is read in pages and later in windows, which find changes, deletions and leavers")
    func windows() async throws {
        try await SyncBed.with { bed in
            let names = (0..<210).map { String($0 + 10_000) }
            let drafts = names.map { Record.Draft("Account", ["Name": JSONValue($0), "Phone": "1"]) }
            let ids = try await bed.client.createAll(drafts).get()
            let store = try await bed.copy(small: true)
            try await store.pull("SELECT Name, Phone FROM Account WHERE Phone = '1'", with: bed.client)
            #expect(try store.count("SELECT COUNT() FROM Account") == 210)
            let idle = try await store.sync(with: bed.client)
            // All records are in the overlap: two pages, and the count.
            #expect(idle.requests == 3)
            try await bed.update("Account", ids[0], ["Name": "changed"])
            try await bed.update("Account", ids[1], ["Phone": "2"])
            _ = try await bed.client.send(.delete("Account", id: ids[2]))
            _ = try await bed.create("Account", ["Name": "new", "Phone": "1"])
            try await store.sync(with: bed.client)
            #expect(try store.count("SELECT COUNT() FROM Account") == 209)
            #expect(
                try store.values("SELECT Name FROM Account WHERE Name IN ('changed', 'new') ORDER BY Name") == [
                    "changed", "new",
                ])
            #expect(try store.count("SELECT COUNT() FROM Account WHERE Name IN ('10001', '10002')") == 0)
            store.close()
        }
    }

    @Test("a record that the app restores is not in conflict again, although a window shows its deletion once more")
    func restored() async throws {
        try await SyncBed.with { bed in
            let drafts = (0..<110).map { Record.Draft("Account", ["Name": JSONValue("\($0)")]) }
            let ids = try await bed.client.createAll(drafts).get()
            let store = try await bed.copy(small: true)
            try await store.pull("SELECT Name, Phone FROM Account", with: bed.client)
            _ = try await bed.client.send(.delete("Account", id: ids[0]))
            try store.edit { try $0.update("Account", id: ids[0], ["Phone": "5"]) }
            #expect(try await store.sync(with: bed.client).conflicts == 1)
            let conflict = try #require(try store.conflicts.first)
            #expect(conflict.reason == .deletedOnServer)
            try store.resolve(conflict, with: .local)
            let report = try await store.sync(with: bed.client)
            #expect(report.conflicts == 0 && report.updated == 1)
            #expect(try await bed.values("SELECT Phone FROM Account WHERE Name = '0'", "Phone") == ["5"])
            store.close()
        }
    }

    @Test("a record that was merged into another one is a conflict, and its edit can go to the other one")
    func merged() async throws {
        try await SyncBed.with { bed in
            var ids: [String] = []
            for name in ["a", "b"] { ids.append(try await bed.create("Account", ["Name": JSONValue(name)])) }
            let store = try await bed.filledCopy()
            try store.edit { try $0.update("Account", id: ids[1], ["Phone": "5"]) }
            _ = try await bed.client.send(.merge("Account", ids: [ids[1]], into: ids[0]))
            #expect(try await store.sync(with: bed.client).conflicts == 1)
            let conflict = try #require(try store.conflicts.first)
            #expect(conflict.reason == .merged(into: ids[0]))
            try store.resolve(conflict, with: .local)
            #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["5"])
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Phone FROM Account", "Phone") == ["5"])
            #expect(try store.values("SELECT Name FROM Account WHERE Phone = '5'") == ["a"])
            store.close()
        }
    }

    @Test("a copy belongs to one user of one org, and two syncs cannot run at the same time")
    func owners() async throws {
        try await SyncBed.with { bed in
            let store = try await bed.filledCopy()
            let other = try await LocalOrg.start(LocalOrgConfiguration(seed: 5))
            let client = try RestClient(
                loginURL: other.instanceURL, clientID: other.clientID, clientSecret: Secret(other.clientSecret))
            let error = await #expect(throws: SyncError.self) { try await store.sync(with: client) }
            #expect(error?.code == .foreign)
            client.shutdown()
            await other.stop()
            let busy = try bed.client { _ in
                let error = await #expect(throws: SyncError.self) { try await store.sync(with: bed.client) }
                #expect(error?.code == .busy)
                return nil
            }
            try await store.sync(with: busy)
            busy.shutdown()
            store.close()
        }
    }
}
