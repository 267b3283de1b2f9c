// SPDX-License-Identifier: Apache-2.0

package import RestTransport
import Synchronization

/// The source of the elements of cold work, which starts again for each subscriber.
package struct ColdSource<Element: Sendable, Failure: Error>: Sendable {
    let name: String
    /// Passes elements to the work on its actor while it wants them, until the last element or an error.
    let produce: @Sendable (ColdWork<Element, Failure>, isolated (any Actor)?) async throws(Failure) -> Void

    /// Makes a source from a sequence, whose elements are read on demand.
    package init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
    where Elements.Element == Element, Elements.Failure == Failure {
        name = "\(Elements.self)"
        produce = { (work, isolation) async throws(Failure) in
            var iterator = elements.makeAsyncIterator()
            while await work.isWanted(), let element = try await iterator.next(isolation: isolation) {
                work.give(element)
            }
        }
    }

    /// Makes a source with the content of an endpoint.
    package init<E: Endpoint>(_ endpoint: E, of client: RestClient)
    where E.Content == Element, E.CallFailure == Failure {
        name = endpoint.taskName
        produce = { (work, _) async throws(Failure) in work.give(try await client.send(endpoint)) }
    }

    /// Makes a source with the progress of a task, and then its value.
    ///
    /// The task does not wait for requests. Progress that is not requested is dropped, except for the latest before the
    /// value. The value waits for a request. An error does not.
    package init<Update: Sendable, Value: Sendable>(
        name: String, progress: @escaping @Sendable (Update) -> Element, value: @escaping @Sendable (Value) -> Element,
        of task: @escaping @Sendable (_ report: @escaping @Sendable (Update) -> Void) async throws(Failure) -> Value
    ) {
        self.name = name
        produce = { (work, isolation) async throws(Failure) in
            let (updates, reader) = AsyncStream<Update>.makeStream(bufferingPolicy: .bufferingNewest(1))
            async let outcome: Result<Value, Failure> = {
                defer {
                    reader.finish()
                    work.hurry()
                }
                do throws(Failure) { return .success(try await task { reader.yield($0) }) } catch {
                    return .failure(error)
                }
            }()
            var iterator = updates.makeAsyncIterator()
            while await work.isWanted(), let update = await iterator.next(isolation: isolation) {
                work.give(progress(update))
            }
            let result = try await outcome.get()
            if await work.isWanted(isLast: true) { work.give(value(result)) }
        }
    }

    /// Makes a source with the progress of an endpoint's bodies, and then its content.
    package init<E: Endpoint>(
        progressOf endpoint: E, of client: RestClient, progress: @escaping @Sendable (TransferProgress) -> Element,
        value: @escaping @Sendable (E.Content) -> Element
    ) where E.Content: Sendable, E.CallFailure == Failure {
        self.init(name: endpoint.taskName, progress: progress, value: value) { (report) async throws(Failure) in
            try await client.content(of: endpoint, Call.Options(progress: report))
        }
    }
}

