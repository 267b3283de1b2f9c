// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSync
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("Copies with another schema", .timeLimit(.minutes(2)))
struct SchemaChangeTests {
    /// Returns the descriptions of the copies with some fields changed, removed or added.
    private static func describe(
        _ object: String = "Account", without: [String] = [], with fields: [JSONValue] = []
    ) throws -> [UInt8] {
        let names = Set(without + fields.compactMap { $0["name"]?.string })
        let objects = try JSONValue(parsing: SyncBed.describe).array ?? []
        let changed = objects.map { item -> JSONValue in
            guard item["name"]?.string == object, var members = item.object else { return item }
            let kept = (item["fields"]?.array ?? []).filter { !names.contains($0["name"]?.string ?? "") }
            members["fields"] = JSONValue(JSONArray(kept + fields))
            return JSONValue(members)
        }
        return JSONValue(JSONArray(changed)).bytes()
    }

    private func open(
        _ bed: SyncBed, _ describe: [UInt8] = SyncBed.describe, renames: [String: String] = [:],
        interval: Duration? = nil
    ) async throws -> SyncStore {
        var options = SyncStore.Options()
        (options.renames, options.describeInterval) = (renames, interval)
        return try await SyncStore.open(
            bed.folder.path("copy"), schema: SyncSchema(describe: describe), options: options)
    }

    @Test("9: the edit of a removed field becomes a conflict, and the other edits of the record are sent")
    func removedField() async throws {
        try await SyncBed.with { bed in
            let id = try await bed.create("Account", ["Name": "a", "Phone": "1", "Fax": "1"])
            let store = try await bed.filledCopy()
            let new = try store.edit { edit in
                try edit.update("Account", id: id, ["Phone": "2", "Fax": "2"])
                return try edit.create("Account", ["Name": "b", "Fax": "3"])
            }
            store.close()
            let changed = try await open(bed, Self.describe(without: ["Fax"]))
            let conflicts = try changed.conflicts
            #expect(conflicts.map(\.reason) == [.fieldRemoved, .fieldRemoved])
            #expect(conflicts.map(\.recordID) == [id, new])
            let field = try #require(conflicts[0].fields.first)
            #expect(field.name == "Fax" && field.base == "1" && field.local == "2")
            #expect(try changed.pendingCount == 2)
            #expect(throws: SyncError.self) { try changed.query("SELECT Fax FROM Account") }
            let report = try await changed.sync(with: bed.client)
            #expect(report.updated == 1 && report.created == 1 && report.pending == 0)
            #expect(report.unusableSubsets.isEmpty)
            #expect(try await bed.values("SELECT Fax FROM Account WHERE Phone = '2'", "Fax") == ["1"])
            // The value stays until the app decides, and cannot be sent without the field.
            let error = #expect(throws: SyncError.self) { try changed.resolve(conflicts[0], with: .local) }
            #expect(error?.code == .invalid)
            #expect(try changed.conflicts.count == 2)
            changed.close()
            // The next version of the app has the field again.
            let again = try await open(bed)
            for conflict in try again.conflicts { try again.resolve(conflict, with: .local) }
            #expect(try await again.sync(with: bed.client).updated == 2)
            #expect(try await bed.values("SELECT Fax FROM Account ORDER BY Name", "Fax") == ["2", "3"])
            #expect(try again.values("SELECT Fax FROM Account ORDER BY Name", "Fax") == ["2", "3"])
            again.close()
        }
    }

