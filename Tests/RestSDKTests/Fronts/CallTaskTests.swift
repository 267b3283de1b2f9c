// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBase
import RestTesting
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("Call tasks")
struct RestTaskTests {
    @Test("every reader gets the newest progress, and the stream ends with the call")
    func feed() async {
        let feed = LatestValueFeed<TransferProgress>()
        let early = feed.stream
        for sent in 1...1_000 { feed.report(TransferProgress(sent: Int64(sent))) }
        let late = feed.stream
        feed.finish()
        for stream in [early, late, feed.stream] {
            var seen: [Int64] = []
            for await progress in stream { seen.append(progress.sent) }
            #expect(seen == [1_000])
        }
    }

    @Test("progress reports reach a reader in order", .timeLimit(.minutes(1)))
    func overtaking() async {
        for isLate in [false, true] {
            let hook = Mutex<(@Sendable () -> Void)?>(nil)
            let other = DispatchSemaphore(value: 0)
            let feed = LatestValueFeed<TransferProgress> { reader, progress in
                let first = hook.withLock { hook in
                    defer { hook = nil }
                    return hook
                }
                first?()
                reader.yield(progress)
            }
            // While the first value is delivered, another thread reports the second. That thread may finish first or
            // may have to wait.
            let overtake: @Sendable () -> Void = {
                Thread.detachNewThread {
                    feed.report(TransferProgress(sent: 2))
                    other.signal()
                }
                _ = other.wait(timeout: .now() + .milliseconds(300))
            }
            var stream: AsyncStream<TransferProgress>
            if isLate {
                feed.report(TransferProgress(sent: 1))
                hook.withLock { $0 = overtake }
                stream = feed.stream
            } else {
                stream = feed.stream
                hook.withLock { $0 = overtake }
                feed.report(TransferProgress(sent: 1))
            }
            var values = stream.makeAsyncIterator()
            var last = await values.next()?.sent
            if last == 1 { last = await values.next()?.sent }
            #expect(last == 2)
        }
    }

    @Test("progress is reported by the transport, up to the size of the body")
    @MainActor
    func progress() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 2_000))
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let task = client.send(.query("SELECT Id, Name FROM Account"), priority: .high) { _ in }
        let progress = task.progress
        let size = try await task.value.body.count
        var last: TransferProgress?
        for await step in progress { last = step }
        #expect(last?.received == Int64(size))
        #expect(task.priority == .high)
        await org.stop()
    }

    @Test("a request reports its progress in every calling style", arguments: Front.allCases)
    @MainActor
    func progress(front: Front) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 2_000))
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let last = Mutex(TransferProgress())
        let request = RestRequest.query("SELECT Id, Name FROM Account LIMIT 900").reportingProgress { progress in
            last.withLock { $0 = progress }
        }
        let outcome = try #require(await front.outcomes(of: request, through: client).first)
        #expect(try outcome.get()["records"]?.array?.count == 900)
        #expect(last.withLock { $0.received } > 900 * 20)
        await org.stop()
    }

    @Test("a cold call is sent once when it is demanded, and never if it was cancelled before")
    func cold() async throws {
        let transport = StubTransport()
        transport.enqueue("[]")
        let client = try RestClient.of(transport)
        let unwanted = ColdWork(ColdSource(.versions, of: client)) { _ in
            Issue.record("delivered")
            return 0
        }
        unwanted.attach()
        unwanted.cancel()
        unwanted.request(1)
        await withCheckedContinuation { continuation in
            let call = ColdWork(ColdSource(.versions, of: client)) {
                if case .finished = $0 { continuation.resume() }
                return 0
            }
            call.request(1)
            #expect(transport.requests.isEmpty)
            call.attach()
            call.request(1)
        }
        #expect(transport.requests.count == 1)
    }
}

@Suite("Ending all calls of a client")
@MainActor
struct ShutdownTests {
    @Test(
        "when a client is shut down at any point of its calls, each call ends once, and nothing more is sent",
        arguments: Front.allCases, CallPoint.allCases)
    func shutdown(front: Front, point: CallPoint) async throws {
        let stage = try await CallStage(point)
        let outcomes = await front.outcomes(of: stage.request, through: stage.client, cancelWhen: stage.isReached) {
            stage.client.shutdown()
        }
        #expect(outcomes.map(\.failure?.code) == [.shutDown])
        #expect(await stage.sendsNothingMore())
        let later = await front.outcomes(of: .plainLimits, through: stage.client)
        #expect(later.map(\.failure?.code) == [.shutDown])
        #expect(await stage.sendsNothingMore())
        #expect(stage.client.isShutDown)
    }

