// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSync
import RestTesting
import RestTransport
import Testing

@Suite("Changes with a lost response, a rejection or a decision", .timeLimit(.minutes(2)))
struct SettlingTests {
    @Test("an edit during an update whose response is lost is no conflict with this update")
    func editDuringLostUpdate() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1", "Fax": "1"])
            let store = try await bed.filledCopy()
            try store.edit { try $0.update("Account", id: id, ["Phone": "2", "Fax": "2"]) }
            let once = Once()
            let client = try bed.client { name in
                guard name == "composite" else { return nil }
                await once.run {
                    try? store.edit { try $0.update("Account", id: id, ["Phone": "3"]) }
                    bed.org.faults.add(.closeAfterHandling, matching: "/composite")
                }
                return nil
            }
            await #expect(throws: SyncError.self) { try await store.sync(with: client) }
            // Another user changes a field that the lost update has set.
            try await bed.updateLater("Account", id, ["Fax": "9"])
            try await store.sync(with: client)
            let conflicts = try store.conflicts
            #expect(conflicts.flatMap(\.fields).map(\.name) == ["Fax"])
            #expect(try await bed.values("SELECT Phone FROM Account", "Phone") == ["3"])
            client.shutdown()
            store.close()
        }
    }

    @Test("a record whose creation has a lost response is not sent again over the changes of others")
    func changedAfterLostCreation() async throws {
        try await SyncBed.with { bed in
            let store = try await bed.filledCopy(keys: ["Account": "ExternalId__c"])
            try store.edit { try $0.create("Account", ["Name": "a", "Phone": "1"]) }
            let client = try bed.client { _ in nil }
            bed.org.faults.add(.closeAfterHandling, matching: "/composite/sobjects")
            await #expect(throws: SyncError.self) { try await store.sync(with: client) }
            let record = try #require(try await bed.client.records("SELECT Id FROM Account").collect(limit: 2).first)
            try await bed.update("Account", record.id ?? "", ["Phone": "9"])
            try await store.sync(with: client)
            #expect(try await bed.values("SELECT Phone FROM Account", "Phone") == ["9"])
            #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["9"])
            client.shutdown()
            store.close()
        }
    }

    @Test("a record whose creation has a lost response is found although its parent was deleted")
    func parentDeletedAfterLostCreation() async throws {
        try await SyncBed.with { bed in
            let parent = try await bed.create("Account", ["Name": "parent"])
            let store = try await bed.filledCopy()
            try store.edit { try $0.create("Account", ["Name": "a", "ParentId": JSONValue(parent)]) }
            let client = try bed.client { _ in nil }
            bed.org.faults.add(.closeAfterHandling, matching: "/composite/sobjects")
            await #expect(throws: SyncError.self) { try await store.sync(with: client) }
            _ = try await bed.client.send(.delete("Account", id: parent))
            try await store.sync(with: client)
            try await store.sync(with: client)
            #expect(try await bed.values("SELECT Name FROM Account") == ["a"])
            #expect(try store.values("SELECT ParentId FROM Account", "ParentId") == [nil])
            client.shutdown()
            store.close()
        }
    }

    @Test(
        "a new record is not created again if another user deletes it before the copy knows of its creation",
        arguments: [true, false])
    func deletedAfterLostCreation(hasKey: Bool) async throws {
        try await SyncBed.with { bed in
            let store = try await bed.filledCopy(keys: hasKey ? ["Account": "ExternalId__c"] : [:])
            try store.edit { try $0.create("Account", ["Name": "a", "Phone": "1"]) }
            let client = try bed.client { _ in nil }
            bed.org.faults.add(.closeAfterHandling, matching: "/composite/sobjects")
            await #expect(throws: SyncError.self) { try await store.sync(with: client) }
            let record = try #require(try await bed.client.records("SELECT Id FROM Account").collect(limit: 2).first)
            _ = try await bed.client.send(.delete("Account", id: record.id ?? ""))
            try await store.sync(with: client)
            #expect(try await bed.values("SELECT Name FROM Account") == [])
            if hasKey {
                #expect(try store.values("SELECT Name FROM Account") == [])
                #expect(try store.conflicts.isEmpty)
            } else {
                // Another user can have created and deleted the record, so the conflict keeps the values.
                let conflict = try #require(try store.conflicts.first)
                #expect(conflict.reason == .deletedOnServer)
                #expect(conflict.fields.contains { $0.name == "Phone" && $0.local == "1" })
                try store.resolve(conflict, with: .local)
                try await store.sync(with: client)
                #expect(try await bed.values("SELECT Phone FROM Account", "Phone") == ["1"])
                #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["1"])
            }
            client.shutdown()
            store.close()
        }
    }

    @Test(
        "a rejected update does not overwrite what others changed since, when it is sent again",
        arguments: [true, false])
    func changedAfterRejection(byEdit: Bool) async throws {
        try await SyncBed.with { bed in
            let parent = try await bed.create("Account", ["Name": "parent"])
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1"])
            let store = try await bed.filledCopy()
            try store.edit { try $0.update("Account", id: id, ["Phone": "2", "ParentId": JSONValue(parent)]) }
            _ = try await bed.client.send(.delete("Account", id: parent))
            try await store.sync(with: bed.client)
            let rejected = try #require(try store.conflicts.first)
            guard case .rejected = rejected.reason else {
                Issue.record("\(rejected)")
                return
            }
            try await bed.updateLater("Account", id, ["Phone": "3"])
            try await store.sync(with: bed.client)
            if byEdit {
                try store.edit { try $0.update("Account", id: id, ["ParentId": .null]) }
            } else {
                try store.resolve(rejected, with: .values(["ParentId": .null]))
            }
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Phone FROM Account", "Phone") == ["3"])
            let conflict = try #require(try store.conflicts.first)
            #expect(conflict.reason == .changedOnBothSides)
            #expect(conflict.fields.map(\.name) == ["Phone"] && conflict.fields.first?.server == "3")
            try store.resolve(conflict, with: .local)
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Phone FROM Account", "Phone") == ["2"])
            store.close()
        }
    }

    @Test("a copy sees that the org cleared a reference to a deleted record", arguments: [true, false])
    func clearedReferences(isSmall: Bool) async throws {
        try await SyncBed.with { bed in
            let parent = try await bed.create("Account", ["Name": "parent"])
            _ = try await bed.create("Account", ["Name": "a", "ParentId": JSONValue(parent)])
            let store = try await bed.copy(small: isSmall)
            try await store.pull("SELECT Name, ParentId FROM Account", with: bed.client)
            // Recent records are read again anyway.
            bed.pass(seconds: 7)
            try await store.sync(with: bed.client)
            _ = try await bed.client.send(.delete("Account", id: parent))
            try await store.sync(with: bed.client)
            #expect(try store.values("SELECT ParentId FROM Account", "ParentId") == [nil])
            _ = try await bed.client.send(.undelete(ids: [parent]))
            try await store.sync(with: bed.client)
            #expect(try store.values("SELECT ParentId FROM Account WHERE Name = 'a'", "ParentId") == [parent])
            store.close()
        }
    }

    @Test("a record that left its subset leaves the copy after a decision about its conflict")
    func leavesAfterDecision() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1", "Fax": "in"])
            let store = try await bed.copy()
            try await store.pull("SELECT Name, Phone, Fax FROM Account WHERE Fax = 'in'", with: bed.client)
            try store.edit { try $0.update("Account", id: id, ["Phone": "2"]) }
            try await bed.update("Account", id, ["Phone": "3"])
            try await store.sync(with: bed.client)
            let conflict = try #require(try store.conflicts.first)
            try await bed.update("Account", id, ["Fax": "out"])
            try await store.sync(with: bed.client)
            #expect(try store.values("SELECT Name FROM Account") == ["a"])
            try store.resolve(conflict, with: .server)
            try await store.sync(with: bed.client)
            #expect(try store.values("SELECT Name FROM Account").isEmpty)
            store.close()
        }
    }

    @Test("a rejected change does not replace a conflict of the same record")
    func rejectedAfterConflict() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1"])
            _ = try await bed.create("Account", ["Name": "b", "ExternalId__c": "taken"])
            let store = try await bed.filledCopy()
            try store.edit { try $0.update("Account", id: id, ["Phone": "2", "ExternalId__c": "taken"]) }
            try await bed.update("Account", id, ["Phone": "3"])
            #expect(try await store.sync(with: bed.client).conflicts == 1)
            let fields = try store.conflicts.flatMap(\.fields)
            #expect(Set(fields.map(\.name)) == ["Phone", "ExternalId__c"])
            try store.edit { try $0.update("Account", id: id, ["ExternalId__c": "free"]) }
            try await store.sync(with: bed.client)
            let phone = try #require(try store.conflicts.first?.fields.first)
            #expect(phone.name == "Phone" && phone.local == "2" && phone.server == "3")
            store.close()
        }
    }

    @Test("a record whose creation was rejected can be deleted")
    func deletesRejectedCreation() async throws {
        try await SyncBed.with { bed in
            _ = try await bed.create("Account", ["Name": "b", "ExternalId__c": "taken"])
            let store = try await bed.filledCopy()
            let id = try store.edit { try $0.create("Account", ["Name": "a", "ExternalId__c": "taken"]) }
            #expect(try await store.sync(with: bed.client).conflicts == 1)
            try store.edit { try $0.delete("Account", id: id) }
            #expect(try await store.sync(with: bed.client).pending == 0)
            #expect(try store.conflicts.isEmpty)
            #expect(try store.values("SELECT Name FROM Account") == ["b"])
            store.close()
        }
    }

    @Test("a deletion that is given up shows the server's latest values")
    func givesUpDeletion() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1"])
            let store = try await bed.filledCopy()
            try store.edit { try $0.delete("Account", id: id) }
            try await bed.updateLater("Account", id, ["Phone": "2"])
            #expect(try await store.sync(with: bed.client).conflicts == 1)
            try await bed.updateLater("Account", id, ["Phone": "3"])
            #expect(try await store.sync(with: bed.client).conflicts == 0)
            for conflict in try store.conflicts { try store.resolve(conflict, with: .server) }
            #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["3"])
            store.close()
        }
    }
}