    @Test("an edit of a renamed field is sent under the new name, also from a condition and a list of children")
    func renamedField() async throws {
        try await SyncBed.with { bed in
            let values: JSONObject = ["Name": "a", "Phone": "1", "Fax": "1", "AccountNumber": "1"]
            let id = try await bed.create("Account", values)
            let store = try await bed.copy()
            let query: SOQL = """
                SELECT Fax, (SELECT LastName FROM Contacts WHERE Account.Fax != null) FROM Account WHERE Fax = '1'
                """
            try await store.pull(query, with: bed.client)
            try store.edit { try $0.update("Account", id: id, ["Fax": "2"]) }
            store.close()
            // `Site` is a field of the org that the first schema lacks.
            let site: JSONValue = ["name": "Site", "type": "string", "length": 80]
            try await bed.update("Account", id, ["Site": "1"])
            let describe = try Self.describe(without: ["Fax"], with: [site])
            let changed = try await open(bed, describe, renames: ["Account.Fax": "Site"])
            #expect(try changed.values("SELECT Site FROM Account", "Site") == ["2"])
            #expect(try changed.conflicts.isEmpty)
            let report = try await changed.sync(with: bed.client)
            #expect(report.updated == 1 && report.conflicts == 0 && report.outdatedObjects.isEmpty)
            #expect(try await bed.values("SELECT Site FROM Account", "Site") == ["2"])
            #expect(try await bed.values("SELECT Fax FROM Account", "Fax") == ["1"])
            // The record no longer fulfils the condition under its new name.
            #expect(try await changed.sync(with: bed.client).pulled == 0)
            #expect(try changed.count("SELECT COUNT() FROM Account") == 0)
            // The query with the new name is the same subset.
            let before = try await changed.sync(with: bed.client).requests
            try await changed.pull(
                "SELECT Site, (SELECT LastName FROM Contacts WHERE Account.Site != null) FROM Account WHERE Site = '1'",
                with: bed.client)
            #expect(try await changed.sync(with: bed.client).requests == before)
            changed.close()
        }
    }

