// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestSync
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("Parents of parents, and relatives of the same object")
struct RelativesTests {
    /// Creates accounts, each the parent of the next one, and returns their ids.
    private static func chain(_ bed: SyncBed, _ names: [String]) async throws -> [String] {
        var ids: [String] = []
        for name in names {
            var fields: JSONObject = ["Name": JSONValue(name)]
            if let last = ids.last { fields["ParentId"] = JSONValue(last) }
            ids.append(try await bed.create("Account", fields))
        }
        return ids
    }

    private static let names: SOQL = "SELECT Name FROM Account ORDER BY Name"

    @Test("a subset contains parents to the depth of its paths, and they leave it when nothing refers to them")
    func parents() async throws {
        try await SyncBed.with { bed in
            let ids = try await Self.chain(bed, ["a", "b", "c", "d"])
            let contact = try await bed.create("Contact", ["LastName": "x", "AccountId": JSONValue(ids[3])])
            let store = try await bed.copy()
            let query: SOQL = """
                SELECT LastName, Account.Name, Account.Parent.Parent.Name, Account.Parent.Owner.Name FROM Contact
                """
            try await store.pull(query, with: bed.client)
            #expect(try store.values(Self.names) == ["b", "c", "d"])
            let owner = try store.query("SELECT Account.Parent.Owner.Name FROM Contact").first
            #expect(owner?["Account"]?["Parent"]?["Owner"]?["Name"]?.string?.isEmpty == false)
            #expect(try await store.sync(with: bed.client).pulled == 0)

            // The grandparent is now another record, and the earlier one has an edit.
            try store.edit { try $0.update("Account", id: ids[1], ["Phone": "5"]) }
            try await bed.updateLater("Account", ids[2], ["ParentId": JSONValue(ids[0])])
            var report = try await store.sync(with: bed.client)
            #expect(report.updated == 1 && report.conflicts == 0)
            report = try await store.sync(with: bed.client)
            #expect(try store.values(Self.names) == ["a", "c", "d"])
            #expect(try await bed.values("SELECT Phone FROM Account WHERE Name = 'b'", "Phone") == ["5"])

            // A changed ancestor is read although no record that refers to it has changed.
            try await bed.updateLater("Account", ids[0], ["Name": "a2"])
            try await store.sync(with: bed.client)
            #expect(try store.values(Self.names) == ["a2", "c", "d"])

            try await bed.updateLater("Contact", contact, ["AccountId": .null])
            try await store.sync(with: bed.client)
            #expect(try store.values(Self.names) == [])
            #expect(try store.count("SELECT COUNT() FROM User") == 0)
        }
    }

    @Test("parents and children of the same object are read, also in cycles and of records that a semi-join selects")
    func sameObject() async throws {
        try await SyncBed.with { bed in
            let ids = try await Self.chain(bed, ["a", "b", "c"])
            let boss = try await bed.create("Contact", ["LastName": "boss", "AccountId": JSONValue(ids[0])])
            _ = try await bed.create(
                "Contact",
                ["LastName": "x", "Email": "x@y.zz", "AccountId": JSONValue(ids[1]), "ReportsToId": JSONValue(boss)])
            let contacts: SOQL = "SELECT LastName FROM Contact ORDER BY LastName"
            let cases: [(query: SOQL, accounts: [String], contacts: [String])] = [
                ("SELECT Name, Parent.Name FROM Account WHERE Name = 'c'", ["b", "c"], []),
                ("SELECT Name, Parent.Parent.Parent.Parent.Name FROM Account WHERE Name = 'c'", ["a", "b", "c"], []),
                ("SELECT Name, (SELECT Name FROM ChildAccounts) FROM Account WHERE Name = 'a'", ["a", "b"], []),
                (
                    "SELECT Name, (SELECT Name, (SELECT LastName FROM Contacts) FROM ChildAccounts) FROM Account WHERE Name = 'a'",
                    ["a", "b"], ["x"]
                ),
                (
                    "SELECT Name, (SELECT LastName, ReportsTo.LastName, Account.Name FROM Contacts) FROM Account WHERE Name = 'b'",
                    ["b"], ["boss", "x"]
                ),
                (
                    """
                    SELECT Name, Owner.Name, (SELECT LastName FROM Contacts WHERE LastName != 'boss') FROM Account
                    WHERE Id IN (SELECT AccountId FROM Contact WHERE Email != null)
                    """, ["b"], ["x"]
                ),
            ]
            for (number, test) in cases.enumerated() {
                let store = try await bed.copy("copy\(number)")
                try await store.pull(test.query, with: bed.client)
                #expect(try store.values(Self.names) == test.accounts, "\(test.query)")
                #expect(try store.values(contacts, "LastName") == test.contacts, "\(test.query)")
                #expect(try await store.sync(with: bed.client).pulled == 0)
                store.close()
            }
            // A record that is its own ancestor.
            try await bed.update("Account", ids[0], ["ParentId": JSONValue(ids[2])])
            let store = try await bed.copy("cycle")
            try await store.pull(
                "SELECT Name, Parent.Parent.Parent.Parent.Name FROM Account WHERE Name = 'c'", with: bed.client)
            #expect(try store.values(Self.names) == ["a", "b", "c"])
        }
    }

