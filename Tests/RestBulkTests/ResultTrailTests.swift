// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("Results that arrive page by page")
struct ResultTrailTests {
    private static func page(_ text: String, _ count: Int?, next: String?) -> (fields: HTTPFields, text: String) {
        var fields: HTTPFields = ["Sforce-Locator": next ?? "null"]
        if let count { fields["Sforce-NumberOfRecords"] = "\(count)" }
        return (fields, text)
    }

    private func platform(
        _ pages: [(fields: HTTPFields, text: String)], total: Int,
        fault: @escaping @Sendable (Int, String) -> ModelPlatform.Fault? = { _, _ in nil }
    ) -> ModelPlatform {
        let platform = ModelPlatform(fault: fault)
        platform.state.withLock { ($0.pages, $0.total) = (pages, total) }
        return platform
    }

    private static let three = [
        page("Id,Name\n1,a\n2,\"b\nb\"\n", 2, next: "1"), page("\"Id\",\"Name\"\n3,c\n", 1, next: "2"),
        page("Id,Name\n4,d\n", 1, next: nil),
    ]

    @Test("each page's header is dropped, and line breaks inside quotes do not start a row")
    func pages() async throws {
        let client = try client(of: platform(Self.three, total: 4))
        let (rows, error) = await all(client.bulk.query("SELECT Id, Name FROM Account").rows)
        #expect(error == nil && rows.map { $0["Name"] } == ["a", "b\nb", "c", "d"])
        let (chunks, _) = await all(client.bulk.query("SELECT Id, Name FROM Account").chunks)
        #expect(String(decoding: chunks.joined(), as: UTF8.self) == "Id,Name\n1,a\n2,\"b\nb\"\n3,c\n4,d\n")
    }

    @Test("a last row without a line ending is a row, and gets a line ending if another page follows")
    func openRows() async throws {
        let pages = [Self.page("Id\n1\n2", 2, next: "1"), Self.page("Id\n3", 1, next: nil)]
        let client = try client(of: platform(pages, total: 3))
        let (rows, error) = await all(client.bulk.query("SELECT Id FROM Account").rows)
        #expect(error == nil && rows.map { $0["Id"] } == ["1", "2", "3"])
        let (chunks, _) = await all(client.bulk.query("SELECT Id FROM Account").chunks)
        #expect(String(decoding: chunks.joined(), as: UTF8.self) == "Id\n1\n2\n3")
    }

    @Test("from the position after any row, another process reads the rest and no row twice")
    func positions() async throws {
        let platform = platform(Self.three, total: 4)
        let client = try client(of: platform)
        var rows = client.bulk.query("SELECT Id, Name FROM Account").rows.makeAsyncIterator()
        var seen: [String] = []
        while let row = try await rows.next() {
            seen.append(row["Id"] ?? "")
            let kept = try BulkPosition(json: #require(rows.position).json())
            #expect(kept.rows == seen.count)
            let (rest, error) = await all(client.bulk.query(from: kept).rows)
            #expect(error == nil && seen + rest.map { $0["Id"] ?? "" } == ["1", "2", "3", "4"])
            let (chunks, _) = await all(client.bulk.query(from: kept).chunks)
            let ids = chunks.joined().split(separator: UInt8(ascii: "\n")).compactMap { line in
                line.firstIndex(of: UInt8(ascii: ",")).map { String(decoding: line[..<$0], as: UTF8.self) }
            }
            #expect(seen + ids.filter { $0 != "b\"" } == ["1", "2", "3", "4"])
        }
        #expect(platform.state.withLock { $0.order.count } == 1)
    }

    @Test("responses that contradict each other are rejected, with the job and a position")
    func lies() async throws {
        let cases: [(String, [(fields: HTTPFields, text: String)], Int)] = [
            ("other columns", [Self.page("Id\n1\n", 1, next: "1"), Self.page("Name\n2\n", 1, next: nil)], 2),
            ("returns to a page", [Self.page("Id\n1\n", 1, next: "1"), Self.page("Id\n2\n", 1, next: "1")], 9),
            ("more rows than", [Self.page("Id\n1\n2\n", 2, next: nil)], 1),
            ("end after 1 of", [Self.page("Id\n1\n", 1, next: nil)], 2),
            ("has 2 rows", [Self.page("Id\n1\n2\n", 1, next: nil)], 2),
            ("is incomplete", [Self.page("Id\n1\n", 2, next: nil)], 2),
            ("is incomplete", [Self.page("Id\n1\n\"2", 2, next: nil)], 2),
            ("invalid number of records", [Self.page("Id\n", nil, next: nil)], 0),
        ]
        for (number, (words, pages, total)) in cases.enumerated() {
            var pages = pages
            if number == cases.count - 1 { pages[0].fields["Sforce-NumberOfRecords"] = "99999999999999999999" }
            let client = try client(of: platform(pages, total: total))
            let (_, error) = await all(client.bulk.query("SELECT Id FROM Account").chunks)
            let found = try #require(error as? BulkError)
            #expect(found.message.contains(words), "\(found)")
            #expect(found.jobID != nil && found.position != nil)
        }
    }

    @Test("an interrupted response is resumed, and a page that then has other rows is rejected")
    func again() async throws {
        let broken = Mutex(0)
        let platform = platform(Self.three, total: 4) { _, name in
            guard name.hasSuffix("results"),
                broken.withLock({
                    $0 += 1; return $0
                }) % 2 == 1
            else { return nil }
            return .lost
        }
        let client = try client(of: platform)
        let (rows, error) = await all(client.bulk.query("SELECT Id, Name FROM Account").rows)
        #expect(error == nil && rows.count == 4)
    }

    @Test("an expired locator, a missing job and a job of another version have different error codes")
    func ends() async throws {
        for (status, code, expected) in [
            (400, "INVALID_QUERY_LOCATOR", BulkError.Code.deadLocator), (404, "NOT_FOUND", .jobGone),
            (409, "CONFLICT", .otherVersion), (400, "INVALIDJOB", .request),
        ] {
            let client = try client(
                of: platform(Self.three, total: 4) { _, name in
                    name.hasSuffix("results")
                        ? .response(status, "[{\"errorCode\":\"\(code)\",\"message\":\"no\"}]") : nil
                })
            let (_, error) = await all(client.bulk.query("SELECT Id FROM Account").rows)
            #expect((error as? BulkError)?.code == expected)
            #expect((error as? BulkError)?.position?.jobID == (error as? BulkError)?.jobID)
        }
    }

    @Test("a row that is invalid CSV, or cannot be decoded, is reported with its number in the whole result")
    func rows() async throws {
        struct Row: Decodable { let id: Int; enum CodingKeys: String, CodingKey { case id = "Id" } }
        let pages = [Self.page("Id,Name\n1,a\n", 1, next: "1"), Self.page("Id,Name\nx,b\n3,c,d\n", 2, next: nil)]
        let client = try client(of: platform(pages, total: 3))
        var values = client.bulk.query("SELECT Id, Name FROM Account").records(as: Row.self).makeAsyncIterator()
        #expect(try await values.next()?.id == 1)
        let second = await #expect(throws: BulkError.self) { try await values.next() }
        #expect(second?.code == .row && second?.row == 2 && second?.column == "Id")
        let third = await #expect(throws: BulkError.self) { try await values.next() }
        #expect(third?.row == 3 && third?.position?.rows == 2)
    }
}

@Suite("Waiting for jobs")
struct WaitingTests {
    private func platform(
        endsAfter polls: Int, fault: @escaping @Sendable (Int, String) -> ModelPlatform.Fault? = { _, _ in nil }
    )
        -> ModelPlatform
    {
        ModelPlatform(change: { $0.state = $0.polls > polls ? "JobComplete" : "InProgress" }, fault: fault)
    }

