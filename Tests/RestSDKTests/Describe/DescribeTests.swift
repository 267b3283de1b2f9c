// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Object descriptions")
struct ObjectDescriptionTests {
    @Test("a description has the fields, picklists and relationships of the object")
    func describe() async throws {
        try await withClient { client, _ in
            let account = try await client.send(.describe("Account"))
            #expect(account.name == "Account")
            #expect(account.summary.keyPrefix == "001")
            #expect(account.summary.isQueryable && !account.summary.isCustom)
            let name = try #require(account["name"])
            #expect(name.kind == .string && name.isNameField && name.isRequired)
            #expect(account["Id"]?.kind == .id)
            #expect(account["OwnerId"]?.relationshipName == "Owner")
            #expect(account.parentField(named: "owner")?.referenceTo == ["User"])
            #expect(account.childRelationship(named: "contacts")?.field == "AccountId")
            #expect(account["ExternalId__c"]?.isExternalID == true)
            #expect(account["Industry"]?.picklistValues.map(\.value).contains("Banking") == true)
            #expect(account.picklistValues(of: "Industry")?.contains { $0.value == "Banking" } == true)
            #expect(account["None"] == nil && account.picklistValues(of: "None") == nil)
            #expect(account.json["fields"]?.array?.count == account.fields.count)
        }
    }

    @Test("the list of objects is read, and an object that does not exist is not found")
    func list() async throws {
        try await withClient { client, _ in
            let objects = try await client.send(.objects)
            #expect(objects.contains { $0.name == "Contact" && $0.labelPlural == "Contacts" })
            await expectFailure(.notFound) { try await client.send(.describe("Nothing")) }
        }
    }

