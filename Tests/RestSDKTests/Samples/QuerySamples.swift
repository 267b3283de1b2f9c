// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK
import SampleQueries
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

/// The samples of the article on bound values, word for word; the org takes each query.
enum BindingSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        for query in values() + patterns() + names() + dates() + composed(text: "50%") + composed(text: "") {
            _ = try await client.records(query).collect(limit: 100_000)
        }
        await org.stop()
    }

    private static func values() -> [SOQL] {
        // sample: docs/RestSDK.docc/BindingValues.md 1
        enum Stage: String, SOQL.Bindable {
            case prospecting = "Prospecting"
            case won = "Closed Won"
        }

        let stages: [Stage] = [.prospecting, .won]
        let least: Decimal = 100_000
        let name: String? = nil
        let query: SOQL = """
            SELECT Id, Name FROM Opportunity
            WHERE StageName IN \(stages) AND Amount >= \(least) AND IsClosed = \(false) AND Name != \(name) LIMIT \(20)
            """
        // end
        return [query]
    }

    private static func patterns() -> [SOQL] {
        let text = "50% off_"
        // sample: docs/RestSDK.docc/BindingValues.md 2
        let begins: SOQL = "SELECT Id FROM Account WHERE Name LIKE \(like: text, suffix: .anyRun)"
        let contains: SOQL = "SELECT Id FROM Account WHERE Name LIKE \(like: text, prefix: .anyRun, suffix: .anyRun)"
        // end
        return [begins, contains]
    }

    private static func names() -> [SOQL] {
        let wish = "AnnualRevenue"
        // sample: docs/RestSDK.docc/BindingValues.md 3
        enum Column: String, CaseIterable {
            case name = "Name"
            case industry = "Industry"
            case revenue = "AnnualRevenue"
        }

        let column = Column(rawValue: wish) ?? .name  // the wish of a user, one of three or none
        let fields = Column.allCases.map(\.rawValue).joined(separator: ", ")
        let sorted: SOQL = "SELECT \(raw: fields) FROM Account ORDER BY \(raw: column.rawValue) LIMIT \(10)"
        // end
        return [sorted]
    }

    private static func dates() -> [SOQL] {
        // sample: docs/RestSDK.docc/BindingValues.md 4
        let anHourAgo = Date(timeIntervalSinceNow: -3_600)
        let recent: SOQL = "SELECT Id FROM Account WHERE CreatedDate > \(anHourAgo)"  // a field of type datetime

        let day = SOQLDate(year: 2_026, month: 1, day: 31)
        let closing: SOQL = "SELECT Id FROM Opportunity WHERE CloseDate >= \(day)"  // a field of type date

        let lately: SOQL = "SELECT Id FROM Account WHERE CreatedDate = LAST_N_DAYS:\(30)"
        // end
        return [recent, closing, lately] + [today()]
    }

    private static func today() -> SOQL {
        // sample: docs/RestSDK.docc/BindingValues.md 5
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt  // the zone in which the day is meant
        let parts = calendar.dateComponents([.year, .month, .day], from: Date())
        let today = SOQLDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
        let due: SOQL = "SELECT Id FROM Opportunity WHERE CloseDate = \(today)"
        // end
        return due
    }

    private static func composed(text: String) -> [SOQL] {
        let stages = ["Prospecting", "Closed Won"]
        // sample: docs/RestSDK.docc/BindingValues.md 6
        let amount: SOQL.Field = "Amount"
        var select = SOQL.Select("Opportunity", ["Id", "Name", "Owner.Name"])
            .where(amount > 1_000 && SOQL.Field("StageName").isIn(stages))
            .order(by: "CloseDate", descending: true, nulls: .last)
            .limit(50)
        if !text.isEmpty { select = select.where(SOQL.Field("Name").isLike(text, suffix: .anyRun)) }
        let composed = SOQL(select)

        let totals = SOQL(
            SOQL.Select("Opportunity", ["StageName"]).selecting(.sum(amount), as: "total")
                .group(by: "StageName").having(SOQL.Field.count("Id") > 1))
        // end
        return [composed, totals]
    }
}

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
