// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK

/// The samples of the article on models, word for word; all of them run.
enum ModelSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await query(client)
        try await write(client)
        await org.stop()
    }

    private static func query(_ client: RestClient) async throws {
        // sample: docs/RestModels.docc/ModelsFromYourOrg.md 1
        for try await account in client.query(Account.self, where: \.industry == .banking, order: \.name) {
            print(account.name ?? "", account.annualRevenue ?? 0)
        }
        // end

        // sample: docs/RestModels.docc/ModelsFromYourOrg.md 2
        let since = Date.now.addingTimeInterval(-86_400 * 30)
        let wanted: ModelCondition<Account.Fields> =
            .in(\.industry, [.banking, .energy]) && \.createdDate > since
            && (.like(\.name, "Ac", suffix: .anyRun) || \.owner.name != nil)
        let accounts = try await client.query(Account.self, where: wanted, limit: 200).collect(limit: 200)
        // end
        _ = accounts

        // sample: docs/RestModels.docc/ModelsFromYourOrg.md 3
        let rows = client.query(
            Account.self, select: \.name, \.owner.name, { $0.contacts.fields(\.lastName, where: \.email != nil) },
            where: \.parent.name == nil, order: \.industry, \.name.descending)
        for try await account in rows {
            print(account.name ?? "", account.owner?.name ?? "", account.contacts?.count ?? 0)
        }
        // end
    }

    private static func write(_ client: RestClient) async throws {
        // sample: docs/RestModels.docc/ModelsFromYourOrg.md 4
        var account = try await client.create(Account(name: "Acme") { $0.industry = .energy })
        account.website = "https://example.com"
        account.phone = nil
        account = try await client.update(account)  // sends Website and Phone
        // end

        // sample: docs/RestModels.docc/ModelsFromYourOrg.md 5
        let customer = Account(name: "Acme") { $0.externalID = "C-1" }
        let (saved, isCreated) = try await client.upsert(customer, by: \.externalID)
        print(isCreated ? "made" : "changed")
        if let id = saved.id {
            let name = try await client.retrieve(id, select: \.name).name
            print(name ?? "")
            try await client.delete(id)
        }
        // end
    }
}
