// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import Testing

@testable import StoneRuntime

@Suite("Stone pages and jobs")
struct PagesAndJobsTests {
    private let transport = StubTransport()
    private let first = Route<RPC, Void, Page, Change>(RouteInfo("notes", "list"), .void, .type, .type)
    private let next = Route<RPC, String, Page, Mark>(RouteInfo("notes", "list/continue"), .string, .type, .type)

    private func client() throws -> StoneClient {
        let service = RestRequest.Service.service("api")
        let address = RestRequest.Service.Address(
            origin: Origin(scheme: .https, host: "api.example.com"), basePath: "/2")
        return StoneClient(
            try RestClient(
                instanceURL: "https://example.com", accessToken: "t",
                configuration: RestClient.Configuration(
                    services: [service: address], retryPolicy: .never, transport: transport)))
    }

    private func paged() throws -> PagedCall<Page, Change, Change, Mark> {
        let client = try client()
        return PagedCall(client.call(first, ()), list: { $0.entries }) { [next] page in
            page.hasMore ? client.call(next, page.cursor) : nil
        }
    }

    @Test("Elements are read from all pages, even if some are empty")
    func elements() async throws {
        transport.enqueue(#"{"entries":["deleted","a"],"cursor":"1","has_more":true}"#)
        transport.enqueue(#"{"entries":[],"cursor":"2","has_more":true}"#)
        transport.enqueue(#"{"entries":["b"],"cursor":"3","has_more":false}"#)
        var all: [Change] = []
        for try await element in try paged().elements { all.append(element) }
        #expect(all == [.deleted, .other(UnknownTag("a")), .other(UnknownTag("b"))])
        #expect(transport.requests.map { $0.body.inMemory ?? [] } == ["null", "\"1\"", "\"2\""].map { Array($0.utf8) })
    }

    @Test("A later page has its own error type, and an error ends the iteration")
    func failure() async throws {
        transport.enqueue(#"{"entries":["deleted"],"cursor":"1","has_more":true}"#)
        transport.enqueue(status: 409, #"{"error":"bad"}"#)
        var pages = try paged().pages.makeAsyncIterator()
        #expect(try await pages.next()?.cursor == "1")
        do throws(PageError<Change, Mark>) {
            _ = try await pages.next()
            Issue.record("there was a page")
        } catch {
            guard case .next(.route(let mark, _)) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(mark == .bad)
            #expect(error.rest == nil)
        }
        #expect(try await pages.next() == nil)
    }

    @Test("A page that leads back to itself ends the iteration with an error")
    func stuck() async throws {
        for _ in 0..<3 { transport.enqueue(#"{"entries":[],"cursor":"1","has_more":true}"#) }
        var pages = try paged().pages.makeAsyncIterator()
        _ = try await pages.next()
        await #expect(throws: PageError<Change, Mark>.self) { _ = try await pages.next() }
        #expect(transport.requests.count == 2)
    }

    private let launch = Route<RPC, Void, Change, Change>(RouteInfo("notes", "move"), .void, .type, .type)
    private let check = Route<RPC, String, Change, Mark>(RouteInfo("notes", "move/check"), .string, .type, .type)

    /// In the tests, `renamed` has the job's id, `deleted` means in progress, and `added` is the result.
    private func state(_ response: Change) -> JobState<Note> {
        switch response {
        case .renamed(let id): .running(id: id)
        case .deleted: .running(id: nil)
        case .added(let note): .finished(note)
        case .nested(let mark): .failed(mark)
        case .other(let tag): .unknown(tag)
        default: .failed(JobFailure("remarked"))
        }
    }

    private func job(_ clock: ManualClock) throws -> JobCall<Change, Change, Note, Change, Mark> {
        let client = try client()
        var job = JobCall(client.call(launch, ()), start: { state($0) }, state: { state($0) }) { [check] id in
            client.call(check, id)
        }
        job.clock = clock
        return job
    }

    @Test("A job is checked at growing intervals until it is done")
    func finished() async throws {
        transport.enqueue(#"{".tag":"renamed","renamed":"job"}"#)
        for _ in 0..<6 { transport.enqueue(#""deleted""#) }
        transport.enqueue(#"{".tag":"added","id":"n"}"#)
        let clock = ManualClock()
        #expect(try await job(clock).finished() == Note(id: "n"))
        #expect(
            clock.sleeps == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10),
            ])
        #expect(transport.requests.dropFirst().allSatisfy { $0.body.inMemory == Array("\"job\"".utf8) })
    }

    @Test("A job can be done at once, fail, take too long, or return an unknown state")
    func endings() async throws {
        transport.enqueue(#"{".tag":"added","id":"n"}"#)
        #expect(try await job(ManualClock()).finished().id == "n")

        transport.enqueue(#"{".tag":"renamed","renamed":"job"}"#)
        transport.enqueue(#"{".tag":"nested","nested":"bad"}"#)
        await #expect { try await job(ManualClock()).finished() } throws: {
            if case JobError<Change, Mark>.failed(let error) = $0 { error as? Mark == .bad } else { false }
        }

        transport.enqueue(#"{".tag":"renamed","renamed":"job"}"#)
        for _ in 0..<4 { transport.enqueue(#""deleted""#) }
        await #expect { try await job(ManualClock()).finished(within: .seconds(3)) } throws: {
            if case JobError<Change, Mark>.timedOut(let id) = $0 { id == "job" } else { false }
        }

        transport.enqueue(#"{".tag":"new"}"#)
        await #expect { try await job(ManualClock()).finished() } throws: {
            if case JobError<Change, Mark>.unknown(let tag) = $0 { tag.tag == "new" } else { false }
        }

        transport.enqueue(status: 409, #"{"error":"deleted"}"#)
        await #expect { try await job(ManualClock()).finished() } throws: {
            if case JobError<Change, Mark>.launch(.route(.deleted, _)) = $0 { true } else { false }
        }
    }
}

@Suite("Responses without an end")
struct EndlessTests {
    @Test("Loops of pages are detected, regardless of their length", arguments: 1...40)
    func circles(length: Int) {
        for start in [0, 1, 5, 17] {
            var trail = PageTrail()
            var asked = 0
            // Pages that lead into the loop, then the loop, with a bound that detection must never reach.
            while trail.isNew(Array("\(asked < start ? -asked - 1 : (asked - start) % length)".utf8)), asked < 1_000 {
                asked += 1
            }
            #expect(asked < 3 * (start + length) + 2)
        }
    }

    @Test("A listing without loops continues, and pages without a cursor never count as repeated")
    func straight() {
        var trail = PageTrail()
        let isNew = (0..<10_000).allSatisfy { trail.isNew(Array("\($0)".utf8)) }
        #expect(isNew)
        let isNothingNew = trail.isNew(nil) && trail.isNew(nil)
        #expect(isNothingNew)
    }

    @Test("A loop of pages ends with an error")
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

    @Test("A task can be cancelled while it reads endless empty pages")
    func emptyPages() async throws {
        let stuck = StuckService()
        for turn in 0..<50 { stuck.transport.enqueue(StuckService.page("\(turn)")) }
        let paged = try stuck.paged { if $0 == "40" { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } } }
        let task = Task { for try await _ in paged.elements {} }
        let failure = await #expect(throws: PageError<Change, Mark>.self) { try await task.value }
        #expect(failure?.rest?.code == .cancelled)
        #expect(stuck.transport.requests.count == 41)
    }

    @Test("The error of a task that is cancelled while a job is checked has the job's id")
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

    @Test("A job that never ends takes as long as its caller allows")
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

    @Test("A long list of invalid values is rejected before memory is reserved for all of it")
    func longList() throws {
        let text = #"{"entries":["# + String(repeating: "7,", count: 200_000) + #"7],"cursor":"","has_more":true}"#
        let failure = #expect(throws: JSONDecodingError.self) { try Page(json: Array(text.utf8)) }
        #expect(failure?.path == "entries[0]")
    }
}

/// A service whose pages and jobs never end.
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
