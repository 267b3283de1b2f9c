// SPDX-License-Identifier: Apache-2.0

package import RestTransport
import Synchronization

/// The elements of cold work, made from the start for each subscriber.
package struct ColdSource<Element: Sendable, Failure: Error>: Sendable {
    /// The name of the task.
    let name: String
    /// Gives elements to the work while it wants them, on its actor, until the last one or an error.
    let produce: @Sendable (ColdWork<Element, Failure>, isolated (any Actor)?) async throws(Failure) -> Void

    /// The elements of a sequence, each of which is asked for when it is requested.
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

    /// The content of an endpoint.
    package init<E: Endpoint>(_ endpoint: E, of client: RestClient)
    where E.Content == Element, E.CallFailure == Failure {
        name = endpoint.taskName
        produce = { (work, _) async throws(Failure) in work.give(try await client.send(endpoint)) }
    }

    /// The progress of a task, then its value.
    ///
    /// The task does not wait for requests. Progress that is not requested is dropped, except for the newest until the
    /// value is there. The value waits for a request, and a failure for none.
    ///
    /// - Parameters:
    ///   - name: the name of the task.
    ///   - progress: makes an element of an update.
    ///   - value: makes an element of the value.
    ///   - task: runs the task and reports its progress.
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

    /// The progress of an endpoint's bodies, then its content.
    package init<E: Endpoint>(
        progressOf endpoint: E, of client: RestClient, progress: @escaping @Sendable (TransferProgress) -> Element,
        value: @escaping @Sendable (E.Content) -> Element
    ) where E.Content: Sendable, E.CallFailure == Failure {
        self.init(name: endpoint.taskName, progress: progress, value: value) { (report) async throws(Failure) in
            try await client.content(of: endpoint, Call.Options(progress: report))
        }
    }
}

/// Work that begins when an element is first requested, gives no more elements than were requested, and is silent after
/// a cancel: a Combine subscription, without Combine.
///
/// One task makes every element and every call of the receiver, so the calls never overlap. No lock is held in a call.
package final class ColdWork<Element: Sendable, Failure: Error>: Sendable {
    /// An element, or the end.
    package enum Event: Sendable {
        case element(Element)
        case finished
        case failed(Failure)
    }

    /// Gets the events, and returns how many more elements it requests.
    package typealias Receiver = @Sendable (Event) -> Int

    /// The state, and what is released at the end.
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

    /// Makes work that has not begun.
    ///
    /// - Parameters:
    ///   - source: the elements.
    ///   - isolation: the actor on which `receive` is called, or `nil` for a thread of the concurrency runtime.
    ///   - receive: gets the events.
    package init(
        _ source: ColdSource<Element, Failure>, on isolation: (any Actor)? = nil, receive: @escaping Receiver
    ) {
        self.source = source
        self.isolation = isolation
        core = Mutex(Core(receive: receive))
    }

    /// Notes that the subscriber has its subscription: from now on it may get events.
    package func attach() {
        if core.withLock({ $0.state.attach() }) { begin() }
    }

    /// Requests elements, in addition to earlier requests, or all with `Int.max`.
    package func request(_ count: Int) {
        let (begins, waiter) = core.withLock { core in
            let begins = core.state.request(count)
            return (begins, core.state.demand > 0 ? core.takeWaiter() : nil)
        }
        waiter?.resume()
        if begins { begin() }
    }

    /// Ends the work, of which the receiver gets no more events.
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

    /// Runs on the receiver's actor, where no cancel of its own can come between a check and the call after it.
    private func run(on isolation: isolated (any Actor)?) async {
        do throws(Failure) {
            try await source.produce(self, isolation)
            _ = end()?.receive?(.finished)
        } catch {
            _ = end()?.receive?(.failed(error))
        }
    }

    /// Ends the work, unless it is over, and returns what is to be released outside of the lock.
    private func end() -> Core? {
        core.withLock { core in
            guard core.state.end() else { return nil }
            defer { (core.task, core.waiter, core.receive) = (nil, nil, nil) }
            return core
        }
    }
}

/// What a source does with its work.
extension ColdWork {
    /// Waits until an element is requested.
    ///
    /// - Parameter isLast: whether to wait for a request even though ``hurry()`` was called.
    /// - Returns: `false` once the work is over.
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

    /// Gives an element to the receiver, or drops it if none is requested.
    func give(_ element: Element) {
        guard let receive = core.withLock({ $0.state.give() ? $0.receive : nil }) else { return }
        request(receive(.element(element)))
    }

    /// Ends the source's wait without a request, so that it sees a failure that needs none.
    func hurry() {
        let waiter = core.withLock { core in
            core.state.isHurried = true
            return core.takeWaiter()
        }
        waiter?.resume()
    }
}

/// The progress of cold work: whether it has begun, and how many elements are requested.
struct ColdState: Sendable, Equatable {
    private enum Phase: Equatable {
        /// The subscriber is getting its subscription.
        case attaching
        /// Nothing was requested yet, and nothing was sent.
        case cold
        /// The work is under way.
        case running
        /// The receiver gets no more events.
        case over
    }

    private var phase = Phase.attaching
    /// The number of elements that are requested and not given, `Int.max` for all.
    private(set) var demand = 0
    /// Whether the source does not wait for requests.
    var isHurried = false

    /// Whether the receiver gets no more events.
    var isOver: Bool { phase == .over }

    /// The subscriber has its subscription.
    ///
    /// - Returns: whether to begin the work.
    mutating func attach() -> Bool {
        guard phase == .attaching else { return false }
        phase = .cold
        return begin()
    }

    /// The subscriber requests elements.
    ///
    /// - Returns: whether to begin the work.
    mutating func request(_ count: Int) -> Bool {
        let (sum, isTooLarge) = demand.addingReportingOverflow(max(0, count))
        demand = isTooLarge ? .max : sum
        return begin()
    }

    /// An element is there.
    ///
    /// - Returns: whether to give it to the receiver.
    mutating func give() -> Bool {
        guard phase == .running, demand > 0 else { return false }
        if demand < .max { demand -= 1 }
        return true
    }

    /// The source has no more elements, or the subscriber wants none.
    ///
    /// - Returns: whether the work was not over yet.
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
