// SPDX-License-Identifier: Apache-2.0

import Combine
import Dispatch
import EmbeddedOrg
import RestTesting
import Synchronization
import Testing

@testable import RestSDK

@Suite("Publishers of sequences", .timeLimit(.minutes(5)))
struct SequencePublisherTests {
    private typealias Counter = Recorder<Int, RestError>

    /// Gives running work the time to do more than it may.
    private static func settle() async {
        for _ in 0..<200 { await Task.yield() }
    }

    @Test("without demand nothing is requested, and later demand gets exactly as many values")
    func demand() async {
        let numbers = Numbers(100)
        let subscriber = Counter(asking: .none)
        numbers.publisher().subscribe(subscriber)
        await Self.settle()
        #expect(numbers.asked == 0 && numbers.alive == 0 && subscriber.heard == ["subscription"])
        for (more, sum) in [(1, 1), (3, 4), (2, 6)] {
            subscriber.request(.max(more))
            await subscriber.wait { $0.values.count == sum }
            await Self.settle()
            #expect(subscriber.values == Array(1...sum) && numbers.asked == sum)
        }
        subscriber.cancel()
    }

    @Test("demand returned by receive(_:) and demand requested inside it add up", arguments: [0, 1, 2])
    func added(returned: Int) async {
        let numbers = Numbers(5_000)
        let subscriber = Counter(asking: .max(1), further: .max(returned)) {
            if returned != 1 { $0.request(.max(1)) }
        }
        numbers.publisher().subscribe(subscriber)
        await subscriber.wait { $0.isOver }
        #expect(subscriber.values == Array(1...5_000) && subscriber.ends == ["finished"])
    }

    @Test(
        "unlimited demand gets all values and one completion, and the completion alone needs one more demand",
        arguments: [true, false])
    func end(isUnlimited: Bool) async {
        let numbers = Numbers(50)
        let subscriber = Counter(asking: isUnlimited ? .unlimited : .max(50))
        numbers.publisher().subscribe(subscriber)
        await subscriber.wait { $0.values.count == 50 }
        if !isUnlimited {
            await Self.settle()
            #expect(!subscriber.isOver && numbers.asked == 50)
            subscriber.request(.max(1))
        }
        await subscriber.wait { $0.isOver }
        subscriber.request(.unlimited)
        await Self.settle()
        #expect(subscriber.heard == ["subscription"] + Array(repeating: "value", count: 50) + ["finished"])
        #expect(numbers.asked == 51 && numbers.alive == 0)
    }

    @Test("an error is delivered once, after the values before it")
    func failure() async {
        let subscriber = Counter(asking: .unlimited)
        Numbers(3, then: .failure).publisher().subscribe(subscriber)
        await subscriber.wait { $0.isOver }
        await Self.settle()
        #expect(subscriber.values == [1, 2, 3] && subscriber.ends == [RestError.Code.timedOut.rawValue])
    }

    @Test("after a cancel inside receive(_:) nothing is delivered or requested", arguments: [true, false])
    func cancelInside(isOnMainActor: Bool) async {
        let numbers = Numbers(100)
        let subscriber = Counter(asking: .unlimited) { if $0.values.count == 7 { $0.cancel() } }
        if isOnMainActor {
            await MainActor.run { numbers.publisher().subscribe(subscriber) }
        } else {
            numbers.publisher().subscribe(subscriber)
        }
        while numbers.asked < 7 || numbers.alive > 0, !Task.isCancelled { await Task.yield() }
        await Self.settle()
        #expect(subscriber.values == Array(1...7) && !subscriber.isOver && numbers.asked == 7)
    }

    @Test("after a cancel before any demand, further demand starts nothing")
    func cancelBefore() async {
        let numbers = Numbers(100)
        let subscriber = Counter(asking: .none)
        numbers.publisher().subscribe(subscriber)
        subscriber.cancel()
        subscriber.request(.unlimited)
        await Self.settle()
        #expect(numbers.asked == 0 && subscriber.heard == ["subscription"])
    }

    enum Place: CaseIterable { case waitingForDemand, waitingForAnElement }

