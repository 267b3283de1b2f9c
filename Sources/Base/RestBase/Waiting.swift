// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The value that comes once, and those who wait for it.
///
/// Each transition returns the waiters that it takes out. Their owner resumes them after it has released its lock.
package struct WaitingList<Value, Waiter> {
    private var value: Value?
    private var waiters: [UInt64: Waiter] = [:]

    /// Makes a list without a value and without waiters.
    package init() {}

    /// Adds a waiter under a number of its own.
    ///
    /// - Parameters:
    ///   - waiter: the waiter.
    ///   - number: its number, larger than those of the waiters before it.
    ///   - cancelled: the result for a waiter that was cancelled before; `nil` if it waits.
    /// - Returns: the result of a waiter that does not wait, because the value is there or the waiter was cancelled.
    package mutating func add(_ waiter: Waiter, _ number: UInt64, cancelled: Value? = nil) -> Value? {
        if let early = value ?? cancelled { return early }
        waiters[number] = waiter
        return nil
    }

    /// Takes out a waiter that does not want to wait any more, if it still waits.
    package mutating func remove(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number) }

    /// Sets the value, unless there is one, and takes out all waiters in the order of their numbers.
    package mutating func resolve(_ value: Value) -> [Waiter] {
        if self.value == nil { self.value = value }
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// A value that comes once, and the tasks that wait for it.
package final class AwaitedValue<Value: Sendable>: Sendable {
    private struct State {
        var list = WaitingList<Value, CheckedContinuation<Value, Never>>()
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes a value that has not come yet.
    package init() {}

    /// Resumes all waiters with the value.
    ///
    /// The first value stays.
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
                // A task that was cancelled before this point was not among the waiters yet.
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

/// Hands the latest values to every reader, and never waits for one of them.
///
/// A slow reader misses the oldest values, but always gets the newest one.
package final class LatestValueFeed<Value: Sendable>: Sendable {
    /// The writing end of a reader's stream.
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

    /// Makes a feed without readers.
    ///
    /// - Parameters:
    ///   - capacity: the number of latest values that wait for a slow reader.
    ///   - keepsLatest: whether a new reader gets the latest value first.
    ///   - yield: hands a value to a reader.
    package init(
        capacity: Int = 1, keepsLatest: Bool = true,
        yield: @escaping @Sendable (Reader, Value) -> Void = { $0.yield($1) }
    ) {
        (self.capacity, self.keepsLatest, self.yield) = (capacity, keepsLatest, yield)
    }

    deinit { finish() }

    /// The values from now on, after the latest one if the feed keeps it.
    ///
    /// The stream ends with the feed.
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

    /// Hands a value to the readers.
    ///
    /// It does so under the lock. Without the lock, an earlier value could replace a later one.
    package func report(_ value: Value) {
        state.withLock { state in
            guard !state.isOver else { return }
            if keepsLatest { state.latest = value }
            for reader in state.readers.values { yield(reader, value) }
        }
    }

    /// Ends the feed.
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
