// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import RestBase
import RestJSON
import RestSDK
import RestSync
import RestTesting
import SOQLStore
import SOQLSyntax
import Testing

@testable import EmbeddedOrg

@Suite("Queries of a copy give the same as the org", .timeLimit(.minutes(3)))
struct OfflineQueryTests {
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
        try await with { (client, store) in
            var (random, rows, accepted) = (SplitMix64(seed: 5), 0, 0)
            for sample in Self.samples {
                for number in 0..<20 {
                    let text = number == 0 ? sample : Self.changed(sample, &random)
                    let expected = try await compare(text, client, store)
                    #expect(number > 0 || expected.error == nil, "\(text): \(expected)")
                    rows += expected.rows.count
                    accepted += expected.error == nil ? 1 : 0
                }
            }
            #expect(rows > 1_500 && accepted > 60, "\(rows) rows of \(accepted) queries")
        }
    }

    @Test("the same for the queries with known results, those that are rejected, and random queries over all objects")
    func corpus() async throws {
        // The org's own objects have the fields of the corpus too.
        let added = QueryTestSchema.schema.objects.map { object -> JSONValue in
            let known = Catalogue.standard.object(named: object.name)
            let text = DescribeResources(schema: QueryTestSchema.schema).describe(object, .init(number: 66), nil)
            var describe = (try? JSONValue(parsing: text))?.object ?? [:]
            let fields = describe["fields"]?.array?.compactMap { field -> JSONValue? in
                guard var members = field.object, known?.field(named: members["name"]?.string ?? "") == nil else {
                    return nil
                }
                members["nameField"] = JSONValue(known == nil && members["nameField"] == true)
                return JSONValue(members)
            }
            describe["fields"] = JSONValue(JSONArray(fields ?? []))
            return JSONValue(describe)
        }
        let schema = try OrgSchema(describe: JSONValue(JSONArray(added)).bytes())
        try await with(schema) { (client, store) in
            var random = SplitMix64(seed: 7)
            var queries = ComputedQueries.all.flatMap { sample in
                [sample] + (0..<3).map { _ in Self.changed(sample, &random) }
            }
            queries += ComputedQueries.filters.map { "SELECT Name FROM Account WHERE \($0.0) ORDER BY Name, Id" }
            queries += RejectedQuery.Reason.allCases.flatMap { RejectedQuery.all($0) }.map(\.soql)
            for seed: UInt64 in 0..<10 {
                var fields = RandomFieldQuery(seed: seed, schema: schema.schema)
                queries += (0..<80).map { _ in fields.next() }
                queries += (0..<10).map { RandomQuery(seed: seed * 10 + $0).typed }
            }
            var (rows, accepted) = (0, 0)
            // The client sends no empty query.
            for text in queries where text.contains(where: { !$0.isWhitespace }) {
                let expected = try await compare(text, client, store)
                rows += expected.rows.count
                accepted += expected.error == nil ? 1 : 0
            }
            #expect(rows > 1_500 && accepted > 300, "\(rows) rows of \(accepted) queries")
        }
    }

    /// Replaces a word of a query.
    private static func changed(_ sample: String, _ random: inout SplitMix64) -> String {
        var words = sample.split(byte: " ").map(String.init)
        words[Int.random(in: 1..<words.count, using: &random)] = Self.words.randomElement(using: &random) ?? ""
        return words.joined(separator: " ")
    }

    /// Runs a test with an org, and a copy of all its records.
    private func with(
        _ schema: OrgSchema? = nil, _ body: (_ client: RestClient, _ store: SyncStore) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        var configuration = LocalOrgConfiguration()
        configuration.schema = schema
        let org = try await LocalOrg.start(configuration)
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        if schema != nil { try await fill(client) }
        let objects = try await client.send(.objects).filter(\.isQueryable).map(\.name)
        let store = try await SyncStore.open(
            folder.path("copy"), schema: SyncSchema.describing(objects, of: client))
        for object in objects { try await store.pull("SELECT FIELDS(ALL) FROM \(raw: object)", with: client) }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(client, store)) } catch { outcome = .failure(error) }
        store.close()
        client.shutdown()
        await org.stop()
        try outcome.get()
    }

    /// Creates records with values of the corpus.
    private func fill(_ client: RestClient) async throws {
        let days = [0, -1, 1, -30, -400].map { day in
            JSONValue(WireTime.datetime(milliseconds: WireTime.milliseconds + Int64(day) * 86_400_000).prefix(10) + "")
        }
        var drafts: [Record.Draft] = []
        for (index, name) in (["Acme", "beta 50%", "Gamma_x", "ACME", "O'Hara \"quoted\" \\"] + ComputedQueries.names)
            .enumerated()
        {
            func pick(_ list: [JSONValue]) -> JSONValue { list[index % list.count] }
            drafts.append(
                Record.Draft(
                    "Account",
                    [
                        "Name": JSONValue(name), "Industry": pick(["Banking", "Energy", .null, "banking"]),
                        "AnnualRevenue": pick([300, 1_250.5, .null, -7.25, 0.1]),
                        "NumberOfEmployees": pick([10, 200, .null, 3, 0]), "IsActive": pick([true, false]),
                        "Tags": pick(["a;b", "b;c", .null, "ab", "C"]), "FoundedOn": pick(days + [.null]),
                        "Rating__c": pick(["Warm", "hot", "Cold", .null, "It's", "other"]),
                        "Place__Latitude__s": pick([37.775, 0, -90, .null]),
                        "Place__Longitude__s": pick([-122.418, 0, 179.8722, .null]),
                    ]))
        }
        let accounts = try await client.createAll(drafts).get()
        drafts = accounts.enumerated().map { index, id in
            Record.Draft(
                "Contact",
                [
                    "LastName": ["Zimmer", "adams", "Moor", "Alone"][index % 4],
                    "AccountId": index % 4 == 3 ? .null : JSONValue(id),
                    "Score": [1.5, 2, .null][index % 3], "HasOptedOut": JSONValue(index % 2 == 0),
                ])
        }
        let contacts = try await client.createAll(drafts).get()
        drafts = contacts.enumerated().map { index, id in
            Record.Draft(
                "Task",
                [
                    "Subject": ["Call", "Mail", "Think"][index % 3],
                    "WhoId": index % 3 == 2 ? .null : JSONValue(id),
                    "WhatId": index % 2 == 0 ? .null : JSONValue(accounts[index]), "ActivityDate": days[index % 5],
                ])
        }
        _ = try await client.createAll(drafts).get()
        _ = try await client.updateAll(
            zip(accounts.dropFirst(), accounts).map { Record.Draft("Account", id: $0, ["ParentId": JSONValue($1)]) }
        ).get()
    }

    /// Compares the results of a query, and returns that of the org.
    private func compare(_ text: String, _ client: RestClient, _ store: SyncStore) async throws -> Answer {
        var (expected, found) = (await answer(text, of: client), answer(text, of: store))
        if let query = try? SOQLQuery(parsing: text), query.orderBy.isEmpty {
            // The order is not specified.
            (expected.rows, found.rows) = (expected.rows.sorted(), found.rows.sorted())
        }
        #expect(found == expected, "\(text)")
        return expected
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
            guard let fault = error.faults.first else { return Answer(error: "\(error)") }
            return Answer(error: "\(fault.errorCode.rawValue): \(fault.message)")
        }
    }

    private func answer(_ text: String, of store: SyncStore) -> Answer {
        let query = SOQL(raw: text)
        do throws(SyncError) {
            let rows = try store.query(query).map { Self.sorted(JSONValue($0.fields)) }
            return Answer(rows: rows, total: try store.count(query))
        } catch {
            return Answer(error: error.message)
        }
    }
}
