// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestSync
import RestTesting
import Testing

@Suite("Queries of a copy give the same as the org", .timeLimit(.minutes(3)))
struct OfflineQueryTests {
    private static let objects = ["Account", "Contact", "Opportunity", "Case", "Lead", "User", "Task", "Event"]

    /// Queries with the clauses, functions and types of the grammar.
    private static let samples = [
        "SELECT Id, Name, Industry, AnnualRevenue FROM Account WHERE AnnualRevenue > 1000 ORDER BY AnnualRevenue DESC, Id",
        "SELECT Id, Name FROM Account WHERE Name LIKE '%a%' AND Industry != null ORDER BY Name, Id LIMIT 7",
        "SELECT Id FROM Account WHERE Industry IN ('Banking', 'Energy') OR Rating = null ORDER BY Id",
        "SELECT Id FROM Account WHERE NOT (Industry = 'Banking' AND NumberOfEmployees < 500) ORDER BY Id",
        "SELECT Id, Name, Owner.Name, Parent.Name, Parent.Owner.Alias FROM Account ORDER BY Owner.Name, Name, Id",
        "SELECT Id, (SELECT Id, LastName, Email FROM Contacts ORDER BY LastName, Id LIMIT 3) FROM Account ORDER BY Id",
        "SELECT Name, (SELECT Amount, StageName FROM Opportunities WHERE IsClosed = false) FROM Account ORDER BY Id",
        "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE Email != null) ORDER BY Id",
        "SELECT Id FROM Account WHERE Id NOT IN (SELECT AccountId FROM Opportunity) ORDER BY Id",
        "SELECT LastName, FirstName, Name, Account.Industry FROM Contact WHERE Account.Name > 'M' ORDER BY Name, Id",
        "SELECT Id, Email, Birthdate, CreatedDate FROM Contact WHERE CreatedDate > 2020-01-01T00:00:00Z ORDER BY Id",
        "SELECT Id FROM Contact WHERE Birthdate < 1980-01-01 OR Birthdate = null ORDER BY Birthdate NULLS LAST, Id",
        "SELECT COUNT() FROM Contact WHERE LastName LIKE 'S%'",
        "SELECT COUNT(Id) n, COUNT_DISTINCT(AccountId) d, MIN(CreatedDate) m FROM Contact",
        "SELECT Industry, COUNT(Id) n, SUM(AnnualRevenue), AVG(NumberOfEmployees) FROM Account GROUP BY Industry "
            + "ORDER BY COUNT(Id) DESC, Industry",
        "SELECT StageName, MAX(Amount) m FROM Opportunity GROUP BY StageName HAVING COUNT(Id) > 1 ORDER BY StageName",
        "SELECT CALENDAR_YEAR(CloseDate) y, SUM(Amount) s FROM Opportunity GROUP BY CALENDAR_YEAR(CloseDate) "
            + "ORDER BY CALENDAR_YEAR(CloseDate)",
        "SELECT Industry, Rating, GROUPING(Industry) g, COUNT(Id) n FROM Account GROUP BY ROLLUP(Industry, Rating) "
            + "ORDER BY GROUPING(Industry), Industry, Rating",
        "SELECT Id, Name, Amount, CloseDate, Probability, IsWon FROM Opportunity WHERE CloseDate = THIS_YEAR ORDER BY Id",
        "SELECT Id FROM Opportunity WHERE CloseDate > LAST_N_DAYS:400 AND CloseDate < NEXT_N_MONTHS:24 ORDER BY Id",
        "SELECT FORMAT(Amount) f, toLabel(StageName) l FROM Opportunity ORDER BY Id LIMIT 5",
        "SELECT Id, CaseNumber, Subject, Status, Account.Name, Contact.LastName FROM Case ORDER BY CaseNumber",
        "SELECT Id, Status FROM Case WHERE Status IN ('New', 'Closed') AND Priority != 'Low' ORDER BY Status, Id",
        "SELECT Id, Name, Company, Email FROM Lead WHERE IsConverted = false ORDER BY Company, Id LIMIT 20 OFFSET 3",
        "SELECT Id, Name, Alias, IsActive, Manager.Name FROM User ORDER BY Name, Id",
        "SELECT Id, Subject, Who.Name, What.Name, Who.Type FROM Task ORDER BY Subject, Id",
        "SELECT Subject, TYPEOF What WHEN Account THEN Phone, Industry WHEN Opportunity THEN Amount ELSE Name END "
            + "FROM Task ORDER BY Id",
        "SELECT Id, Subject, StartDateTime, EndDateTime FROM Event WHERE StartDateTime != null ORDER BY StartDateTime, Id",
        "SELECT Id, BillingCity, BillingAddress, ShippingCountry FROM Account WHERE BillingCity != null ORDER BY Id",
        "SELECT FIELDS(ALL) FROM Account ORDER BY Id LIMIT 9",
        "SELECT a.Id, a.Name, o.Name FROM Account a, a.Owner o WHERE o.IsActive = true ORDER BY a.Id",
        "SELECT Id FROM Account USING SCOPE mine ORDER BY Id",
        "SELECT Id, Name, CreatedBy.Name, LastModifiedDate, SystemModstamp FROM Account WITH USER_MODE ORDER BY Id",
    ]

