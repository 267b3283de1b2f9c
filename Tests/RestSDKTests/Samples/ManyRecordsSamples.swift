// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

/// The samples of the article on several calls in one, word for word; all of them run.
enum ManyRecordsSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await composite(client)
        try await collection(client)
        try await tree(client)
        try await runs(client)
        await org.stop()
    }

    private static func composite(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 1
        var composite = Composite(allOrNone: true)
        let account = composite.add(.create("Account", ["Name": "Acme"]), as: "account")
        let id = account["id"]
        composite.add(.create("Contact", ["LastName": "Roe", "AccountId": id.json]), as: "contact", using: [id])
        composite.add(.query("SELECT Name FROM Contact WHERE AccountId = \(id)"), as: "contacts", using: [id])

        let answers = try await client.send(composite).get()
        print(answers[2].payload["totalSize"]?.int ?? 0)
        // end
    }

    private static func collection(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 2
        let drafts = ["Acme", "Bolt"].map { RecordDraft("Account", ["Name": JSONValue($0)]) }
        let results = try await client.create(drafts)
        for (position, result) in results.failures {
            print(drafts[position], result.faults)
        }
        // or: the ids of all, or an error with every fault and its place
        let ids = try results.get()

        let records = try await client.retrieve("Account", ids: ids, fields: ["Id", "Name"])
        print(records.compactMap { $0?["Name"]?.string })
        // end
    }

    private static func tree(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 4
        let tree = RecordTree(
            "Account", as: "acme", ["Name": "Acme"],
            children: ["Contacts": [RecordTree("Contact", as: "roe", ["LastName": "Roe"])]])
        let made = try await client.createTree([tree])
        print(made["roe"] ?? "")
        // end
    }

    private static func runs(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 3
        let many = (1...450).map { RecordDraft("Account", ["Name": JSONValue("Branch \($0)")]) }
        let saved = try await client.createAll(many, afterFailure: .goesOn)
        for place in saved.failures {
            print(many[place], saved[place].outcome)
        }
        let all = try await client.retrieveAll("Account", ids: saved.compactMap(\.id), fields: ["Id", "Name"])
        // end
        if all.count != 450 { throw CocoaError(.featureUnsupported) }
    }
}