    @Test(
        "a cancel or a release of the subscription ends the work and releases the subscriber at any point",
        arguments: Place.allCases, [true, false])
    func release(place: Place, isCancelled: Bool) async {
        let numbers = Numbers(3, then: .silence)
        weak var watched: Counter?
        do {
            let subscriber = Counter(asking: place == .waitingForDemand ? .max(2) : .unlimited)
            watched = subscriber
            numbers.publisher().subscribe(subscriber)
            let last = place == .waitingForDemand ? 2 : 4
            while numbers.asked < last, !Task.isCancelled { await Task.yield() }
            await Self.settle()
            #expect(numbers.alive == 1)
            isCancelled ? subscriber.cancel() : subscriber.drop()
            await Self.settle()
            #expect(!subscriber.isOver)
        }
        while numbers.alive > 0 || watched != nil, !Task.isCancelled { await Task.yield() }
        #expect(numbers.alive == 0 && watched == nil)
    }

    @Test(
        "with demand from four threads at once, each demanded value is delivered once, in order",
        arguments: UInt64(0)..<40)
    func threads(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 50...400, using: &random)
        let shares = (0..<4).map { _ in (0..<20).map { _ in Int.random(in: 0...4, using: &random) } }
        let pauses = (0..<4).map { _ in Int.random(in: 0...30, using: &random) }
        let inside = Int.random(in: 0...1, using: &random)
        let numbers = Numbers(count)
        let subscriber = Counter(asking: .max(shares[0][0]), further: .max(inside)) {
            if inside == 0, $0.values.count % 2 == 1 { $0.request(.max(1)) }
        }
        numbers.publisher().subscribe(subscriber)
        await withTaskGroup(of: Void.self) { group in
            for (share, pause) in zip(shares, pauses) {
                group.addTask {
                    for more in share {
                        subscriber.request(.max(more))
                        for _ in 0..<pause { await Task.yield() }
                    }
                }
            }
        }
        let requested = shares[0][0] + shares.joined().reduce(0, +)
        let isWhole: @Sendable (Counter) -> Bool = { subscriber in
            let given = subscriber.values.count
            let demanded = requested + (inside == 1 ? given : (given + 1) / 2)
            return demanded > count ? subscriber.isOver : given == demanded
        }
        await subscriber.wait(until: isWhole)
        await Self.settle()
        #expect(isWhole(subscriber))
        #expect(subscriber.values == Array((1...count).prefix(subscriber.values.count)))
        #expect(numbers.asked == subscriber.values.count + subscriber.ends.count)
        subscriber.cancel()
    }

    @Test(
        "after a cancel during demand from other threads, nothing follows the delivery in progress",
        arguments: UInt64(0)..<40)
    func cancelBeside(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let pause = Int.random(in: 0...60, using: &random)
        let numbers = Numbers(1_000_000)
        let subscriber = Counter(asking: .max(1), further: .max(1))
        numbers.publisher().subscribe(subscriber)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { for _ in 0..<20 { subscriber.request(.max(1)) } }
            }
            group.addTask {
                for _ in 0..<pause { await Task.yield() }
                subscriber.cancel()
            }
        }
        while numbers.alive > 0, !Task.isCancelled { await Task.yield() }
        let values = subscriber.values.count
        await Self.settle()
        #expect(subscriber.values.count == values && !subscriber.isOver)
        #expect(numbers.asked <= values + 1)
    }

    @Test("on the main actor, the closures of a sink run there for every value") @MainActor
    func mainActor() async {
        var sum = 0
        var call: AnyCancellable?
        await withCheckedContinuation { done in
            call = Numbers(100).publisher().sink { _ in
                MainActor.assertIsolated()
                done.resume()
            } receiveValue: { number in
                MainActor.assertIsolated()
                sum += number
            }
        }
        call?.cancel()
        #expect(sum == 5_050)
    }
}

/// Publishers of queries, with an embedded org that counts their requests.
@Suite("Publishers of queries", .timeLimit(.minutes(5)))
struct QueryPublisherTests {
    private let query: SOQL = "SELECT Id, Name FROM Account ORDER BY Id LIMIT 1000"

    private struct Account: Decodable, Sendable {
        let Id: String
        let Name: String
    }

    private func withOrg(_ body: (RestClient, LocalOrg) async throws -> Void) async throws {
        try await withClient(LocalOrgConfiguration(records: 2_000), body)
    }

    private func pages(_ org: LocalOrg) -> Int { org.journal.entries.count { $0.target.contains("/query") } }

