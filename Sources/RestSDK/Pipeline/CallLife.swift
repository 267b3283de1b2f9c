// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The lock around the state of one call, which all copies of its context share.
final class CallLife: Sendable {
    private let state = Mutex(CallState())
    /// What the SDK's own steps came to so far, for a call that goes on without the host's code around them.
    private let reached = Mutex<(outcome: WriteOutcome, failure: RestError?)>((.notApplied, nil))
    /// Ends the work that the call waits for, while it does.
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    /// How often the call was sent so far.
    var attemptCount: Int { state.withLock { $0.attempts } }

    /// Begins an attempt and gives its number, from 0.
    ///
    /// - Throws: ``RestError/Code/cancelled`` or ``RestError/Code/timedOut`` when the call was ended already.
    func begin(isWrite: Bool) throws(RestError) -> Int {
        switch state.withLock({ $0.begin() }) {
        case .attempt(let number): return number
        case .refused(let ending): throw RestError(ending, outcome: isWrite ? .notApplied : nil)
        }
    }

    /// The transport let go of the attempt.
    func attemptEnded() { state.withLock { $0.attemptEnded() } }

    /// Whether the call may wait for a new token and be replayed with it.
    func renew() -> Bool { state.withLock { $0.renew() } }

    /// The wait for a new token is over.
    func renewalEnded(withToken: Bool) { state.withLock { $0.renewalEnded(withToken: withToken) } }

    /// Ends the call from outside; the work that it waits for goes on to its own end.
    func end(_ ending: CallState.Ending) { state.withLock { $0.end(ending) } }

    /// What ended the call from outside; `nil` while nothing did.
    var ending: CallState.Ending? { state.withLock { $0.ending } }

    /// The SDK's own steps came to an end inside the host's code.
    func stepsEnded(_ result: Result<HTTPResponse, RestError>) {
        reached.withLock { reached in
            switch result {
            case .success: reached = (.applied, nil)
            case .failure(let error): reached = (reached.outcome.and(error.outcome ?? .notApplied), error)
            }
        }
    }

    /// What is known of a write by the SDK's own steps so far, inside the host's code.
    var reachedOutcome: WriteOutcome { reached.withLock { $0.outcome } }

    /// The error of a call that was ended while the host's code was at work.
    func abandoned(_ ending: CallState.Ending, isWrite: Bool) -> RestError {
        let (outcome, failure) = reached.withLock { $0 }
        return RestError(ending, outcome: isWrite ? outcome : nil, underlying: failure).after(failure?.attempts ?? [])
    }

    /// Ends the call from outside, and the work that it waits for.
    func interrupt(_ ending: CallState.Ending) {
        end(ending)
        interruption.withLock { $0 }?()
    }

    /// Does work that can be ended from outside of the caller's task too, because it heeds the end of its task.
    ///
    /// In a task of its own, which is never left alone: whoever asked for the work waits for it. Inside of work that
    /// can be interrupted already, it is just done.
    func interruptible<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        // The place is taken before the task begins, so that a wait inside of the work cannot take it.
        guard takePlace({}) else { return await work() }
        defer { interruption.withLock { $0 = nil } }
        let task = Task { await work() }
        interruption.withLock { $0 = { task.cancel() } }
        // An interruption that came before there was something to interrupt.
        if ending != nil { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Waits for work that can be ended from outside of the caller's task too, by calling `stop`.
    ///
    /// Inside of work that can be interrupted already, the wait ends with its task.
    func whileInterruptible<Value, Failure>(
        by stop: @escaping @Sendable () -> Void, during wait: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard takePlace(stop) else { return try await wait() }
        defer { interruption.withLock { $0 = nil } }
        // An interruption that came before there was something to interrupt.
        if ending != nil { stop() }
        return try await wait()
    }

    /// Says how the work is ended that the call waits for now; `false` inside of work that can be interrupted already.
    private func takePlace(_ stop: @escaping @Sendable () -> Void) -> Bool {
        interruption.withLock { interruption in
            guard interruption == nil else { return false }
            interruption = stop
            return true
        }
    }

    /// Sleeps; `false` when the call was ended before.
    func slept(until moment: ContinuousClock.Instant, on clock: any MonotonicClock) async -> Bool {
        await interruptible { (try? await clock.sleep(until: moment, tolerance: nil)) != nil }
    }

    /// The one outcome to deliver, now that the steps came to theirs.
    func finish<Value>(_ result: Result<Value, RestError>, isWrite: Bool) -> Result<Value, RestError> {
        let delivery = state.withLock { $0.finish(result.finish) }
        switch (delivery, result) {
        case (.cancelled, .success): return .failure(RestError(.cancelled, outcome: isWrite ? .applied : nil))
        case (.cancelled, .failure(let error)): return .failure(error.ended(.cancelled))
        case (.timedOut, .failure(let error)): return .failure(error.ended(.timedOut))
        case (.shutDown, .failure(let error)): return .failure(error.ended(.shutDown))
        case (.success, _), (.failure, _), (.timedOut, .success), (.shutDown, .success), (nil, _): return result
        }
    }
}

extension Result where Failure == RestError {
    fileprivate var finish: CallState.Finish {
        switch self {
        case .success: .succeeded
        case .failure(let error): .failed(error.code)
        }
    }
}

extension RestError {
    /// The error of a call that was ended from outside.
    init(_ ending: CallState.Ending, outcome: WriteOutcome?, underlying: RestError? = nil) {
        switch ending {
        case .cancelled: self.init(.cancelled, "the call was cancelled", outcome: outcome, underlying: underlying)
        case .timedOut: self.init(.timedOut, "the call's deadline passed", outcome: outcome, underlying: underlying)
        case .shutDown: self.init(.shutDown, "the client was shut down", outcome: outcome, underlying: underlying)
        }
    }

    /// The error of a call that was ended while it failed in this way; everything that is known is kept.
    func ended(_ ending: CallState.Ending) -> RestError {
        let error = RestError(ending, outcome: outcome, underlying: self).after(attempts)
        guard code != error.code else { return self }
        return request.map(error.about) ?? error
    }
}