    @Test("a first read that was interrupted before a field got another name starts again")
    func interruptedRead() async throws {
        try await SyncBed.with { bed in
            for start in [0, 200] {
                let drafts = (start..<start + 200).map { number in
                    Record.Draft("Account", ["Name": JSONValue("a\(number)"), "Fax": "1", "Site": "2"])
                }
                #expect(try await bed.client.send(.create(drafts)).allSatisfy(\.isSuccess))
            }
            let store = try await bed.copyEndingAfterOnePage()
            await #expect(throws: SyncError.self) {
                try await store.pull("SELECT Name, Fax FROM Account", with: bed.client)
            }
            let site: JSONValue = ["name": "Site", "type": "string", "length": 80]
            let describe = try Self.describe(without: ["Fax"], with: [site])
            let changed = try await open(bed, describe, renames: ["Account.Fax": "Site"])
            #expect(try changed.count("SELECT COUNT() FROM Account WHERE Site = '1'") == 200)
            try await changed.sync(with: bed.client)
            #expect(try changed.count("SELECT COUNT() FROM Account WHERE Site = '2'") == 400)
            changed.close()
        }
    }

    @Test("an edit of a field with less room or another type becomes a conflict, and its records are read again")
    func changedField() async throws {
        try await SyncBed.with { bed in
            let values: JSONObject = ["Name": "a", "Phone": "1", "AccountNumber": "7", "NumberOfEmployees": 3]
            let id = try await bed.create("Account", values)
            _ = try await bed.create("Account", ["Name": "b", "Phone": "2", "AccountNumber": "8"])
            let store = try await bed.filledCopy()
            let edit: JSONObject = ["Phone": "23456", "AccountNumber": "9", "NumberOfEmployees": 4, "Fax": "5"]
            try store.edit { try $0.update("Account", id: id, edit) }
            store.close()
            let fields: [JSONValue] = [
                ["name": "Phone", "type": "phone", "length": 4], ["name": "AccountNumber", "type": "int"],
                ["name": "NumberOfEmployees", "type": "double"], ["name": "Fax", "type": "textarea", "length": 200],
            ]
            let narrow = try await open(bed, Self.describe(with: fields))
            let conflict = try #require(try narrow.conflicts.first)
            #expect(conflict.reason == .fieldChanged && Set(conflict.fields.map(\.name)) == ["Phone", "AccountNumber"])
            #expect(try narrow.values("SELECT Phone FROM Account ORDER BY Name", "Phone") == ["1", "2"])
            #expect(try narrow.query("SELECT Id FROM Account WHERE NumberOfEmployees = 4.0").count == 1)
            // A new value takes the place of the old edit.
            try narrow.edit { try $0.update("Account", id: id, ["Phone": "22"]) }
            #expect(try narrow.conflicts.first?.fields.map(\.name) == ["AccountNumber"])
            narrow.close()
            let wide = try await open(bed)
            #expect(try wide.values("SELECT AccountNumber FROM Account", "AccountNumber") == [nil, nil])
            let report = try await wide.sync(with: bed.client)
            #expect(report.pulled >= 2 && report.updated == 1 && report.conflicts == 0)
            #expect(
                try wide.values("SELECT AccountNumber FROM Account ORDER BY Name", "AccountNumber") == ["7", "8"])
            try wide.resolve(try #require(try wide.conflicts.first), with: .local)
            try await wide.sync(with: bed.client)
            let found = try await bed.client.records(
                "SELECT Phone, AccountNumber, NumberOfEmployees, Fax FROM Account WHERE Name = 'a'"
            ).collect(limit: 2)
            #expect(found.first?["Phone"] == "22" && found.first?["AccountNumber"] == "9")
            #expect(found.first?["NumberOfEmployees"]?.double == 4 && found.first?["Fax"] == "5")
            wide.close()
        }
    }

    @Test("edits of a removed object become conflicts, which can be sent when the schema has the object again")
    func removedObject() async throws {
        try await SyncBed.with { bed in
            let account = try await bed.create("Account", ["Name": "a"])
            let contact = try await bed.create("Contact", ["LastName": "x", "AccountId": JSONValue(account)])
            let store = try await bed.filledCopy()
            try store.edit { edit in
                try edit.update("Contact", id: contact, ["LastName": "y"])
                try edit.create("Contact", ["LastName": "new", "AccountId": JSONValue(account)])
                try edit.create("Contact", ["LastName": "dropped"])
                try edit.update("Account", id: account, ["Phone": "1"])
            }
            store.close()
            let objects = try JSONValue(parsing: SyncBed.describe).array ?? []
            let less = JSONValue(JSONArray(objects.filter { $0["name"] != "Contact" })).bytes()
            let changed = try await open(bed, less)
            #expect(try changed.conflicts.map(\.reason) == [.objectRemoved, .objectRemoved, .objectRemoved])
            let status = try changed.status
            #expect(status.conflicts == ["Contact": 3] && status.pending["Contact"] == nil)
            let report = try await changed.sync(with: bed.client)
            #expect(report.updated == 1 && report.pending == 0 && report.unusableSubsets.isEmpty)
            let dropped = try #require(try changed.conflicts.last)
            #expect(throws: SyncError.self) { try changed.resolve(dropped, with: .local) }
            try changed.resolve(dropped, with: .server)
            changed.close()
            let again = try await open(bed)
            #expect(try again.conflicts.count == 2)
            for conflict in try again.conflicts { try again.resolve(conflict, with: .local) }
            let sent = try await again.sync(with: bed.client)
            #expect(sent.updated == 1 && sent.created == 1 && sent.conflicts == 0)
            let names: SOQL = "SELECT LastName FROM Contact ORDER BY LastName"
            #expect(try await bed.values(names, "LastName") == ["new", "y"])
            again.close()
        }
    }

    @Test("a subset whose condition needs a removed field is reported, and the others are read")
    func unusableSubset() async throws {
        try await SyncBed.with { bed in
            _ = try await bed.create("Account", ["Name": "a", "Fax": "1"])
            let store = try await bed.copy()
            let lost: SOQL = "SELECT Id, Name FROM Account WHERE Fax = '1'"
            try await store.pull(lost, with: bed.client)
            try await store.pull("SELECT LastName FROM Contact", with: bed.client)
            store.close()
            _ = try await bed.create("Contact", ["LastName": "x"])
            let changed = try await open(bed, Self.describe(without: ["Fax"]))
            let report = try await changed.sync(with: bed.client)
            #expect(report.unusableSubsets == [lost.text] && report.pulled == 1)
            #expect(try changed.values("SELECT Name FROM Account") == ["a"])
            changed.close()
            // With the field, the subset is read again.
            let again = try await open(bed)
            _ = try await bed.create("Account", ["Name": "b", "Fax": "1"])
            #expect(try await again.sync(with: bed.client).unusableSubsets.isEmpty)
            #expect(try again.values("SELECT Name FROM Account ORDER BY Name") == ["a", "b"])
            again.close()
            let last = try await open(bed, Self.describe(without: ["Fax"]))
            try last.remove(lost)
            #expect(try await last.sync(with: bed.client).unusableSubsets.isEmpty)
            #expect(try last.count("SELECT COUNT() FROM Account") == 0)
            last.close()
        }
    }

    @Test("without a network, a renamed object keeps its records, its edits and their order")
    func renamedObject() async throws {
        let folder = try TemporaryDirectory()
        func schema(_ name: String, _ field: String) throws -> SyncSchema {
            try SyncSchema(
                describe: Array(
                    """
                    [{"name":"\(name)","keyPrefix":"a01","fields":[{"name":"Id","type":"id"},
                    {"name":"Name","type":"string","length":80},{"name":"\(field)","type":"reference",
                    "referenceTo":["\(name)"],"relationshipName":"Up__r"}]}]
                    """.utf8))
        }
        let store = try await SyncStore.open(folder.path("copy"), schema: schema("Thing__c", "Up__c"))
        let (first, second) = try store.edit { edit in
            let first = try edit.create("Thing__c", ["Name": "one"])
            return (first, try edit.create("Thing__c", ["Name": "two", "Up__c": JSONValue(first)]))
        }
        store.close()
        var options = SyncStore.Options()
        options.renames = ["Thing__c": "Item__c", "Thing__c.Up__c": "Parent__c"]
        for _ in 0..<2 {
            let changed = try await SyncStore.open(
                folder.path("copy"), schema: schema("Item__c", "Parent__c"), options: options)
            let found = try changed.query("SELECT Parent__c, Up__r.Name FROM Item__c WHERE Parent__c != null")
            #expect(found.count == 1 && found.first?["Up__r"]?["Name"] == "one")
            #expect(try changed.pendingCount == 2)
            try changed.edit { try $0.update("Item__c", id: second, ["Parent__c": JSONValue(first), "Name": "2"]) }
            #expect(try changed.pendingCount == 2)
            changed.close()
        }
    }

    @Test("a sync reports objects that the org describes differently, and reads the others")
    func outdated() async throws {
        try await SyncBed.with { bed in
            _ = try await bed.create("Account", ["Name": "a"])
            let fields: [JSONValue] = [
                ["name": "Phone", "type": "phone", "length": 10], ["name": "Site", "type": "int"],
                ["name": "Description", "type": "textarea", "length": 32000],
            ]
            let store = try await open(bed, Self.describe(without: ["ExternalId__c"], with: fields), interval: .zero)
            try await store.pull("SELECT Name, Phone FROM Account", with: bed.client)
            let report = try await store.sync(with: bed.client)
            #expect(report.outdatedObjects == ["Account": ["Phone", "Site"]])
            store.close()
            let current = try await open(bed, interval: .seconds(3_600))
            #expect(try await current.sync(with: bed.client).outdatedObjects.isEmpty)
            try await current.pull("SELECT LastName FROM Contact", with: bed.client)
            // An org without the object.
            let error = #"[{"errorCode":"INVALID_TYPE","message":"sObject type 'Contact' is not supported."}]"#
            let client = try bed.client { name in
                guard name == "query", try current.count("SELECT COUNT() FROM Account") == 1 else { return nil }
                return HTTPResponse(
                    head: .init(status: 400, fields: ["Content-Type": "application/json"]), body: Array(error.utf8))
            }
            let partial = try await current.sync(with: client)
            #expect(partial.outdatedObjects == ["Account": [], "Contact": []])
            client.shutdown()
            current.close()
        }
    }
}
