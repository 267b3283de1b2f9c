// SPDX-License-Identifier: Apache-2.0

import Combine
import RestSDK
import Synchronization
import Testing

/// A subscriber that records its events, and fails the test if two of its calls overlap.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private struct State {
        var heard: [String] = []
        var values: [Input] = []
        var failure: Failure?
        var subscription: SubscriptionBox?
        var isInside = false
    }

    private let state = Mutex(State())
    private let first: Subscribers.Demand
    private let further: Subscribers.Demand
    private let onValue: @Sendable (Recorder) -> Void

    /// Creates a subscriber that demands `first` at the subscription and `further` for each value.
    init(
        asking first: Subscribers.Demand, further: Subscribers.Demand = .none,
        onValue: @escaping @Sendable (Recorder) -> Void = { _ in }
    ) {
        (self.first, self.further, self.onValue) = (first, further, onValue)
    }

    /// The events in order: "subscription", "value", and "finished" or the error's code.
    var heard: [String] { state.withLock { $0.heard } }
    var values: [Input] { state.withLock { $0.values } }
    var failure: Failure? { state.withLock { $0.failure } }
    /// The completions, of which at most one is allowed.
    var ends: [String] { heard.filter { $0 != "subscription" && $0 != "value" } }
    var isOver: Bool { !ends.isEmpty }

    func receive(subscription: any Subscription) {
        let box = SubscriptionBox(request: { subscription.request($0) }, cancel: { subscription.cancel() })
        hear("subscription") {
            state.withLock { $0.subscription = box }
            box.request(first)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        hear("value") {
            state.withLock { $0.values.append(input) }
            onValue(self)
        }
        return further
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        guard case .failure(let error) = completion else { return hear("finished") }
        state.withLock { $0.failure = error }
        hear((error as? RestError)?.code.rawValue ?? "failed")
    }

    func request(_ demand: Subscribers.Demand) { state.withLock { $0.subscription }?.request(demand) }

    func cancel() { takeSubscription()?.cancel() }

    /// Releases the subscription without cancelling it.
    func drop() { _ = takeSubscription() }

    /// Returns when the condition is true, or when the suite's time limit ends the wait.
    func wait(until condition: (Recorder) -> Bool) async {
        while !condition(self), !Task.isCancelled { await Task.yield() }
        #expect(condition(self))
    }

    private func takeSubscription() -> SubscriptionBox? {
        state.withLock { state in
            defer { state.subscription = nil }
            return state.subscription
        }
    }

    private func hear(_ event: String, _ body: () -> Void = {}) {
        state.withLock { state in
            if state.isInside { Issue.record("two calls of one subscriber overlap") }
            state.isInside = true
            state.heard.append(event)
        }
        body()
        state.withLock { $0.isInside = false }
    }
}

/// A subscription whose methods may be called from any thread, as the protocol guarantees.
private struct SubscriptionBox: @unchecked Sendable {
    let request: (Subscribers.Demand) -> Void
    let cancel: () -> Void
}

/// A sequence of the numbers from 1, which counts the requested values and the live iterations.
struct Numbers: AsyncSequence, Sendable {
    typealias Element = Int
    typealias Failure = RestError

    enum Ending: Sendable { case end, failure, silence }

    final class Counts: Sendable {
        let asked = Mutex(0)
        let alive = Mutex(0)
    }

    /// Counts as a live iteration while it exists.
    final class Life: Sendable {
        private let counts: Counts

        init(_ counts: Counts) {
            self.counts = counts
            counts.alive.withLock { $0 += 1 }
        }

        deinit { counts.alive.withLock { $0 -= 1 } }
    }

    let count: Int
    let ending: Ending
    let counts = Counts()

    var asked: Int { counts.asked.withLock { $0 } }
    var alive: Int { counts.alive.withLock { $0 } }

    init(_ count: Int, then ending: Ending = .end) { (self.count, self.ending) = (count, ending) }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(numbers: self, life: Life(counts)) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let numbers: Numbers
        let life: Life
        private var last = 0

        init(numbers: Numbers, life: Life) { (self.numbers, self.life) = (numbers, life) }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError) -> Int? {
            numbers.counts.asked.withLock { $0 += 1 }
            if last % 3 == 0 { await Task.yield() }
            guard last == numbers.count else {
                last += 1
                return last
            }
            switch numbers.ending {
            case .end: return nil
            case .failure: throw RestError(.timedOut, "after the last number")
            case .silence:
                let never = AsyncStream<Never> { _ in }
                for await _ in never {}  // until the task is cancelled
                throw RestError(.cancelled, "cancelled")
            }
        }
    }
}