    /// Words that often give another valid query when they replace words of a query.
    private static let words = [
        "Id", "Name", "Industry", "AnnualRevenue", "NumberOfEmployees", "LastName", "CreatedDate", "OwnerId",
        "Owner.Name",
        "Parent.Name", "COUNT(Id)", "MAX(Name)", "CALENDAR_YEAR(CreatedDate)", "'a'", "''", "5", "1.5", "null", "true",
        "TODAY", "LAST_N_WEEKS:3", "2026-01-29", "2026-01-29T10:11:12Z", "=", "!=", "<", ">=", "LIKE", "IN", "('a')",
        "(null)", "(SELECT AccountId FROM Contact)", "AND", "OR", "NOT", "(", ")", ",", "Account", "Contact", "User",
        "Opportunity", "Case", "Task", "Lead", "ROLLUP(Industry)", "FORMAT(AnnualRevenue)", "toLabel(Industry)",
        "Who.Type", "'é'", "FIELDS(STANDARD)", "GROUP", "ORDER", "LIMIT", "DESC", "HAVING", "WHERE", "CreatedBy.Alias",
    ]

    @Test("the same rows in the same order, or the same error")
    func sameAnswers() async throws {
        let folder = try TemporaryDirectory()
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let schema = try await SyncSchema.describing(Self.objects, of: client)
        let store = try await SyncStore.open(folder.path("copy"), schema: schema)
        for object in Self.objects {
            try await store.pull("SELECT FIELDS(ALL) FROM \(raw: object)", with: client)
        }
        var (random, rows, accepted) = (SplitMix64(seed: 5), 0, 0)
        for sample in Self.samples {
            for number in 0..<20 {
                var words = sample.split(byte: " ").map(String.init)
                for _ in 0..<(number == 0 ? 0 : 1) {
                    let index = Int.random(in: 1..<words.count, using: &random)
                    words[index] = Self.words.randomElement(using: &random) ?? ""
                }
                let text = words.joined(separator: " ")
                let (expected, found) = (await answer(text, of: client), answer(text, of: store))
                // The copy does not have all objects of the org.
                #expect(found == expected || found.error == "INVALID_TYPE", "\(text)")
                #expect(number > 0 || expected.error == nil, "\(text): \(expected)")
                rows += expected.rows.count
                accepted += expected.error == nil ? 1 : 0
            }
        }
        #expect(rows > 1_500 && accepted > 60, "\(rows) rows of \(accepted) queries")
        store.close()
        client.shutdown()
        await org.stop()
    }

    /// The result of a query, without URLs.
    private struct Answer: Equatable {
        var rows: [String] = []
        var total: Int?
        var error: String?
    }

    /// Returns a value as text, with members in order of their names, because an org chooses their order.
    private static func sorted(_ value: JSONValue) -> String {
        if let list = value.array { return "[\(list.map(sorted).joined(separator: ","))]" }
        guard let object = value.object else { return value.description }
        return "{\(object.map { "\($0.key):\(sorted($0.value))" }.sorted().joined(separator: ","))}"
    }

    private func answer(_ text: String, of client: RestClient) async -> Answer {
        do throws(RestError) {
            let payload = try await client.send(.query(SOQL(raw: text))).payload
            return Answer(
                rows: (payload["records"]?.array ?? []).map(Self.sorted), total: payload["totalSize"]?.int)
        } catch {
            return Answer(error: error.faults.first?.errorCode.rawValue ?? "\(error)")
        }
    }

    private func answer(_ text: String, of store: SyncStore) -> Answer {
        let query = SOQL(raw: text)
        do throws(SyncError) {
            let rows = try store.query(query).map { Self.sorted(JSONValue($0.fields)) }
            return Answer(rows: rows, total: try store.count(query))
        } catch {
            return Answer(error: error.message.cut(byte: ":").map { String($0.0) } ?? error.message)
        }
    }
}
