// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is set once, and its waiters.
///
/// Each transition returns the removed waiters. Their owner resumes them after releasing its lock.
package struct WaitingList<Value, Waiter> {
    private var value: Value?
    private var waiters: [UInt64: Waiter] = [:]

    package init() {}

    /// Adds a waiter with a unique number.
    ///
    /// - Parameters:
    ///   - waiter: the waiter.
    ///   - number: its number, larger than the numbers of earlier waiters.
    ///   - cancelled: the result for a waiter that was already cancelled, or `nil` for other waiters.
    /// - Returns: the result of a waiter that does not wait, because the value is set or the waiter was cancelled.
    package mutating func add(_ waiter: Waiter, _ number: UInt64, cancelled: Value? = nil) -> Value? {
        if let early = value ?? cancelled { return early }
        waiters[number] = waiter
        return nil
    }

    /// Removes a waiter, if it still waits.
    package mutating func remove(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number) }

    /// Sets the value, unless it is set, and removes all waiters in the order of their numbers.
    package mutating func resolve(_ value: Value) -> [Waiter] {
        if self.value == nil { self.value = value }
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// A value that is set once, and the tasks that wait for it.
package final class AwaitedValue<Value: Sendable>: Sendable {
    private struct State {
        var list = WaitingList<Value, CheckedContinuation<Value, Never>>()
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Resumes all waiters with the value, unless it was already set.
    package func resolve(_ value: Value) {
        for waiter in state.withLock({ $0.list.resolve(value) }) { waiter.resume(returning: value) }
    }

    /// Waits for the value.
    ///
    /// - Parameter cancelled: the result for a cancelled task. Without it, a cancelled task waits for the value.
    /// - Returns: the value.
    package func value(ifCancelled cancelled: Value? = nil) async -> Value {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // A task that was cancelled before this point had not been added.
                let early = state.withLock {
                    $0.list.add(waiter, number, cancelled: Task.isCancelled ? cancelled : nil)
                }
                if let early { waiter.resume(returning: early) }
            }
        } onCancel: {
            guard let cancelled else { return }
            state.withLock { $0.list.remove(number) }?.resume(returning: cancelled)
        }
    }
}

/// Passes the latest values to every reader, and never waits for a reader.
///
/// A slow reader misses the oldest values, but always gets the newest one.
package final class LatestValueFeed<Value: Sendable>: Sendable {
    package typealias Reader = AsyncStream<Value>.Continuation

    private struct State {
        var latest: Value?
        var isOver = false
        var readers: [UInt64: Reader] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let keepsLatest: Bool
    private let yield: @Sendable (Reader, Value) -> Void

    /// Creates a feed without readers.
    ///
    /// - Parameters:
    ///   - capacity: the number of values that are buffered for a slow reader.
    ///   - keepsLatest: whether a new reader gets the latest value first.
    ///   - yield: passes a value to a reader.
    package init(
        capacity: Int = 1, keepsLatest: Bool = true,
        yield: @escaping @Sendable (Reader, Value) -> Void = { $0.yield($1) }
    ) {
        (self.capacity, self.keepsLatest, self.yield) = (capacity, keepsLatest, yield)
    }

    deinit { finish() }

    /// The values from now on, after the latest one if the feed retains it, until the feed ends.
    package var stream: AsyncStream<Value> {
        let (stream, reader) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(capacity))
        let isOver = state.withLock { state in
            if let latest = state.latest { yield(reader, latest) }
            guard !state.isOver else { return true }
            state.last += 1
            let number = state.last
            reader.onTermination = { [weak self] _ in self?.remove(number) }
            state.readers[number] = reader
            return false
        }
        if isOver { reader.finish() }
        return stream
    }

    /// Passes a value to the readers, under the lock, so that an earlier value cannot replace a later one.
    package func report(_ value: Value) {
        state.withLock { state in
            guard !state.isOver else { return }
            if keepsLatest { state.latest = value }
            for reader in state.readers.values { yield(reader, value) }
        }
    }

    package func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func remove(_ number: UInt64) {
        state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
}
