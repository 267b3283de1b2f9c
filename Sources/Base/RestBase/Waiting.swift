// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that comes once, and the tasks that wait for it.
package final class AwaitedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: CheckedContinuation<Value, Never>] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes a value that has not come yet.
    package init() {}

    /// Resumes all waiters with the value.
    ///
    /// The first value stays.
    package func resolve(_ value: Value) {
        let waiters = state.withLock { state in
            if state.value == nil { state.value = value }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
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
                let early = state.withLock { state -> Value? in
                    if let value = state.value { return value }
                    // A task that was cancelled before this point is not among the waiters yet.
                    if let cancelled, Task.isCancelled { return cancelled }
                    state.waiters[number] = waiter
                    return nil
                }
                if let early { waiter.resume(returning: early) }
            }
        } onCancel: {
            guard let cancelled else { return }
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: cancelled)
        }
    }
}

/// Hands the latest value to every reader.
///
/// A slow reader misses values, but always gets the newest one.
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
    private let yield: @Sendable (Reader, Value) -> Void

    /// Makes a feed without readers.
    ///
    /// - Parameter yield: hands a value to a reader.
    package init(yield: @escaping @Sendable (Reader, Value) -> Void = { $0.yield($1) }) { self.yield = yield }

    /// The latest value and all later ones.
    ///
    /// The stream ends with the feed.
    package var stream: AsyncStream<Value> {
        let (stream, reader) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
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
            state.latest = value
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
