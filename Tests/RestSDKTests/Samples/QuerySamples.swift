// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK
import SampleQueries
import Testing

/// The samples of the article about checked queries on the embedded org, word for word.
enum QuerySamples {
    static func run() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 200))
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        // sample: docs/RestModels.docc/QueriesTheCompilerChecks.md 1
        for try await row in client.bankAccounts(industry: .banking, most: 10) {
            print(row.name, row.annualRevenue ?? 0, row.owner?.name ?? "", row.contacts.map(\.lastName))
        }
        // end
        // sample: docs/RestModels.docc/QueriesTheCompilerChecks.md 2
        let query = SOQL.bankAccounts(industry: .banking, most: 5_000)
        let plans = try await client.explain(query)
        let rows = client.records(query, as: BankAccountsRow.self, batchSize: 2_000)
        // end
        #expect(!plans.isEmpty)
        #expect(try await rows.collect(limit: 5_000).allSatisfy { !$0.name.isEmpty })
        // sample: docs/RestModels.docc/ModelsAndQueriesTogether.md 1
        for try await row in client.bankAccounts(industry: .banking, most: 10) {
            let account = try await client.retrieve(row.id, select: \.name, \.phone)
            print(account.name ?? "", account.phone ?? "")
        }
        // end
        await org.stop()
    }
}