    @Test("the intervals grow from one second to thirty, with jitter")
    func intervals() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(45))
        let platform = platform(endsAfter: 14)
        platform.state.withLock { $0.pages = [(["Sforce-Locator": "null"], "Id\n")] }
        let (rows, error) = await all(
            try client(of: platform, clock: clock).bulk.query("SELECT Id FROM Account").rows)
        #expect(rows.isEmpty && error == nil)
        let sleeps = clock.sleeps.map { $0 / .seconds(1) }
        #expect(sleeps.count == 14)
        for (number, sleep) in sleeps.enumerated() {
            let middle = min(30, (0..<number).reduce(1.0) { value, _ in value * 1.5 })
            #expect(sleep >= middle * 0.79 && sleep <= middle * 1.21)
        }
    }

    @Test("a failed status request does not fail the job, and nothing else is sent for it")
    func failures() async throws {
        let platform = platform(endsAfter: 2) { number, name in
            name.hasPrefix("GET") && number % 2 == 1 ? (number % 4 == 1 ? .lost : .response(503, "down")) : nil
        }
        platform.state.withLock { $0.pages = [(["Sforce-Locator": "null"], "Id\n")] }
        let (_, error) = await all(try client(of: platform).bulk.query("SELECT Id FROM Account").rows)
        #expect(error == nil)
        #expect(
            platform.state.withLock { $0.requests.allSatisfy { !$0.hasPrefix("PATCH") && !$0.hasPrefix("DELETE") } })
    }

    @Test("a wait that times out leaves the job, and its error has the position to resume from")
    func limit() async throws {
        let platform = platform(endsAfter: .max)
        var options = BulkQuery.Options()
        options.patience.limit = .seconds(100)
        let clock = ManualClock(alarmsBeyond: .seconds(45))
        let query = try client(of: platform, clock: clock).bulk.query("SELECT Id FROM Account", options: options)
        let (_, error) = await all(query.rows)
        let found = try #require(error as? BulkError)
        #expect(found.code == .timedOut && found.position?.jobID == found.jobID && found.jobID != nil)
        #expect(clock.sleeps.reduce(.zero, +) == .seconds(100))
        #expect(
            platform.state.withLock { $0.requests.allSatisfy { !$0.hasPrefix("PATCH") && !$0.hasPrefix("DELETE") } })
    }

    @Test("a failed job, an aborted job and an invalid job status are typed errors")
    func ends() async throws {
        for (state, processed, code) in [
            ("Failed", 0, BulkError.Code.jobFailed), ("Aborted", 0, .jobAborted), ("JobComplete", -1, .response),
        ] {
            let platform = ModelPlatform(change: { ($0.state, $0.processed) = (state, processed) })
            let (_, error) = await all(try client(of: platform).bulk.query("SELECT Id FROM Account").rows)
            #expect((error as? BulkError)?.code == code)
        }
    }

    @Test("a query with a value that cannot be bound, or with an unsupported dialect, sends nothing")
    func arguments() async throws {
        let platform = ModelPlatform()
        let bulk = try client(of: platform).bulk
        let names: [String] = []
        #expect(
            await failure {
                try await bulk.query("SELECT Id FROM Account WHERE Name IN \(names)").begin()
            }?.code == .argument)
        var options = BulkQuery.Options()
        options.dialect.lineEnding = .cr
        #expect(
            await failure {
                try await bulk.query("SELECT Id FROM Account", options: options).begin()
            }?.code == .argument)
        #expect(await failure { try await bulk.job("../x", .query) }?.code == .request)
        #expect(platform.state.withLock(\.requests).isEmpty)
    }
}
