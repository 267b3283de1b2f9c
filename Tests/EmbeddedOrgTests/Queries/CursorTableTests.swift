// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import RestTransport
import Testing

@Suite("Cursors")
struct CursorTableTests {
    private let start = ContinuousClock.now

    private func cursor(_ rows: Int = 1, step: Int64 = 1) throws -> CursorStore.Cursor {
        var numbers = RowNumbers()
        for number in 0..<Int64(rows) { numbers.append(number * step) }
        return CursorStore.Cursor(query: try QueryTestDatabase.compile("SELECT Id FROM Account"), rows: numbers)
    }

    @Test("numbers in a row take no room, and any range of them is found", arguments: 0..<50)
    func numbers(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        var (plain, packed): ([Int64], RowNumbers) = ([], RowNumbers())
        for _ in 0..<Int.random(in: 0...300, using: &generator) {
            let isNext = Int.random(in: 0..<4, using: &generator) > 0
            let number = isNext ? (plain.last ?? 0) + 1 : Int64.random(in: 0...100, using: &generator)
            plain.append(number)
            packed.append(number)
        }
        #expect(packed.count == plain.count)
        for _ in 0..<20 {
            let start = Int.random(in: 0...plain.count, using: &generator)
            let end = Int.random(in: start...plain.count, using: &generator)
            #expect(packed.numbers(in: start..<end) == Array(plain[start..<end]))
        }
        var row = RowNumbers()
        for number in 5..<100_005 as Range<Int64> { row.append(number) }
        #expect(row.size < 100 && row.numbers(in: 99_999..<200_000) == [100_004])
        let mixed = (0..<20_000 as Range<Int64>).shuffled(using: &generator)
        var order = RowNumbers()
        for number in mixed { order.append(number * 50) }
        #expect(order.size < 100_000 && order.numbers(in: 0..<20_000) == mixed.map { $0 * 50 })
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
        #expect(table.count == 0 && table.size == 0)
    }

    @Test("a caller beyond its share loses its oldest; all beyond theirs, the one who has most")
    func limits() throws {
        var limits = CursorTable.Limits()
        (limits.mostOfCaller, limits.sizeOfCaller, limits.most, limits.size) = (3, 40_000, 5, 80_000)
        var table = CursorTable(limits: limits, lifetime: .seconds(100))
        for number in 0..<2_000 { #expect(table.add(try cursor(), as: "a\(number)", of: "ann", now: start)) }
        #expect(table.count == 3 && table.cursor("a1996", of: "ann", now: start) == nil)
        #expect(table.cursor("a1997", of: "ann", now: start) != nil)
        let step: Int64 = 1 << 20
        for number in 0..<3 {
            #expect(table.add(try cursor(2_000, step: step), as: "b\(number)", of: "bob", now: start))
        }
        #expect(table.count == 5 && table.cursor("b0", of: "bob", now: start) == nil)
        #expect(!table.add(try cursor(20_000, step: step), as: "huge", of: "cy", now: start))
        for number in 0..<9 {
            #expect(table.add(try cursor(4_800, step: step), as: "c\(number)", of: "cy", now: start))
        }
        #expect(table.size <= 80_000 && table.cursor("a1999", of: "ann", now: start) != nil)
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
