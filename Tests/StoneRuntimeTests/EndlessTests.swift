// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import Testing

@testable import StoneRuntime

@Suite("Answers without end")
struct EndlessTests {
    @Test("Pages that go round in a circle are found out, however long it is", arguments: 1...40)
    func circles(length: Int) {
        for start in [0, 1, 5, 17] {
            var trail = PageTrail()
            var asked = 0
            // Pages that lead into the circle, then the circle; the bound is one that no search would pass.
            while trail.isNew(Array("\(asked < start ? -asked - 1 : (asked - start) % length)".utf8)), asked < 1_000 {
                asked += 1
            }
            #expect(asked < 3 * (start + length) + 2)
        }
    }

    @Test("A listing without circles goes on, and what asks nothing is never old")
    func straight() {
        var trail = PageTrail()
        let isNew = (0..<10_000).allSatisfy { trail.isNew(Array("\($0)".utf8)) }
        #expect(isNew)
        let isNothingNew = trail.isNew(nil) && trail.isNew(nil)
        #expect(isNothingNew)
    }

    @Test("Circles of pages end with an error")
    func stuck() async throws {
        let stuck = StuckService()
        for turn in 0..<20 { stuck.transport.enqueue(StuckService.page("\(turn % 2)")) }
        var count = 0
        let failure = await #expect(throws: PageError<Change, Mark>.self) {
            for try await _ in try stuck.paged().pages { count += 1 }
        }
        #expect(failure?.rest?.code == .decoding)
        #expect(count < 8 && stuck.transport.requests.count < 8)
    }

    @Test("Whoever cancels gets out of empty pages that never end")
    func emptyPages() async throws {
        let stuck = StuckService()
        for turn in 0..<50 { stuck.transport.enqueue(StuckService.page("\(turn)")) }
        let paged = try stuck.paged { if $0 == "40" { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } } }
        let task = Task { for try await _ in paged.elements {} }
        let failure = await #expect(throws: PageError<Change, Mark>.self) { try await task.value }
        #expect(failure?.rest?.code == .cancelled)
        #expect(stuck.transport.requests.count == 41)
    }

    @Test("Whoever cancels while a job is checked learns the job's id")
    func cancelledCheck() async throws {
        let stuck = StuckService()
        stuck.transport.enqueue(#"{".tag":"renamed","renamed":"job"}"#)
        let job = try stuck.job { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        let task = Task { try await job.finished() }
        await #expect {
            try await task.value
        } throws: {
            if case JobError<Change, Mark>.cancelled(let id) = $0 { id == "job" } else { false }
        }
        #expect(stuck.transport.requests.count == 1)
    }

    @Test("A job that never ends takes as long as its caller gives it")
    func endlessJob() async throws {
        let stuck = StuckService()
        stuck.transport.enqueue(#"{".tag":"renamed","renamed":"job"}"#)
        for _ in 0..<500 { stuck.transport.enqueue(#""deleted""#) }
        let job = try stuck.job {}
        await #expect {
            try await job.finished(within: .seconds(3_600))
        } throws: {
            if case JobError<Change, Mark>.timedOut(let id) = $0 { id == "job" } else { false }
        }
        #expect(stuck.transport.requests.count < 400)
    }

    @Test("A long list of what is no value is refused before room is made for all of it")
    func longList() throws {
        let text = #"{"entries":["# + String(repeating: "7,", count: 200_000) + #"7],"cursor":"","has_more":true}"#
        let failure = #expect(throws: JSONDecodingError.self) { try Page(json: Array(text.utf8)) }
        #expect(failure?.path == "entries[0]")
    }
}

/// A service whose pages and jobs do not end.
private struct StuckService {
    let transport = StubTransport()

    static func page(_ cursor: String) -> String { #"{"entries":[],"cursor":"\#(cursor)","has_more":true}"# }

    private func client() throws -> StoneClient {
        let address = RestRequest.Service.Address(
            origin: Origin(scheme: .https, host: "api.example.com"), basePath: "/2")
        return StoneClient(
            try RestClient(
                instanceURL: "https://example.com", accessToken: "t",
                configuration: RestClient.Configuration(
                    services: [.service("api"): address], retryPolicy: .never, transport: transport)))
    }

    func paged(
        _ hears: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> PagedCall<Page, Change, Change, Mark> {
        let first = Route<RPC, Void, Page, Change>(RouteInfo("notes", "list"), .void, .type, .type)
        let next = Route<RPC, String, Page, Mark>(RouteInfo("notes", "list/continue"), .string, .type, .type)
        let client = try client()
        return PagedCall(client.call(first, ()), list: { $0.entries }) { page in
            hears(page.cursor)
            return client.call(next, page.cursor)
        }
    }

    func job(
        _ checks: @escaping @Sendable () -> Void
    ) throws -> JobCall<Change, Change, Note, Change, Mark> {
        let launch = Route<RPC, Void, Change, Change>(RouteInfo("notes", "move"), .void, .type, .type)
        let check = Route<RPC, String, Change, Mark>(RouteInfo("notes", "move/check"), .string, .type, .type)
        let client = try client()
        let state: @Sendable (Change) -> JobState<Note> = {
            if case .renamed(let id) = $0 { .running(id: id) } else { .running(id: nil) }
        }
        var job = JobCall(client.call(launch, ()), start: state, state: state) { id in
            checks()
            return client.call(check, id)
        }
        job.clock = ManualClock()
        return job
    }
}
