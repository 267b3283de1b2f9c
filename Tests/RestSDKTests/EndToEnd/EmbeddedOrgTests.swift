// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import Simulation
import Testing

@Suite("The client with the embedded org, over real sockets")
struct EmbeddedOrgTests {
    @Test("the same query gives the same payload and one callback in each calling style")
    @MainActor
    func parity() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let query: SOQL = "SELECT Id, Name, Owner.Name FROM Account WHERE Industry = \("Banking") ORDER BY Name"
        let expected = try await client.send(.query(query)).payload
        #expect(expected["totalSize"]?.int ?? 0 > 0)
        for front in Front.allCases {
            let outcomes = await front.outcomes(of: .query(query), through: client)
            #expect(outcomes.count == 1)
            #expect(try outcomes.first?.get() == expected)
        }
        await org.stop()
    }

    @Test("a token that expires between pages costs one renewal and loses no record")
    func expiryBetweenPages() async throws {
        try await withClient(LocalOrgConfiguration(records: 10_000)) { client, org in
            var ids = Set<String>()
            var total = 0
            var pages = 0
            for try await page in client.pages("SELECT Id, Name FROM Account ORDER BY Id") {
                if pages == 2 { org.faults.expireAccessTokens() }
                pages += 1
                total = page.totalSize
                for record in page.records { ids.insert(record["Id"]?.string ?? "") }
            }
            let requests = org.journal.entries
            #expect(total > 10_000)
            #expect(ids.count == total)
            #expect(pages == (total + 1_999) / 2_000)
            #expect(requests.filter { $0.pathHasSuffix("/oauth2/token") }.count == 2)
            #expect(requests.filter { $0.status == 401 }.count == 1)
            #expect(requests.filter { $0.target.contains("/query") }.count == pages + 1)
        }
    }

    @Test("A40: a thousand concurrent calls with an expired token make one renewal, and all succeed")
    func expiryUnderLoad() async throws {
        try await withClient { client, org in
            _ = try await client.send(.plainLimits)
            org.faults.expireAccessTokens()
            let failures = await withTaskGroup { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        await Result { () async throws(RestError) in try await client.send(.plainLimits) }.failure
                    }
                }
                return await group.reduce(into: [RestError]()) { if let error = $1 { $0.append(error) } }
            }
            #expect(failures.isEmpty)
            #expect(org.journal.entries.filter { $0.pathHasSuffix("/oauth2/token") }.count == 2)
        }
    }

    @Test("A41: a token that expires after half of the calls costs one renewal, and completed calls are not repeated")
    func expiryHalfWay() async throws {
        try await withClient { client, org in
            _ = try await client.send(.plainLimits)
            let calls = (1...200).map { RestRequest.query("SELECT Id FROM Account LIMIT \(raw: "\($0)")") }
            let succeeded = await withTaskGroup { group in
                for call in calls { group.addTask { (try? await client.send(call)) != nil } }
                var count = 0
                for await isGood in group {
                    count += isGood ? 1 : 0
                    if count == 100 { org.faults.expireAccessTokens() }
                }
                return count
            }
            let sent = Dictionary(grouping: org.journal.entries.filter { $0.target.contains("/query") }, by: \.target)
            #expect(succeeded == 200 && sent.count == 200)
            #expect(org.journal.entries.filter { $0.pathHasSuffix("/oauth2/token") }.count <= 2)
            #expect(sent.values.allSatisfy { $0.map(\.status) == [200] || $0.map(\.status) == [401, 200] })
        }
    }

    @Test("a record's life: it is created, read, updated, upserted twice and deleted")
    func records() async throws {
        try await withClient { client, _ in
            let created = try await client.send(
                .create("Account", ["Name": "Harbour Lights \"Ltd\"", "AnnualRevenue": 1250.5]))
            #expect(created.head.status == 201)
            let id = try #require(created.payload["id"]?.string)
            let read = try await client.send(.retrieve("Account", id: id, fields: ["Name", "AnnualRevenue"]))
            #expect(read.payload["Name"]?.string == "Harbour Lights \"Ltd\"")
            #expect(read.payload["AnnualRevenue"]?.double == 1250.5)
            #expect(try await client.send(.update("Account", id: id, ["Name": "Harbour"])).payload == .empty)
            let first = try await client.send(.upsert("Account", externalID: "ExternalId__c", "a/b c", ["Name": "U"]))
            let second = try await client.send(.upsert("Account", externalID: "ExternalId__c", "a/b c", ["Name": "V"]))
            #expect(first.payload["created"]?.bool == true)
            #expect(second.payload["created"]?.bool == false)
            #expect(second.payload["id"] == first.payload["id"])
            #expect(try await client.send(.delete("Account", id: id)).payload == .empty)
            await expectFailure(.notFound) { try await client.send(.retrieve("Account", id: id)) }
            let deleted = try await client.send(.queryAll("SELECT IsDeleted FROM Account WHERE Id = \(id)"))
            #expect(deleted.payload["records"]?[0]?["IsDeleted"]?.bool == true)
        }
    }

    @Test("a record is read only if it changed, and updated only if it did not")
    func conditions() async throws {
        try await withClient { client, _ in
            let created = try await client.send(.upsert("Account", externalID: "Id", nil, ["Name": "A"]))
            #expect(created.payload["created"]?.bool == true)
            let id = try #require(created.payload["id"]?.string)
            let read = RestRequest.retrieve("Account", id: id)
            let tag = try #require(try await client.send(read).head.fields["ETag"])
            let (past, future) = (Date(timeIntervalSinceNow: -86_400), Date(timeIntervalSinceNow: 86_400))
            #expect(try await client.send(read.ifModifiedSince(past)).payload["Name"]?.string == "A")
            let known = try await client.send(read.ifModifiedSince(future))
            #expect(known.head.status == 304 && known.payload == .empty)
            #expect(try await client.send(read.ifNoneMatch(tag)).head.status == 304)
            let change = RestRequest.update("Account", id: id, ["Name": "B"])
            for refused in [change.ifUnmodifiedSince(past), change.ifMatch("\"other\"")] {
                let error = await #expect(throws: RestError.self) { try await client.send(refused) }
                #expect(error?.status == 412 && error?.code == .api && error?.outcome == .notApplied)
            }
            #expect(try await client.send(read).payload["Name"]?.string == "A")
            #expect(try await client.send(change.ifUnmodifiedSince(future).ifMatch(tag)).head.status == 204)
            #expect(try await client.send(read.ifNoneMatch(tag)).payload["Name"]?.string == "B")
        }
    }

    @Test("the user of a token can be read, and a token can be renewed on demand")
    func identity() async throws {
        try await withClient { client, org in
            #expect(try await client.send(.userInfo).payload["preferred_username"]?.string == org.username)
            let first = try await client.refreshNow()
            #expect(try await client.refreshNow().accessToken != first.accessToken)
            #expect(try await client.send(.resources).payload["sobjects"]?.string == "/services/data/v66.0/sobjects")
            #expect(try await client.send(.object("Account")).payload["objectDescribe"]?["name"]?.string == "Account")
        }
    }

    @Test(
        "an invalid query is an error with a code and a position",
        arguments: [
            ("SELECT Id FROM Unicorn", "INVALID_TYPE"), ("SELECT Wings FROM Account", "INVALID_FIELD"),
            ("SELECT Id FORM Account", "MALFORMED_QUERY"),
        ] as [(String, APIFault.Code)])
    func wrongQueries(query: String, code: APIFault.Code) async throws {
        try await withClient { client, _ in
            let error = await expectFailure(.api) { try await client.send(.query(SOQL(raw: query))) }
            #expect(error?.faults.first?.errorCode == code)
            if code == .malformedQuery { #expect(error?.faults.first?.position?.row == 1) }
        }
    }

    @Test("an expired query locator is an error with its code")
    func deadLocator() async throws {
        try await withClient(LocalOrgConfiguration(records: 500)) { client, org in
            var pages = client.pages("SELECT Id FROM Account", batchSize: 200).makeAsyncIterator()
            _ = try await pages.next()
            org.faults.forgetCursors()
            let error = await #expect(throws: RestError.self) { while try await pages.next() != nil {} }
            #expect(error?.faults.first?.errorCode == "INVALID_QUERY_LOCATOR")
        }
    }

    @Test("a wrong client secret, and an expired token without a valid refresh token, are failed logins")
    func failedLogins() async throws {
        let org = try await LocalOrg.start()
        let stranger = try RestClient(loginURL: org.instanceURL, clientID: org.clientID, clientSecret: "wrong")
        await expectFailure(.loginFailed) { try await stranger.send(.plainLimits) }

        let issued = org.issueCredential()
        let login = try HTTPURL(parsing: org.instanceURL).origin
        let oauth = OAuthClient(
            login: login, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            transport: PlatformTransport.shared)
        let tokens = TokenManager(
            credential: Credential(
                accessToken: Secret(issued.accessToken), refreshToken: Secret(issued.refreshToken), instance: login),
            renewal: TokenManager.Renewal(client: oauth))
        let client = RestClient(tokens: tokens)
        _ = try await client.send(.plainLimits)
        org.faults.expireAccessTokens()
        org.faults.revokeRefreshTokens()
        let ended = await expectFailure(.refreshFailed) { try await client.send(.plainLimits) }
        #expect((ended?.underlying as? OAuthError)?.code == .invalidGrant)
        await org.stop()
    }

    @Test("a closed connection, an HTML page and an empty response give a typed error or an empty payload")
    func faults() async throws {
        try await withClient { client, org in
            _ = try await client.send(.plainLimits)
            org.faults.add(.close, matching: "/sobjects")
            await expectFailure(.transport, outcome: .unknown) {
                try await client.send(.create("Account", ["Name": "A"]))
            }
            org.faults.add(.body("<html>gateway</html>"), matching: "/limits")
            await expectFailure(.decoding) { try await client.send(.plainLimits) }
            org.faults.add(.status(204), matching: "/limits")
            #expect(try await client.send(.plainLimits).payload == .empty)
            org.faults.add(.status(503), matching: "/limits")
            var once = RestRequest.plainLimits
            once.retryPolicy = .never
            await expectFailure(.server) { try await client.send(once) }
        }
    }

    @Test("a call that takes too long times out, and a cancelled call ends at once")
    func timeoutAndCancel() async throws {
        try await withClient { client, org in
            _ = try await client.send(.plainLimits)
            // Longer than any machine stalls, so a call that ends earlier was ended by its timeout or its cancellation.
            org.faults.add(.delay(.seconds(60)), next: 2, matching: "/limits")
            let clock = ContinuousClock()
            let late = clock.now
            await expectFailure(.timedOut) {
                try await client.send(.plainLimits.timeout(.milliseconds(100)))
            }
            #expect(clock.now - late < .seconds(24))
            let call = Task { try await client.send(.plainLimits) }
            while org.journal.entries.filter({ $0.pathHasSuffix("/limits") }).count < 2 { await Task.yield() }
            call.cancel()
            await expectFailure(.cancelled) { try await call.value }
        }
    }
}
