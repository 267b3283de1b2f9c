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

/// The subscription with closures.
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
        EventTask(
            Task(name: "subscription") {
                _ = isolation  // the task stays on the caller's actor, and so do the closures
                var iterator = makeAsyncIterator()
                let error = await iterator.forEach(isolation: isolation) { item in
                    if case .element(let element) = item { onEvent(element) }
                }
                onEnd(error)
                return error
            })
    }

    /// Subscribes, and calls closures on a queue, one call at a time.
    ///
    /// If the subscription has a store, the position of an event is stored after `onEvent` has returned.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the closures are called.
    ///   - onEvent: receives each event.
    ///   - onEnd: receives the error with which the subscription ends, once, even after a cancellation.
    /// - Returns: the subscription in progress.
    @discardableResult
    public func subscribe(
        on queue: DispatchQueue, onEvent: @escaping @Sendable (Element) -> Void,
        onEnd: @escaping @Sendable (EventError) -> Void
    ) -> EventTask {
        subscribe(on: queue) { item in
            if case .element(let element) = item { onEvent(element) }
        } end: {
            onEnd($0)
        }
    }

    private func subscribe(
        on queue: DispatchQueue, item: @escaping @Sendable (AsyncIterator.Item) -> Void,
        end: @escaping @Sendable (EventError) -> Void
    ) -> EventTask {
        EventTask(
            Task(name: "subscription") {
                var iterator = makeAsyncIterator()
                let error = await iterator.forEach(isolation: nil) { next in
                    await queue.perform { item(next) }
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

/// The subscription with a delegate.
extension EventSequence {
    /// Subscribes, and calls a delegate on the caller's actor, one call at a time.
    ///
    /// The delegate does not need to be `Sendable`. It is held weakly: without it the subscription is cancelled when
    /// the next event arrives.
    ///
    /// - Parameters:
    ///   - delegate: the delegate.
    ///   - isolation: the caller's actor. Without an actor, use a queue.
    /// - Returns: the subscription in progress.
    @discardableResult
    public func subscribe<D: EventDelegate>(
        delegate: D, isolation: isolated any Actor = #isolation
    ) -> EventTask where D.Event == Element {
        EventTask(
            Task(name: "subscription") { [weak delegate] in
                _ = isolation
                var iterator = makeAsyncIterator()
                let error = await iterator.forEach(isolation: isolation) { item in
                    guard let delegate else {
                        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                        return
                    }
                    delegate.receive(item, of: channels)
                }
                delegate?.subscription(channels, didFail: error)
                return error
            })
    }

    /// Subscribes, and calls a delegate on a queue, one call at a time, for callers without an actor.
    ///
    /// - Parameters:
    ///   - delegate: the delegate, which is held weakly.
    ///   - queue: the queue on which the delegate is called.
    /// - Returns: the subscription in progress.
    @discardableResult
    public func subscribe<D: EventDelegate & Sendable>(
        delegate: D, on queue: DispatchQueue
    ) -> EventTask where D.Event == Element {
        let channels = channels
        return subscribe(on: queue) { [weak delegate] item in
            delegate?.receive(item, of: channels)
        } end: { [weak delegate] in
            delegate?.subscription(channels, didFail: $0)
        }
    }
}

extension EventSequence.AsyncIterator {
    /// Calls `body` for each item until the end, and returns the error of the end.
    fileprivate mutating func forEach(
        isolation: isolated (any Actor)?, _ body: (Item) async -> Void
    ) async -> EventError {
        do throws(EventError) {
            while let item = try await nextItem(isolation: isolation) { await body(item) }
        } catch {
            return error
        }
        return EventError(.cancelled, "the subscription was cancelled")
    }
}

extension DispatchQueue {
    /// Runs the work on the queue, and returns when it is done.
    fileprivate func perform(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            async {
                work()
                done.resume()
            }
        }
    }
}