    @Test("all calls cancelled at once end as cancelled, once each, and later calls work", arguments: Front.allCases)
    func cancelAll(front: Front) async throws {
        let transport = StubTransport()
        let client = try RestClient.of(transport)
        transport.enqueue(.silence)
        let outcomes = await front.outcomes(
            of: .plainLimits, through: client, cancelWhen: { transport.requests.count == 1 }
        ) {
            client.cancelAll()
        }
        #expect(outcomes.map(\.failure?.code) == [.cancelled])
        transport.enqueue(Behaviour.records)
        #expect(await front.outcomes(of: .query("SELECT Id FROM A"), through: client).map(\.failure?.code) == [nil])
    }

    @Test("when a client is shut down, its calls in flight end once each, and write outcomes are true")
    func many() async throws {
        let transport = StubTransport()
        let client = try RestClient.of(transport)
        for _ in 0..<200 { transport.enqueue(.silence) }
        var codes: [RestError.Code?] = []
        var outcomes: [RestError.WriteOutcome?] = []
        let tasks = (0..<200).map { _ in
            client.send(.create("Account", ["Name": "A"])) { outcome in
                codes.append(outcome.failure?.code)
                outcomes.append(outcome.failure?.outcome)
            }
        }
        while transport.requests.count < 200 { await Task.yield() }
        client.shutdown()
        client.shutdown()
        for task in tasks { _ = try? await task.value }
        #expect(codes == Array(repeating: .shutDown, count: 200))
        #expect(outcomes == Array(repeating: .unknown, count: 200))
        let late = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(late?.outcome == .notApplied)
        #expect(late?.request?.name == "create")
    }

    @Test("a delay that a handler requested ends when the client is shut down")
    func handler() async throws {
        let transport = StubTransport()
        let clock = ManualClock(alarmsBeyond: .zero)
        let client = try RestClient.of(transport, clock: clock)
        client.onError(of: RestError.self) { _, _ in .retry(after: .seconds(10)) }
        transport.enqueue(status: 409)
        let task = client.send(.plainLimits) { _ in }
        // One alarm is the deadline of the call, which a handler may ignore, and the other one is the delay.
        while clock.alarms < 2 { await Task.yield() }
        client.shutdown()
        let error = await expectFailure(.shutDown) { try await task.value }
        #expect((error?.underlying as? RestError)?.status == 409)
    }
}

@Suite("The state of cold work")
struct ColdStateTests {
    /// The events that can happen to cold work.
    private enum Step: CaseIterable {
        case attach, request, give, end
    }

    @Test("in ten thousand random orders, work begins once, after attachment and demand, and never exceeds the demand")
    func orders() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            var state = ColdState()
            var (isAttached, isBegun, isUnlimited, demand, isOver) = (false, false, false, 0, false)
            for _ in 0..<16 {
                switch Step.allCases.randomElement(using: &random) ?? .attach {
                case .attach:
                    let begins = state.attach()
                    try #require(begins == (!isAttached && demand > 0 && !isOver))
                    isAttached = true
                    isBegun = isBegun || begins
                case .request:
                    let count = [0, 1, 3, .max].randomElement(using: &random) ?? 0
                    isUnlimited = isUnlimited || count == .max
                    demand = isUnlimited ? .max : demand + count
                    let begins = state.request(count)
                    try #require(begins == (isAttached && !isBegun && demand > 0 && !isOver))
                    isBegun = isBegun || begins
                case .give:
                    let gives = state.give()
                    try #require(gives == (isBegun && demand > 0 && !isOver))
                    if gives, !isUnlimited { demand -= 1 }
                case .end:
                    try #require(state.end() == !isOver)
                    isOver = true
                }
                try #require(state.isOver == isOver)
                try #require(state.demand == (isUnlimited ? .max : demand))
            }
        }
    }
}