    /// Three countries control four cities, as bits from the highest bit of the first byte.
    private static let dependent = #"""
        {"name":"Place__c","fields":[
        {"name":"Country__c","type":"picklist","picklistValues":[{"value":"CA","active":true},{"value":"FR"},{"value":"US"}]},
        {"name":"City__c","type":"picklist","controllerName":"Country__c","dependentPicklist":true,"picklistValues":[
        {"value":"Paris","active":true,"validFor":"YAAA"},{"value":"Ottawa","active":true,"validFor":"gAAA"},
        {"value":"Boston","active":true,"validFor":"IAAA"},{"value":"Gone","active":false,"validFor":"4AAA"}]},
        {"name":"Flag__c","type":"boolean"},
        {"name":"Reason__c","type":"picklist","controllerName":"Flag__c","picklistValues":[
        {"value":"Yes","active":true,"validFor":"QAAA"},{"value":"No","active":true,"validFor":"gAAA"}]},
        {"name":"Lost__c","type":"picklist","controllerName":"Nowhere__c","picklistValues":[]}],
        "recordTypeInfos":[{"recordTypeId":"012000000000000AAA","name":"Master","developerName":"Master","active":true,
        "available":true,"defaultRecordTypeMapping":true,"master":true}]}
        """#

    @Test("the values of a dependent picklist depend on the controlling picklist or checkbox")
    func dependentValues() async throws {
        let stub = StubTransport()
        stub.enqueue(Self.dependent)
        let place = try await RestClient.of(stub).send(.describe("Place__c"))
        func values(_ field: String, _ controller: String?) -> [String]? {
            place.picklistValues(of: field, where: controller)?.map(\.value)
        }
        #expect(values("City__c", "CA") == ["Ottawa"])
        #expect(values("City__c", "FR") == ["Paris"])
        #expect(values("City__c", "US") == ["Paris", "Boston"])
        #expect(values("City__c", "XX") == [] && values("City__c", nil) == [])
        #expect(values("Reason__c", "true") == ["Yes"] && values("Reason__c", "false") == ["No"])
        #expect(values("Country__c", nil) == ["CA", "FR", "US"])
        #expect(values("Lost__c", "x") == nil)
        #expect(place.recordTypes.map(\.isDefault) == [true])
        let paris = try #require(place["City__c"]?.picklistValues.first)
        #expect(!paris.isValid(forControllingValue: -1) && !paris.isValid(forControllingValue: .max))
    }

    @Test(
        "a malformed description is an error with the path",
        arguments: [
            ("{}", "the description.name"), ("[]", "unexpected response to a describe"),
            (#"{"name":"A","fields":{}}"#, "fields"),
            (#"{"name":"A","fields":[{"name":"x"}]}"#, "fields[0].type"),
            (#"{"name":"A","fields":[{"name":"x","type":"string","length":-1}]}"#, "fields[0].length"),
            (#"{"name":"A","fields":[{"name":"x","type":"string","length":1e99}]}"#, "fields[0].length"),
            (
                #"{"name":"A","fields":[{"name":"x","type":"picklist","picklistValues":[{"value":"v","validFor":"*"}]}]}"#,
                "fields[0].picklistValues[0].validFor"
            ),
            (#"{"name":"A","fields":[],"childRelationships":[{"field":"x"}]}"#, "childRelationships[0].childSObject"),
        ])
    func otherShapes(body: String, place: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let error = await expectFailure(.decoding) { try await RestClient.of(stub).send(.describe("A")) }
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
    }
}

@Suite("The catalog of object descriptions")
struct ObjectCatalogTests {
    private static func folder() throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    private static func describes(_ org: LocalOrg) -> [Int] {
        org.journal.entries.filter { $0.target.hasSuffix("/describe") }.map { $0.status ?? 0 }
    }

    @Test("a recent description is not requested again, an older one is validated, and concurrent callers share a call")
    func asking() async throws {
        try await withClient { client, org in
            let catalog = ObjectDescription.Catalog(client, maximumAge: .seconds(600))
            let descriptions = try await withThrowingTaskGroup(of: ObjectDescription.self) { group in
                for _ in 0..<20 { group.addTask { try await catalog.object("Account") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(descriptions).count == 1)
            _ = try await catalog.object("Account")
            #expect(Self.describes(org) == [200])
            catalog.refresh()
            #expect(try await catalog.object("Account") == descriptions[0])
            #expect(Self.describes(org) == [200, 304])
            #expect(try await catalog.objects().contains { $0.name == "Account" })
            let always = ObjectDescription.Catalog(client, maximumAge: .zero)
            for _ in 0..<2 { _ = try await always.object("Contact") }
            #expect(Self.describes(org) == [200, 304, 200, 304])
        }
    }

    @Test("descriptions in a directory outlast their catalog, and only this user can read them")
    func folders() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withClient { client, org in
            let first = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            _ = try await ObjectDescription.Catalog(client, storage: .folder(folder)).objects()
            let second = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            #expect(first == second)
            #expect(Self.describes(org) == [200, 304])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 2)
            for name in names {
                let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }
        }
    }

    @Test(
        "a damaged, foreign or hostile file is ignored",
        arguments: [
            "", "{", "[]", #"{"format":1}"#, #"{"format":2,"version":"v66.0","name":"Account","body":{}}"#,
            #"{"format":1,"version":"v66.0","name":"Account","body":{"fields":1}}"#,
            #"{"format":1,"version":"v66.0","name":"Contact","body":{"name":"Contact"}}"#,
            "{\"format\":1,\"version\":\"v66.0\",\"name\":\"Account\",\"entityTag\":\"a\\r\\nX: y\",\"body\":{\"name\":\"Old\"}}",
        ])
    func damaged(content: String) async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withClient { client, org in
            try content.write(
                toFile: "\(folder)/Account.v66.0.describe.json", atomically: true, encoding: .utf8)
            let account = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            #expect(account.name == "Account" && !account.fields.isEmpty)
            #expect(Self.describes(org) == [200])
            _ = try await ObjectDescription.Catalog(client, storage: .folder(folder)).object("Account")
            #expect(Self.describes(org) == [200, 304])
        }
    }

    @Test("descriptions of the Tooling API have their own files in a directory")
    func toolingFiles() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        for client in [client, client.tooling] {
            stub.enqueue(fields: ["ETag": "\"a\""], #"{"name":"ApexClass","fields":[]}"#)
            let catalog = ObjectDescription.Catalog(client, storage: .folder(folder))
            #expect(try await catalog.object("ApexClass").name == "ApexClass")
        }
        #expect(stub.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test("a missing directory is not an error, and an object name is not used as a path")
    func oddDirectories() async throws {
        try await withClient { client, _ in
            let catalog = ObjectDescription.Catalog(client, storage: .folder("/nowhere/at/all"))
            let account = try await catalog.object("Account")
            #expect(account.name == "Account")
            let error = await #expect(throws: RestError.self) { try await catalog.object("../Account") }
            #expect(error != nil)
        }
    }

    @Test("a cancelled caller returns at once, and the other callers still get the description")
    func givingUp() async throws {
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        stub.enqueue(.silence)
        let catalog = ObjectDescription.Catalog(client)
        let waiter = Task { try await catalog.object("Account") }
        while stub.requests.isEmpty { await Task.yield() }
        waiter.cancel()
        await expectFailure(.cancelled) { try await waiter.value }
        client.shutdown()
    }

    @Test("all callers get the error, and the next caller sends a new request")
    func failing() async throws {
        try await withClient { client, org in
            let catalog = ObjectDescription.Catalog(client)
            org.faults.add(.status(400, code: "INVALID_TYPE"), matching: "/describe")
            await #expect(throws: RestError.self) { try await catalog.object("Account") }
            let account = try await catalog.object("Account")
            #expect(account.name == "Account")
        }
    }
}
