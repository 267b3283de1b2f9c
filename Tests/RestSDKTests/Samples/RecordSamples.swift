// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The samples of the article on single records, word for word; all of them run.
enum RecordSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await lifetime(client)
        try await upsert(client)
        try await failure(client)
        try await types(client)
        try await options(client)
        try await binAndMerge(client)
        await org.stop()
    }

    private static func lifetime(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 1
        let created = try await client.send(.create("Account", ["Name": "Harbour Lights", "Industry": "Energy"]))
        let id = created.payload["id"]?.string ?? ""

        let record = try await client.send(.retrieve("Account", id: id, fields: ["Name", "Industry"]))
        print(record.payload["Industry"]?.string ?? "none")

        _ = try await client.send(.update("Account", id: id, ["Industry": "Banking", "Website": nil]))
        _ = try await client.send(.delete("Account", id: id))
        // end
    }

    private static func upsert(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 2
        let saved = try await client.send(
            .upsert("Account", externalID: "ExternalId__c", "X-1", ["Name": "Harbour Lights"]))
        print(saved.payload["created"]?.bool == true ? "created" : "changed")
        // end
    }

    private static func failure(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 4
        do {
            _ = try await client.send(.create("Account", ["Industry": "Energy"]))
        } catch {
            switch error.faults.first?.errorCode {
            case .requiredFieldMissing?: print("please fill in", error.faults[0].fields)
            case .duplicateValue?, .duplicatesDetected?: print("there is one already")
            default: print(error, error.advice)
            }
            if error.outcome == .unknown { print("look whether it was created") }
        }
        // end
    }

    private static func types(_ client: RestClient) async throws {
        let id = try await client.send(.create("Account", ["Name": "A"])).payload["id"]?.string ?? ""
        // sample: docs/RestSDK.docc/Records.md 5
        struct Account: Decodable {
            let Name: String
            let AnnualRevenue: Decimal?
            let CreatedDate: Date
        }
        let account = try await client.send(.retrieve("Account", id: id), as: Account.self)
        print(account.Name, account.CreatedDate)
        // end

        // sample: docs/RestSDK.docc/Records.md 6
        struct Revenue: Encodable {
            let AnnualRevenue: Decimal
        }
        _ = try await client.send(.update("Account", id: id, Revenue(AnnualRevenue: 1250.5)))
        // end
    }

    private static func binAndMerge(_ client: RestClient) async throws {
        let id = try await client.send(.create("Account", ["Name": "Bin"])).payload["id"]?.string ?? ""
        let duplicate = try await client.send(.create("Account", ["Name": "Bin"])).payload["id"]?.string ?? ""
        _ = try await client.send(.delete("Account", id: id))
        // sample: docs/RestSDK.docc/Records.md 7
        let restored = try await client.undelete(ids: [id])
        print(restored[0].isSuccess ? "is back" : restored[0].faults.description)
        // end

        // sample: docs/RestSDK.docc/Records.md 8
        let merged = try await client.merge("Account", ids: [duplicate], into: id, ["Phone": "+1 555 0100"])
        print(merged.mergedIDs, "went into", merged.id, "with", merged.movedIDs.count, "related records")
        // end
        #expect(merged.mergedIDs == [duplicate])
    }

    private static func options(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 3
        var options = RestRequest.CallOptions(clientName: "Order desk")
        options.duplicateRule = .init(allowsSave: true)
        options.autoAssign = .off
        _ = try await client.send(.create("Lead", ["LastName": "Roe", "Company": "Acme"]).options(options))
        // end
    }
}
