// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSync
import RestTesting
import RestTransport
import Synchronization
import Testing

/// The ways in which the reference SDK loses, doubles or hides data.
///
/// Each test fails if the defect is put back.
@Suite("Defects of other syncs", .timeLimit(.minutes(2)))
struct DefectTests {
    @Test("1: an edit made while the record is being sent is lost")
    func editInFlight() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1", "Fax": "1"])
            let store = try await bed.filledCopy()
            try store.edit { try $0.update("Account", id: id, ["Phone": "2"]) }
            let created = try store.edit { try $0.create("Account", ["Name": "new"]) }
            let (update, create) = (Once(), Once())
            let client = try bed.client { name in
                if name == "composite" {
                    await update.run {
                        try? store.edit { try $0.update("Account", id: id, ["Phone": "3", "Fax": "3"]) }
                    }
                }
                if name == "createAll" {
                    await create.run { try? store.edit { try $0.update("Account", id: created, ["Phone": "4"]) } }
                }
                return nil
            }
            let report = try await store.sync(with: client)
            #expect(report.pending == 0 && report.conflicts == 0)
            let query: SOQL = "SELECT Phone FROM Account ORDER BY Name"
            #expect(try await bed.values(query, "Phone") == ["3", "4"])
            #expect(try await bed.values("SELECT Fax FROM Account WHERE Name = 'a'", "Fax") == ["3"])
            #expect(try store.values(query, "Phone") == ["3", "4"])
            client.shutdown()
            store.close()
        }
    }

    @Test(
        "2: a create is doubled after a lost response and the end of the process",
        arguments: [[:], ["Account": "AccountNumber"], ["Account": "ExternalId__c"]])
    func doubledCreate(keys: [String: String]) async throws {
        try await SyncBed.with { bed in
            let store = try await bed.filledCopy(keys: keys)
            let created = try store.edit { edit in
                try edit.create("Account", ["Name": "twin", "Phone": "1"])
                return try edit.create("Account", ["Name": "twin", "Phone": "1"])
            }
            let client = try bed.client { _ in nil }
            bed.org.faults.add(.closeAfterHandling, matching: "/composite/sobjects")
            let error = await #expect(throws: SyncError.self) { try await store.sync(with: client) }
            #expect(error?.code == .request)
            // An edit after the lost response belongs to the record too.
            try store.edit { try $0.update("Account", id: created, ["Fax": "9"]) }
            store.close()
            let again = try await bed.copy(keys: keys)
            try await again.sync(with: client)
            try await again.sync(with: client)
            #expect(try await bed.values("SELECT Name FROM Account") == ["twin", "twin"])
            #expect(try await bed.values("SELECT Name FROM Account WHERE Fax = '9'") == ["twin"])
            #expect(try again.values("SELECT Name FROM Account") == ["twin", "twin"])
            let pending = try again.pendingCount
            #expect(pending == 0)
            client.shutdown()
            again.close()
        }
    }

    @Test("3: a second change within the same second is never read")
    func missedChanges() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "0"])
            for isSmall in [false, true] {
                let store = try await bed.copy("copy \(isSmall)", small: isSmall)
                try await store.pull("SELECT Name, Phone FROM Account", with: bed.client)
                for number in 1...4 {
                    try await bed.update("Account", id, ["Phone": JSONValue("\(number)")])
                    try await store.sync(with: bed.client)
                    #expect(try store.values("SELECT Phone FROM Account", "Phone") == ["\(number)"])
                }
                store.close()
            }
        }
    }

    @Test("4: another client's change between the check and the write is overwritten")
    func overwritten() async throws {
        try await SyncBed.with { bed in
            var ids: [String] = []
            for name in ["a", "b"] {
                ids.append(try await bed.create("Account", ["Name": JSONValue(name), "Phone": "1"]))
            }
            let (first, second) = (ids[0], ids[1])
            let store = try await bed.filledCopy()
            try store.edit { edit in for id in ids { try edit.update("Account", id: id, ["Phone": "2"]) } }
            let once = Once()
            let client = try bed.client { name in
                if name == "composite" {
                    try await once.run {
                        try await bed.updateLater("Account", first, ["Phone": "9"])
                        try await bed.updateLater("Account", second, ["Fax": "9"])
                    }
                }
                return nil
            }
            let report = try await store.sync(with: client)
            #expect(report.conflicts == 1 && report.updated == 1)
            let field = try #require(try store.conflicts.first?.fields.first)
            #expect(field.base == "1" && field.local == "2" && field.server == "9")
            #expect(try await bed.values("SELECT Phone FROM Account ORDER BY Name", "Phone") == ["9", "2"])
            #expect(try await bed.values("SELECT Fax FROM Account ORDER BY Name", "Fax") == [nil, "9"])
            client.shutdown()
            store.close()
        }
    }

    @Test("5: the update of a deleted record creates another record", arguments: [true, false])
    func recreated(isLocal: Bool) async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a"])
            let store = try await bed.filledCopy("copy", isLocal ? .local : .server)
            try store.edit { try $0.update("Account", id: id, ["Phone": "2"]) }
            _ = try await bed.client.send(.delete("Account", id: id))
            try await store.sync(with: bed.client)
            #expect(try await bed.values("SELECT Name FROM Account").isEmpty)
            #expect(try store.conflicts.map(\.reason) == (isLocal ? [.deletedOnServer] : []))
            store.close()
        }
    }

    @Test("6: deletions need another read of everything, and records that left the condition stay")
    func ghosts() async throws {
        try await SyncBed.with { bed in
            var ids: [String] = []
            for name in ["a", "b", "c"] {
                ids.append(try await bed.create("Account", ["Name": JSONValue(name), "Phone": "1"]))
            }
            let store = try await bed.copy()
            try await store.pull("SELECT Name FROM Account WHERE Phone = '1'", with: bed.client)
            _ = try await bed.client.send(.delete("Account", id: ids[0]))
            try await bed.update("Account", ids[1], ["Phone": "2"])
            let report = try await store.sync(with: bed.client)
            #expect(report.removed == 2)
            #expect(try store.values("SELECT Name FROM Account") == ["c"])
            store.close()
        }
    }

    @Test("7: children after a conflict are not written, and temporary ids are sent to the server")
    func children() async throws {
        try await SyncBed.with { bed in
            let account = try await bed.create("Account", ["Name": "a", "Phone": "1"])
            var ids: [String] = []
            for name in ["c1", "c2"] {
                ids.append(
                    try await bed.create("Contact", ["LastName": JSONValue(name), "AccountId": JSONValue(account)]))
            }
            let store = try await bed.filledCopy()
            let (first, second) = try store.edit { edit in
                try edit.update("Account", id: account, ["Phone": "2"])
                for id in ids { try edit.update("Contact", id: id, ["Email": "a@b.example"]) }
                // Two contacts that report to each other, and their account.
                let parent = try edit.create("Account", ["Name": "new"])
                let one = try edit.create("Contact", ["LastName": "n1", "AccountId": JSONValue(parent)])
                let two = try edit.create(
                    "Contact", ["LastName": "n2", "AccountId": JSONValue(parent), "ReportsToId": JSONValue(one)])
                try edit.update("Contact", id: one, ["ReportsToId": JSONValue(two)])
                return (one, two)
            }
            try await bed.update("Account", account, ["Phone": "3"])
            bed.org.journal.clear()
            let report = try await store.sync(with: bed.client)
            #expect(report.conflicts == 1 && report.created == 3 && report.updated == 3 && report.pending == 0)
            #expect(
                try await bed.values(
                    "SELECT LastName FROM Contact WHERE Email = 'a@b.example' ORDER BY LastName", "LastName")
                    == ["c1", "c2"])
            let (one, two) = (try store.currentID(of: first), try store.currentID(of: second))
            let query: SOQL = "SELECT ReportsToId FROM Contact WHERE Account.Name = 'new' ORDER BY LastName"
            #expect(try await bed.values(query, "ReportsToId") == [two, one])
            #expect(try store.values(query, "ReportsToId") == [two, one])
            for entry in bed.org.journal.entries {
                #expect(!String(decoding: entry.body, as: UTF8.self).contains("zzz"))
            }
            store.close()
        }
    }

    @Test("8: a list of more records than one request takes is sent again without end")
    func longLists() async throws {
        try await SyncBed.with { bed in
            let store = try await bed.filledCopy()
            let ids = try store.edit { edit in
                try (0..<210).map { try edit.create("Account", ["Name": JSONValue("a\($0)")]) }
            }
            bed.org.journal.clear()
            #expect(try await store.sync(with: bed.client).created == 210)
            func count(_ method: String) -> Int {
                bed.org.journal.entries.count { $0.method == method && $0.target.contains("/composite/sobjects") }
            }
            #expect(count("POST") == 2)
            try store.edit { edit in for id in ids { try edit.delete("Account", id: id) } }
            #expect(try await store.sync(with: bed.client).deleted == 210)
            #expect(count("DELETE") == 2)
            #expect(try await bed.values("SELECT Name FROM Account").isEmpty)
            store.close()
        }
    }

    @Test("9: one rejected field or record fails the whole sync")
    func lostField() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1", "Fax": "1", "ExternalId__c": "taken"])
            let store = try await bed.filledCopy()
            try store.edit { edit in
                try edit.update("Account", id: id, ["Phone": "2", "Fax": "2"])
                try edit.create("Account", ["Name": "bad", "ExternalId__c": "taken"])
            }
            try await bed.update("Account", id, ["Name": "b"])
            let describe = JSONValue(try await bed.client.send(.describe("Account")).json)
            let fields = (describe["fields"]?.array ?? []).filter { $0["name"] != "Fax" }
            var without = try #require(describe.object)
            without["fields"] = JSONValue(JSONArray(fields))
            let body = JSONValue(without).bytes()
            let once = Once()
            let client = try bed.client { name in
                var response: HTTPResponse?
                let json: HTTPFields = ["Content-Type": "application/json"]
                if name == "describe" { response = HTTPResponse(head: .init(status: 200, fields: json), body: body) }
                if name == "query" {
                    await once.run {
                        let error = #"[{"errorCode":"INVALID_FIELD","message":"No such column 'Fax'"}]"#
                        response = HTTPResponse(head: .init(status: 400, fields: json), body: Array(error.utf8))
                    }
                }
                return response
            }
            let report = try await store.sync(with: client)
            #expect(report.missingFields == ["Account": ["Fax"]] && report.updated == 1)
            #expect(try await bed.values("SELECT Phone FROM Account WHERE Name = 'b'", "Phone") == ["2"])
            let reasons = try store.conflicts.map(\.reason)
            #expect(reasons.contains(.fieldRemoved) && reasons.count == 2)
            client.shutdown()
            store.close()
        }
    }

    @Test("10: a sync whose process ended stays running, or begins again at the first record")
    func resumes() async throws {
        try await SyncBed.with { bed in
            let drafts = (0..<450).map { Record.Draft("Account", ["Name": JSONValue("a\($0)")]) }
            _ = try await bed.client.createAll(drafts).get()
            let store = try await bed.copy(small: true)
            let pages = Mutex(0)
            let client = try bed.client { name in
                guard name == "nextPage",
                    pages.withLock({
                        $0 += 1; return $0
                    }) == 2
                else { return nil }
                return HTTPResponse(head: .init(status: 503))
            }
            await #expect(throws: SyncError.self) { try await store.pull("SELECT Name FROM Account", with: client) }
            #expect(try store.count("SELECT COUNT() FROM Account") == 400)
            store.close()
            let again = try await bed.copy(small: true)
            bed.org.journal.clear()
            let report = try await again.sync(with: client)
            #expect(report.pulled == 50 && report.requests == 1)
            #expect(try again.count("SELECT COUNT() FROM Account") == 450)
            // The server forgets its pages.
            try await again.pull("SELECT Name, Phone FROM Account", with: client)
            client.shutdown()
            again.close()
        }
    }
}
