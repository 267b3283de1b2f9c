// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestTesting
import RestTransport
import Synchronization
import Testing

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

    @Test("a question that fails is no failure of the job, and nothing is sent for it")
    func failures() async throws {
        let platform = platform(endsAfter: 2) { number, name in
            name.hasPrefix("GET") && number % 2 == 1 ? (number % 4 == 1 ? .lost : .answer(503, "down")) : nil
        }
        platform.state.withLock { $0.pages = [(["Sforce-Locator": "null"], "Id\n")] }
        let (_, error) = await all(try client(of: platform).bulk.query("SELECT Id FROM Account").rows)
        #expect(error == nil)
        #expect(
            platform.state.withLock { $0.requests.allSatisfy { !$0.hasPrefix("PATCH") && !$0.hasPrefix("DELETE") } })
    }

    @Test("a wait that is over leaves the job, and says where to go on")
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

    @Test("a job that failed, was aborted, or says what no job says is a typed error")
    func ends() async throws {
        for (state, processed, code) in [
            ("Failed", 0, BulkError.Code.jobFailed), ("Aborted", 0, .jobAborted), ("JobComplete", -1, .answer),
        ] {
            let platform = ModelPlatform(change: { ($0.state, $0.processed) = (state, processed) })
            let (_, error) = await all(try client(of: platform).bulk.query("SELECT Id FROM Account").rows)
            #expect((error as? BulkError)?.code == code)
        }
    }

    @Test("a query with a value that cannot be bound, and a dialect that the platform has not, send nothing")
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
