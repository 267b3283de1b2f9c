// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import RestTransport
import Testing

@Suite("Cursors")
struct CursorTableTests {
    private let start = ContinuousClock.now

    private func cursor(_ rows: Int = 1) throws -> QueryCursor {
        QueryCursor(
            query: try QueryTestDatabase.compile("SELECT Id FROM Account"), rows: Array(0..<Int64(rows)))
    }

    @Test("a cursor is its maker's alone")
    func makers() throws {
        var table = CursorTable(lifetime: .seconds(100))
        #expect(table.add(try cursor(), as: "one", of: "ann", now: start))
        #expect(table.cursor("one", of: "bob", now: start) == nil)
        #expect(table.cursor("one", of: "ann", now: start) != nil)
    }

    @Test("a cursor ends so long after its last use")
    func lifetimes() throws {
        var table = CursorTable(lifetime: .seconds(100))
        _ = table.add(try cursor(), as: "one", of: "ann", now: start)
        #expect(table.cursor("one", of: "ann", now: start + .seconds(99)) != nil)
        #expect(table.cursor("one", of: "ann", now: start + .seconds(198)) != nil)
        #expect(table.cursor("one", of: "ann", now: start + .seconds(298)) == nil)
    }

    @Test("beyond the limits of number and size the oldest end; one that is too large alone is not kept")
    func limits() throws {
        var table = CursorTable(lifetime: .seconds(100), most: 3, mostBytes: 40_000)
        for number in 0..<2_000 { #expect(table.add(try cursor(), as: "a\(number)", of: "ann", now: start)) }
        #expect(table.count == 3 && table.cursor("a1996", of: "ann", now: start) == nil)
        #expect(table.cursor("a1997", of: "ann", now: start) != nil)
        #expect(!table.add(try cursor(5_000), as: "huge", of: "bob", now: start))
        #expect(table.count == 3)
        #expect(table.add(try cursor(4_000), as: "long", of: "bob", now: start))
        #expect(table.add(try cursor(4_000), as: "longer", of: "bob", now: start))
        #expect(table.count == 1 && table.size <= 40_000)
        #expect(table.cursor("longer", of: "bob", now: start) != nil)
    }

    @Test("an app of the org cannot read on what another app's query left, nor anybody a day too late")
    func overHTTP() async throws {
        let clock = ManualClock()
        var configuration = LocalOrgConfiguration(records: 400, accessTokenLifetime: .seconds(1_000_000))
        configuration.clock = clock
        configuration.connectedApps = [ConnectedApp(clientID: "other", clientSecret: "secret")]
        let client = try await OrgClient.start(configuration)
        let next = try #require(
            try client.query("SELECT Id FROM Account", batchSize: 200).json["nextRecordsUrl"]?.string)
        let grant = [("grant_type", "client_credentials"), ("client_id", "other"), ("client_secret", "secret")]
        let other = try #require(try client.form(grant).json["access_token"]?.string)
        #expect(try client.send("GET", next, token: other).errorCode == "INVALID_QUERY_LOCATOR")
        #expect(try client.send("GET", next, token: client.org.issueCredential().accessToken).status == 200)
        clock.advance(by: .seconds(2 * 86_400 - 1))
        #expect(try client.send("GET", next).status == 200)
        clock.advance(by: .seconds(2 * 86_400))
        #expect(try client.send("GET", next).errorCode == "INVALID_QUERY_LOCATOR")
        await client.org.stop()
    }
}
