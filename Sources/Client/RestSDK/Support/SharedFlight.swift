// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One piece of work that several wait for.
///
/// It goes on when one of them gives up, and each who gives up is told at once.
final class SharedFlight<Value: Sendable>: Sendable {
    private typealias Outcome = Result<Value, RestError>

    private struct State {
        var outcome: Outcome?
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Begins the work.
    init(name: String, _ work: @escaping @Sendable () async throws(RestError) -> Value) {
        Task(name: name) {
            do throws(RestError) {
                finish(.success(try await work()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// What the work comes to.
    ///
    /// - Throws: the work's error; ``RestError/Code/cancelled`` in a task that is cancelled.
    func value() async throws(RestError) -> Value {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state -> Outcome? in
                    if let outcome = state.outcome { return outcome }
                    // Who is cancelled before this point is not among the waiters yet.
                    if Task.isCancelled { return Self.cancelled }
                    state.waiters[number] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: Self.cancelled)
        }
        return try outcome.get()
    }

    private static var cancelled: Outcome { .failure(RestError(.cancelled, "the call was cancelled")) }

    private func finish(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}
