// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import RestJSON
import RestModels
import RestSQLite
import RestSync
import RestTesting
import SOQLStore
import Testing

@Suite("First pulls, which fill a table before its indexes exist")
struct FirstPullTests {
    private static let names = (0..<2_400).map { String(10_000 + $0) }

    private func createAccounts(_ bed: SyncBed) async throws {
        let drafts = Self.names.map { Record.Draft("Account", ["Name": JSONValue($0), "Phone": "1"]) }
        #expect(try await bed.client.createAll(drafts).get().count == drafts.count)
    }

    /// The indexes of the accounts that only save time.
    private func indexes(_ bed: SyncBed) throws -> Set<String> {
        let file = try SQLiteConnection(path: bed.folder.path("copy"))
        let sql = "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB '*.*'"
        return Set(try file.list(sql) { $0.text(0) }.filter { $0.hasPrefix("Account.") || $0.hasPrefix("sync.Member") })
    }

    private func untilIndexed(_ store: SyncStore) async throws {
        while try store.lacksIndex { try await Task.sleep(for: .milliseconds(10)) }
    }

    private static let ordered = "SELECT Name FROM Account WHERE Phone = '1' ORDER BY Name DESC LIMIT 3" as SOQL

    @Test("queries are right before the indexes exist, which appear after the pull and serve later queries")
    func indexesAfterThePull() async throws {
        try await SyncBed.with { bed in
            try await createAccounts(bed)
            let store = try await bed.copy()
            try store.add("SELECT Name, Phone FROM Account")
            #expect(try indexes(bed).isEmpty)
            let report = try await store.sync(with: bed.client)
            #expect(report.pulled == 2_400)
            #expect(try store.values(Self.ordered) == Self.names.suffix(3).reversed())
            try await untilIndexed(store)
            #expect(try indexes(bed).isSuperset(of: ["Account.live", "Account.by.Name", "Account.by.SystemModstamp"]))
            #expect(try store.values(Self.ordered) == Self.names.suffix(3).reversed())
            let plan = try SQLiteConnection(path: bed.folder.path("copy")).list(
                """
                EXPLAIN QUERY PLAN SELECT "Name" FROM "Account" WHERE "IsDeleted" = 0
                ORDER BY "Name" COLLATE UNICODE_NOCASE LIMIT 3
                """
            ) { $0.text(3) }
            #expect(plan.joined().contains("Account.by.Name"))
            let ids = try await bed.values("SELECT Id FROM Account WHERE Name = '12399'", "Id")
            let last = try #require(ids.first ?? nil)
            try await bed.updateLater("Account", last, ["Name": "z"])
            try await store.sync(with: bed.client)
            #expect(try store.values(Self.ordered).first == "z")
            store.close()
        }
    }

    @Test("a first pull that ended between two pages resumes without indexes, which appear after its end")
    func interruptedPull() async throws {
        try await SyncBed.with { bed in
            try await createAccounts(bed)
            let store = try await bed.copyEndingAfterOnePage(of: 1_200)
            await #expect(throws: SyncError.self) {
                try await store.pull("SELECT Name, Phone FROM Account", with: bed.client)
            }
            for _ in 0..<2 {
                let half = try await bed.copy()
                #expect(try half.count("SELECT COUNT() FROM Account WHERE Phone = '1'") == 1_200)
                #expect(try !half.lacksIndex)
                #expect(try indexes(bed).isEmpty)
                half.close()
            }
            let whole = try await bed.copy()
            #expect(try await whole.sync(with: bed.client).pulled == 1_200)
            // The process ends before all indexes exist, or after.
            whole.close()
            let again = try await bed.copy()
            #expect(try again.values(Self.ordered) == Self.names.suffix(3).reversed())
            try await untilIndexed(again)
            #expect(try indexes(bed).isSuperset(of: ["Account.live", "Account.by.Name", "sync.Member.Record"]))
            again.close()
        }
    }

    @Test("another schema between two pages, and after the pull, gets the indexes of its own fields")
    func otherSchema() async throws {
        try await SyncBed.with { bed in
            try await createAccounts(bed)
            let store = try await bed.copyEndingAfterOnePage(of: 1_200)
            await #expect(throws: SyncError.self) {
                try await store.pull("SELECT Name, Phone FROM Account", with: bed.client)
            }
            let text = String(decoding: SyncBed.describe, as: UTF8.self)
            for name in ["Phone", "Level__c"] {
                let field = #""\#(name)","type":"picklist""#
                let describe = text.replacing(#""Phone","type":"phone""#, with: field)
                let schema = try SyncSchema(describe: Array(describe.utf8))
                var options = SyncStore.Options()
                options.renames = ["Account.Phone": name]
                let changed = try await SyncStore.open(bed.folder.path("copy"), schema: schema, options: options)
                if name == "Phone" { try await changed.sync(with: bed.client) }
                let ordered: SOQL = "SELECT Name FROM Account WHERE \(raw: name) = '1' ORDER BY Name DESC LIMIT 3"
                #expect(try changed.values(ordered) == Self.names.suffix(3).reversed())
                try await untilIndexed(changed)
                #expect(try indexes(bed).isSuperset(of: ["Account.by.\(name)", "Account.by.Name", "Account.live"]))
                changed.close()
            }
        }
    }

    @Test("a window of changes and the number of records are one request")
    func oneRequest() async throws {
        try await SyncBed.with { bed in
            let drafts = (0..<150).map { Record.Draft("Account", ["Name": JSONValue("a\($0)")]) }
            let ids = try await bed.client.createAll(drafts).get()
            var options = SyncStore.Options()
            options.mostCompared = 100
            let store = try await SyncStore.open(
                bed.folder.path("copy"), schema: SyncSchema(describe: SyncBed.describe), options: options)
            // The string looks like a reference of a composite request.
            let odd: SOQL = "SELECT Name FROM Account WHERE Name != '@{a.b}'"
            try await store.pull("SELECT Name FROM Account", with: bed.client)
            bed.org.journal.clear()
            let idle = try await store.sync(with: bed.client)
            #expect(idle.requests == 1 && bed.org.journal.entries.count == 1)
            #expect(try await bed.client.deleteAll(ids: [ids[0], ids[1]]).get().count == 2)
            let report = try await store.sync(with: bed.client)
            // The deleted records are in the window, so the numbers are equal.
            #expect(report.removed == 2 && report.requests == 1)
            #expect(try store.count("SELECT COUNT() FROM Account") == 148)
            try store.remove("SELECT Name FROM Account")
            try await store.pull(odd, with: bed.client)
            #expect(try await store.sync(with: bed.client).requests == 2)
            store.close()
        }
    }
}
