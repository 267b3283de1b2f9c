// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