    @Test("an interrupted pull of ancestors continues, and no request has more ids than Salesforce accepts")
    func interruptions() async throws {
        try await SyncBed.with { bed in
            let top = try await bed.create("Account", ["Name": "top"])
            func create(_ names: [String], _ parents: [String?]) async throws -> [String] {
                let drafts = zip(names, parents).map { name, parent in
                    Record.Draft(
                        "Account", ["Name": JSONValue(name), "ParentId": parent.map { JSONValue($0) } ?? .null])
                }
                return try await bed.client.createAll(drafts).get()
            }
            let middle = try await create((0..<900).map { "m\($0)" }, Array(repeating: top, count: 900))
            _ = try await create((0..<900).map { "leaf\($0)" }, middle)
            let store = try await bed.copy()
            let query: SOQL = "SELECT Name, Parent.Parent.Name FROM Account WHERE Name LIKE 'leaf%'"
            let left = Mutex(3)
            let faulty = try bed.client { name in
                guard name == "query" else { return nil }
                let isLost = left.withLock { left in
                    left -= 1
                    return left < 0
                }
                return isLost ? HTTPResponse(head: HTTPResponse.Head(status: 503)) : nil
            }
            await #expect(throws: SyncError.self) { try await store.pull(query, with: faulty) }
            faulty.shutdown()
            let before = try store.count("SELECT COUNT() FROM Account")
            #expect(before > 900 && before < 1_801)
            let report = try await store.pull(query, with: bed.client)
            #expect(report.pulled == 1_801 - before)
            #expect(try store.count("SELECT COUNT() FROM Account WHERE Parent.Parent.Name = 'top'") == 900)
            #expect(try await store.sync(with: bed.client).pulled == 0)
        }
    }

    @Test("a copy for subsets describes all objects of their paths, and keeps relatives when its schema changes")
    func schemas() async throws {
        try await SyncBed.with { bed in
            let ids = try await Self.chain(bed, ["a", "b", "c"])
            _ = try await bed.create("Contact", ["LastName": "x", "AccountId": JSONValue(ids[2])])
            let query: SOQL = "SELECT LastName, Account.Parent.Owner.Name FROM Contact"
            var store = try await SyncStore.open(bed.folder.path("copy"), for: [query], of: bed.client)
            try await store.pull(query, with: bed.client)
            #expect(try store.count("SELECT COUNT() FROM User") == 1)
            store.close()
            store = try await bed.copy()
            bed.org.journal.clear()
            #expect(try await store.sync(with: bed.client).removed == 0)
            #expect(try store.count("SELECT COUNT() FROM User") == 1)
            #expect(try store.values("SELECT Id FROM Account ORDER BY Id", "Id") == ids.dropFirst().sorted())
            try store.remove(query)
            #expect(try store.count("SELECT COUNT() FROM Account") == 0)
        }
    }
}