    /// Waits until the org has `count` page requests, and longer for a request that should not follow.
    private func expect(_ count: Int, in org: LocalOrg) async {
        while pages(org) < count, !Task.isCancelled { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(pages(org) == count)
    }

    @Test("nothing is requested without demand, and one page is prefetched")
    func requests() async throws {
        try await withOrg { client, org in
            let subscriber = Recorder<Record, RestError>(asking: .none)
            client.records(query, batchSize: 200).publisher().subscribe(subscriber)
            for _ in 0..<1_000 { await Task.yield() }
            #expect(org.journal.entries.isEmpty)
            subscriber.request(.max(1))
            await expect(2, in: org)
            subscriber.request(.max(199))
            await subscriber.wait { $0.values.count == 200 }
            await expect(2, in: org)
            subscriber.request(.max(1))
            await subscriber.wait { $0.values.count == 201 }
            await expect(3, in: org)
            subscriber.cancel()
            await expect(3, in: org)
            #expect(!subscriber.isOver)
        }
    }

    @Test("pages are delivered one by one, and each subscriber requests its own pages with all records")
    func all() async throws {
        try await withOrg { client, org in
            let publisher = client.pages(query, batchSize: 200).publisher()
            let first = Recorder<QueryPage, RestError>(asking: .none)
            publisher.subscribe(first)
            for count in 1...5 {
                first.request(.max(1))
                await first.wait { $0.values.count == count }
                await expect(min(count + 1, 5), in: org)
            }
            first.request(.max(1))
            await first.wait { $0.isOver }
            let second = Recorder<QueryPage, RestError>(asking: .unlimited)
            publisher.subscribe(second)
            await second.wait { $0.isOver }
            await expect(10, in: org)
            let typed = Recorder<Account, RestError>(asking: .unlimited)
            client.records(query, as: Account.self, batchSize: 200).publisher().subscribe(typed)
            await typed.wait { $0.isOver }
            let expected = try await client.records(query).collect(limit: 1_000)
            #expect(first.values.flatMap(\.records).map { $0["Id"]?.string } == expected.map(\.id))
            #expect(second.values.flatMap(\.records).map { $0["Id"]?.string } == expected.map(\.id))
            #expect(typed.values.map(\.Id) == expected.map(\.id))
            #expect(typed.values.map(\.Name) == expected.map { $0["Name"]?.string })
            #expect([first.ends, second.ends, typed.ends].allSatisfy { $0 == ["finished"] })
        }
    }

    @Test("an error between pages is delivered once, after the records before it, with the position to resume")
    func failure() async throws {
        let org = QueryStub()
        org.enqueue([QueryStub.record("1"), QueryStub.record("2")], total: 3, next: "-2")
        org.enqueue(status: 503, .serverUnavailable, at: "-2")
        let subscriber = Recorder<Record, RestError>(asking: .unlimited)
        try org.client().records("SELECT Id FROM Account").publisher().subscribe(subscriber)
        await subscriber.wait { $0.isOver }
        #expect(subscriber.values.map(\.id) == ["1", "2"])
        #expect(subscriber.ends.count == 1 && subscriber.failure?.queryPosition?.recordCount == 2)
    }

    @Test("a cancel while a page is in flight ends its request")
    func cancelledRequest() async throws {
        let transport = StubTransport()
        transport.enqueue(.silence)
        let failures = Failures()
        let client = try RestClient.of(transport) { $0.eventSink = failures }
        weak var watched: Recorder<Record, RestError>?
        do {
            let subscriber = Recorder<Record, RestError>(asking: .max(1))
            watched = subscriber
            client.records("SELECT Id FROM Account").publisher().subscribe(subscriber)
            while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
            subscriber.cancel()
            #expect(subscriber.heard == ["subscription"])
        }
        while failures.codes.withLock(\.isEmpty), !Task.isCancelled { await Task.yield() }
        #expect(failures.codes.withLock { $0 } == [.cancelled] && watched == nil)
    }

    private final class Failures: RestEvent.Sink {
        let codes = Mutex<[RestError.Code]>([])

        func record(_ event: RestEvent) {
            if case .callFailed(let code, _, _) = event.kind { codes.withLock { $0.append(code) } }
        }
    }
}
