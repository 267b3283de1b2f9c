// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import RestSDK

/// A subscription in progress that was started with closures or a delegate.
public struct EventTask: Sendable {
    private let task: Task<EventError, Never>

    fileprivate init(_ task: Task<EventError, Never>) { self.task = task }

    /// Cancels the subscription, unless it has ended.
    ///
    /// Its last callback is called once, with ``EventError/Code/cancelled``.
    public func cancel() { task.cancel() }

    /// The error with which the subscription ended, available after its last callback has returned.
    public var error: EventError {
        get async { await task.value }
    }
}

extension EventSequence {
    /// Subscribes, and calls closures on the caller's actor, one call at a time.
    ///
    /// If the subscription has a store, the position of an event is stored after `onEvent` has returned.
    ///
    /// - Parameters:
    ///   - isolation: the caller's actor. Without an actor, the closures are called on a thread of the concurrency
    ///     runtime. Use a queue to have the compiler check the closures.
    ///   - onEvent: receives each event.
    ///   - onEnd: receives the error with which the subscription ends, once, even after a cancellation.
    /// - Returns: the subscription in progress.
    @discardableResult
    public func subscribe(
        isolation: isolated (any Actor)? = #isolation, onEvent: @escaping (Element) -> Void,
        onEnd: @escaping (EventError) -> Void
    ) -> EventTask {
        subscribe(
            isolation,
            { item in
                if case .element(let element) = item { onEvent(element) }
                return true
            }, onEnd)
    }

    /// Subscribes, and calls closures on a queue, one call at a time.
    ///
    /// See ``subscribe(isolation:onEvent:onEnd:)``.
    @discardableResult
    public func subscribe(
        on queue: DispatchQueue, onEvent: @escaping @Sendable (Element) -> Void,
        onEnd: @escaping @Sendable (EventError) -> Void
    ) -> EventTask {
        subscribe(
            on: queue,
            { item in
                if case .element(let element) = item { onEvent(element) }
                return true
            }, onEnd)
    }

    /// Subscribes, and calls a delegate on the caller's actor, one call at a time.
    ///
    /// The delegate does not need to be `Sendable`. It is held weakly. Without it, the subscription is cancelled when
    /// the next event arrives, whose position is not stored.
    ///
    /// - Parameters:
    ///   - delegate: the delegate.
    ///   - isolation: the caller's actor. Without an actor, use a queue.
    /// - Returns: the subscription in progress.
    @discardableResult
    public func subscribe<D: EventDelegate>(
        delegate: D, isolation: isolated any Actor = #isolation
    ) -> EventTask where D.Event == Element {
        let channels = channels
        return subscribe(
            isolation, { [weak delegate] in delegate?.receive($0, of: channels) != nil },
            { [weak delegate] in delegate?.subscription(channels, didFail: $0) })
    }

    /// Subscribes, and calls a delegate on a queue, one call at a time, for callers without an actor.
    ///
    /// See ``subscribe(delegate:isolation:)``.
    @discardableResult
    public func subscribe<D: EventDelegate & Sendable>(
        delegate: D, on queue: DispatchQueue
    ) -> EventTask where D.Event == Element {
        let channels = channels
        return subscribe(
            on: queue, { [weak delegate] in delegate?.receive($0, of: channels) != nil },
            { [weak delegate] in delegate?.subscription(channels, didFail: $0) })
    }

    /// Calls `receive` for each item, until it returns `false`, and then `end`.
    private func subscribe(
        _ isolation: isolated (any Actor)?, _ receive: @escaping (AsyncIterator.Item) -> Bool,
        _ end: @escaping (EventError) -> Void
    ) -> EventTask {
        EventTask(
            Task(name: "subscription") {
                _ = isolation  // the task stays on the caller's actor, and so do the closures
                var iterator = makeAsyncIterator()
                let error = await iterator.forEach(isolation: isolation) { receive($0) }
                end(error)
                return error
            })
    }

    private func subscribe(
        on queue: DispatchQueue, _ receive: @escaping @Sendable (AsyncIterator.Item) -> Bool,
        _ end: @escaping @Sendable (EventError) -> Void
    ) -> EventTask {
        EventTask(
            Task(name: "subscription") {
                var iterator = makeAsyncIterator()
                let error = await iterator.forEach(isolation: nil) { item in
                    await queue.perform { receive(item) }
                }
                await queue.perform { end(error) }
                return error
            })
    }
}

/// Receives the events of a subscription.
///
/// ``subscription(_:didFail:)`` is called exactly once, after all other callbacks.
public protocol EventDelegate<Event>: AnyObject {
    /// The type of the events: ``ReceivedEvent`` or ``ChangeEvent``.
    associatedtype Event: Sendable

    /// An event arrived. Its position is stored after this method has returned, if the subscription has a store.
    func subscription(_ channels: [String], didReceive event: Event)

    /// The subscription ended, also by a cancellation.
    func subscription(_ channels: [String], didFail error: EventError)

    /// The subscription continues after the connection was lost.
    func subscriptionDidReconnect(_ channels: [String])

    /// Events were missed before the next event.
    func subscription(_ channels: [String], didMissEvents gap: EventGap)
}

extension EventDelegate {
    /// Does nothing, because no event was missed.
    public func subscriptionDidReconnect(_ channels: [String]) {}

    fileprivate func receive(_ item: EventSequence<Event>.AsyncIterator.Item, of channels: [String]) {
        switch item {
        case .element(let event): subscription(channels, didReceive: event)
        case .status(.resumed): subscriptionDidReconnect(channels)
        case .status(.gap(let gap)): subscription(channels, didMissEvents: gap)
        case .status: break
        }
    }
}

extension EventSequence.AsyncIterator {
    /// Calls `body` for each item until the end or until it returns `false`, and returns the error of the end.
    fileprivate mutating func forEach(
        isolation: isolated (any Actor)?, _ body: (Item) async -> Bool
    ) async -> EventError {
        do throws(EventError) {
            while let item = try await nextItem(isolation: isolation), await body(item) {}
        } catch {
            return error
        }
        return EventError(.cancelled, "the subscription was cancelled")
    }
}

extension DispatchQueue {
    /// Runs the work on the queue, and returns its result.
    fileprivate func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in async { done.resume(returning: work()) } }
    }
}