/// Work that starts when an element is first requested, and never passes on more elements than requested.
///
/// It is a Combine subscription without Combine: it is silent after a cancellation. One task makes all elements and
/// calls the receiver, so the calls never overlap. No lock is held during a call.
package final class ColdWork<Element: Sendable, Failure: Error>: Sendable {
    /// An element, or the end.
    package enum Event: Sendable {
        case element(Element)
        case finished
        case failed(Failure)
    }

    /// Receives an event, and returns the number of additional elements that it requests.
    package typealias Receiver = @Sendable (Event) -> Int

    private struct Core {
        var state = ColdState()
        var task: Task<Void, Never>?
        /// The source, while it waits for a request.
        var waiter: CheckedContinuation<Void, Never>?
        var receive: Receiver?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let source: ColdSource<Element, Failure>
    private let isolation: (any Actor)?
    private let core: Mutex<Core>

    /// Makes work that has not started, and calls `receive` on an actor or on a thread of the concurrency runtime.
    package init(
        _ source: ColdSource<Element, Failure>, on isolation: (any Actor)? = nil, receive: @escaping Receiver
    ) {
        self.source = source
        self.isolation = isolation
        core = Mutex(Core(receive: receive))
    }

    /// Records that the subscriber has its subscription, after which it can receive events.
    package func attach() {
        if core.withLock({ $0.state.attach() }) { begin() }
    }

    /// Requests elements in addition to earlier requests, or all elements with `Int.max`.
    package func request(_ count: Int) {
        let (begins, waiter) = core.withLock { core in
            let begins = core.state.request(count)
            return (begins, core.state.demand > 0 ? core.takeWaiter() : nil)
        }
        waiter?.resume()
        if begins { begin() }
    }

    /// Cancels the work, after which the receiver gets no events.
    package func cancel() {
        guard let ended = end() else { return }
        ended.task?.cancel()
        ended.waiter?.resume()
    }

    private func begin() {
        let task = Task(name: source.name) { await run(on: isolation) }
        let isWanted = core.withLock { core in
            guard !core.state.isOver else { return false }
            core.task = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    /// Runs on the receiver's actor, so that the receiver cannot cancel between a check and the following call.
    private func run(on isolation: isolated (any Actor)?) async {
        do throws(Failure) {
            try await source.produce(self, isolation)
            _ = end()?.receive?(.finished)
        } catch {
            _ = end()?.receive?(.failed(error))
        }
    }

    /// Ends the work if it has not ended, and returns the objects to release outside the lock.
    private func end() -> Core? {
        core.withLock { core in
            guard core.state.end() else { return nil }
            defer { (core.task, core.waiter, core.receive) = (nil, nil, nil) }
            return core
        }
    }
}

/// The interface for sources.
extension ColdWork {
    /// Waits until an element is requested or, unless `isLast`, hurried, and returns `false` if the work has ended.
    func isWanted(isLast: Bool = false) async -> Bool {
        await withCheckedContinuation { waiter in
            let isDue = core.withLock { core in
                if core.state.isOver || core.state.demand > 0 || core.state.isHurried && !isLast { return true }
                core.waiter = waiter
                return false
            }
            if isDue { waiter.resume() }
        }
        return !core.withLock(\.state.isOver)
    }

    /// Passes an element to the receiver, or drops it if no element is requested.
    func give(_ element: Element) {
        guard let receive = core.withLock({ $0.state.give() ? $0.receive : nil }) else { return }
        request(receive(.element(element)))
    }

    /// Resumes a waiting source without a request, so that it can report an error, which needs no request.
    func hurry() {
        let waiter = core.withLock { core in
            core.state.isHurried = true
            return core.takeWaiter()
        }
        waiter?.resume()
    }
}

/// The state of cold work: whether it has started, and the number of requested elements.
struct ColdState: Sendable, Equatable {
    private enum Phase: Equatable {
        /// The subscriber is receiving its subscription.
        case attaching
        /// No element was requested, and nothing was sent.
        case cold
        /// The work is running.
        case running
        /// The receiver gets no more events.
        case over
    }

    private var phase = Phase.attaching
    /// The number of elements that are requested and not yet passed on, or `Int.max` for all.
    private(set) var demand = 0
    /// Whether the source does not wait for requests.
    var isHurried = false

    var isOver: Bool { phase == .over }

    /// Records that the subscriber has its subscription, and returns whether to start the work.
    mutating func attach() -> Bool {
        guard phase == .attaching else { return false }
        phase = .cold
        return begin()
    }

    /// Records that the subscriber requests elements, and returns whether to start the work.
    mutating func request(_ count: Int) -> Bool {
        let (sum, isTooLarge) = demand.addingReportingOverflow(max(0, count))
        demand = isTooLarge ? .max : sum
        return begin()
    }

    /// Records that an element is available, and returns whether to pass it to the receiver.
    mutating func give() -> Bool {
        guard phase == .running, demand > 0 else { return false }
        if demand < .max { demand -= 1 }
        return true
    }

    /// Ends the work for the source or the subscriber, and returns whether it had not ended before.
    mutating func end() -> Bool {
        defer { phase = .over }
        return phase != .over
    }

    private mutating func begin() -> Bool {
        guard phase == .cold, demand > 0 else { return false }
        phase = .running
        return true
    }
}
