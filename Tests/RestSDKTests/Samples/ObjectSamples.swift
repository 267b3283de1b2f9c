// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting

/// The samples of the article on descriptions, word for word; all of them run.
enum ObjectSamples {
    static func run(in folder: String) async throws {
        // The org's times have whole seconds.
        let start = Date.now.addingTimeInterval(-2)
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await describe(client)
        try await keep(client, folder)
        try await look(RestClient.of(Self.platform))
        _ = try await client.create([RecordDraft("Account", ["Name": "Changed"])]).get()
        try await changes(client, start)
        await org.stop()
    }

    private static func describe(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 1
        let account = try await client.describe("Account")
        let required = account.fields.filter(\.isRequired).map(\.name)
        let owner = account.parentField(named: "Owner")?.name ?? ""
        let contacts = account.childRelationship(named: "Contacts")?.field ?? ""
        print(required, owner, contacts)
        // end

        // sample: docs/RestSDK.docc/DescribingObjects.md 2
        let industries = account.picklistValues(of: "Industry") ?? []
        print(industries.map(\.label))
        let cities = account.picklistValues(of: "City__c", where: "Canada")  // nil: this org has no such field
        // end
        if cities != nil { throw CocoaError(.featureUnsupported) }
    }

    private static func keep(_ client: RestClient, _ folder: String) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 3
        let catalog = ObjectDescription.Catalog(client, storage: .folder(folder), maximumAge: .seconds(3_600))
        let contact = try await catalog.object("Contact")
        print(contact.fields.count)
        // end
    }

    /// The platform, which has list views and actions of its own, where the embedded org has none.
    private static var platform: StubTransport {
        let stub = StubTransport()
        for body in [
            #"{"DailyApiRequests":{"Max":15000,"Remaining":14998}}"#, #"{"sObjects":[{"name":"Account","count":1}]}"#,
            #"{"done":true,"listviews":[{"id":"00B000000000001AAA","developerName":"AllAccounts"}]}"#,
            #"{"columns":[],"query":"SELECT Name FROM Account"}"#,
            #"{"totalSize":1,"done":true,"records":[{"Name":"A"}]}"#,
            #"[{"actionName":"emailSimple","errors":null,"isSuccess":true,"outputValues":{}}]"#,
        ] {
            stub.enqueue(body)
        }
        return stub
    }

    private static func look(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 4
        let limits = try await client.limits()
        print(limits.dailyAPIRequests?.remaining ?? 0)
        print(try await client.recordCounts(of: ["Account", "Contact"]))

        for view in try await client.listViews(of: "Account") where view.developerName.hasPrefix("All") {
            for try await record in try await client.records(ofListView: view.id, of: "Account") {
                print(record["Name"]?.string ?? "")
            }
        }

        let results = try await client.invoke(
            .standard("emailSimple"),
            [["emailAddresses": "ada@example.com", "emailSubject": "Hello", "emailBody": "…"]])
        for result in results { print(result.isSuccess, result.faults) }
        // end
    }

    private static func changes(_ client: RestClient, _ start: Date) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 5
        var position = RecordChanges.Window.Position(start)
        for try await window in client.changes(of: "Account", since: position) {
            print("gone:", window.deleted.map(\.id))
            let changed = try await client.retrieveAll("Account", ids: window.updated, fields: ["Id", "Name"])
            print("there:", changed.compactMap { $0?.id })
            position = window.position
        }
        // end
        if position.date <= start { throw CocoaError(.featureUnsupported) }
    }
}
