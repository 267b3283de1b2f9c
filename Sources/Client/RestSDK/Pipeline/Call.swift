// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTransport
import Synchronization

/// A call: the task that does its work, and the state that decides its result.
///
/// The caller waits for the state and not for the task. Ending the call from outside is therefore one transition: it
/// records the reason, resumes the caller if only the app's code is running, and cancels the task.
final class Call: Sendable {
    /// Resumes the caller once with the error of a call that was ended, instead of the result of the work.
    typealias Waiter = @Sendable (RestError) -> Void

    /// The properties of a call in addition to its request.
    struct Options: Sendable {
        /// Called with the progress of the bodies.
        var progress: TransferProgress.Handler?
        /// Called with the body of a successful response before it is parsed.
        var onBody: (@Sendable ([UInt8]) -> Void)?
        /// The destination of the body of a successful response.
        var destination = HTTPResponse.Destination.memory
        /// Whether a call without a trace starts a new trace.
        var beginsTrace = false
    }

    struct Core {
        var state = CallState<Waiter>()
        var task: Task<Void, Never>?
        /// The outcome of a write and the last error, for a call that ends without waiting for its work.
        var ledger = WriteLedger()
        var failure: RestError?
        /// The last response that `next` returned to the app's interceptors.
        var response: HTTPResponse?
        /// The number of completed passes through the interceptors, because a `next` of an earlier pass sends nothing.
        var passes = 0
        /// The key of the token in the request.
        var dpopKey: Credential.DPoPKey?
    }

    let request: RestRequest
    /// The number of the call in its client, or 0 without an event sink.
    let number: UInt64
    /// The call's span in a trace.
    let trace: RestRequest.TraceContext?
    let deadline: ContinuousClock.Instant
    let progress: TransferProgress.Handler?
    let onBody: (@Sendable ([UInt8]) -> Void)?
    let destination: HTTPResponse.Destination
    /// The minimum time for an attempt, because the server could hardly respond in less.
    private let minimumTime: Duration
    let core = Mutex(Core())

    /// The size in bytes from which a body takes so long to read that a call which ends does not wait for it.
    static let longBody = 64 * 1_024
    /// The estimated minimum time for a response, where a call with a short timeout uses a tenth of its timeout
    /// instead.
    private static let roundTrip: Duration = .milliseconds(50)

    /// Creates a call that ends `timeout` after `now`.
    init(
        _ request: RestRequest, _ options: Options = Options(), number: UInt64 = 0, at now: ContinuousClock.Instant,
        timeout: Duration
    ) {
        let timeout = timeout.bounded
        self.request = request
        self.number = number
        trace = request.trace?.child ?? (options.beginsTrace ? RestRequest.TraceContext() : nil)
        deadline = now + timeout
        minimumTime = min(Self.roundTrip, timeout / 10)
        (onBody, destination) = (options.onBody, options.destination)
        progress = options.progress.and(request.progressObserver?.see)
    }

    /// Runs the work in a separate task and returns its result, or the error of a call that was ended from outside.
    func outcome<Content>(
        of work: @escaping @Sendable () async -> sending Result<Content, RestError>
    ) async -> Result<Content, RestError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = core.withLock { $0.state.wait { continuation.resume(returning: .failure($0)) } }
                if let early { return continuation.resume(returning: .failure(error(of: early))) }
                let task = Task {
                    guard let result = finish(await work()) else { return }
                    continuation.resume(returning: result)
                }
                keep(task)
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    /// Ends the call for its caller, its deadline, its client or a logout.
    func end(_ ending: CallEnding) {
        let (waiter, task) = core.withLock { ($0.state.end(ending), $0.task) }
        waiter?(error(of: ending))
        task?.cancel()
    }

    /// The reason why the call was ended, before the caller has its result.
    var ending: CallEnding? { core.withLock { $0.state.ending } }

    private func keep(_ task: Task<Void, Never>) {
        let isEnded = core.withLock { core in
            core.task = task
            return core.state.ending != nil || core.state.phase == .over
        }
        if isEnded { task.cancel() }
    }

    /// Returns the result for the caller, or `nil` if the caller already has its result.
    private func finish<Content>(_ result: sending Result<Content, RestError>) -> sending Result<Content, RestError>? {
        let finish: CallState<Waiter>.Finish =
            switch result {
            case .success: .succeeded
            case .failure(let error): .failed(error.code)
            }
        let delivery = core.withLock { $0.state.finish(finish) }
        switch (delivery, result) {
        case (nil, _): return nil
        case (.ended(.cancelled), .success): return .failure(RestError(.cancelled, outcome: isWrite ? .applied : nil))
        case (.ended(let ending), .failure(let error)): return .failure(error.ended(ending))
        case (.success, _), (.failure, _), (.ended, .success): return result
        }
    }
}

/// The state that the steps of the call use.
extension Call {
    private var isWrite: Bool { request.isWrite }

    var attemptCount: Int { core.withLock { $0.state.attempts } }

    /// Whether there is enough time left for an attempt.
    func hasTime(at instant: ContinuousClock.Instant) -> Bool { instant + minimumTime <= deadline }

    /// Starts an attempt and returns its number, from 0.
    ///
    /// - Throws: ``RestError/Code/cancelled`` or ``RestError/Code/timedOut`` if the call was already ended.
    func beginAttempt(at now: ContinuousClock.Instant) throws(RestError) -> Int {
        let hasTime = hasTime(at: now)
        let permission = core.withLock { core in
            if !hasTime { core.state.end(.timedOut) }
            let permission = core.state.begin()
            if case .attempt = permission { core.ledger.attemptBegins() }
            return permission
        }
        switch permission {
        case .attempt(let number): return number
        case .refused(let ending): throw RestError(ending, outcome: isWrite ? .notApplied : nil)
        }
    }

    /// Records that the transport has returned.
    func attemptEnded() { core.withLock { $0.state.attemptEnded() } }

    func renew() -> Bool { core.withLock { $0.state.renew() } }

    func renewalEnded(withToken: Bool) { core.withLock { $0.state.renewalEnded(withToken: withToken) } }

    /// Records the outcome of the SDK's steps, regardless of what app code does with it.
    func reached(_ failure: RestError?) {
        core.withLock { core in
            core.ledger.learned(failure.map { $0.outcome ?? .notApplied } ?? .applied)
            core.failure = failure
        }
    }

    /// Records the error of a whole pass, and returns it with the outcome of everything that the call sent.
    func concluded(_ failure: RestError) -> RestError {
        reached(failure)
        let outcome = core.withLock { core in
            core.ledger.settle()
            return core.ledger.joined
        }
        return failure.joining(isWrite ? outcome : nil)
    }

    /// The outcome of a write so far, or `nil` for a read.
    var reachedOutcome: RestError.WriteOutcome? { isWrite ? core.withLock { $0.ledger.joined } : nil }

    /// Whether the SDK may send the request again after an error.
    ///
    /// An earlier attempt may have been applied even if this error's outcome is `notApplied`.
    func mayRepeat(after failure: RestError) -> Bool {
        let settled = core.withLock { $0.ledger.settled }
        return request.isIdempotent || settled.and(failure.outcome ?? .notApplied) == .notApplied
    }

    /// Runs work that may ignore the end of the call, such as the app's code or reading a long response.
    ///
    /// - Throws: the error of a call that was already ended, without running the work.
    func unbound<Value>(_ work: () async throws(RestError) -> Value) async throws(RestError) -> Value {
        if let ending = unboundWorkBegins() { throw RestError(ending, outcome: reachedOutcome) }
        defer { core.withLock { $0.state.unboundWorkEnds() } }
        return try await work()
    }

    /// Runs a step of the SDK inside work that may ignore the end of the call.
    func bound<Value>(_ step: () async throws(RestError) -> Value) async throws(RestError) -> Value {
        core.withLock { $0.state.unboundWorkEnds() }
        defer { _ = unboundWorkBegins() }
        return try await step()
    }

    /// Begins work that may ignore the end, but resumes the caller if the call was already ended.
    private func unboundWorkBegins() -> CallEnding? {
        guard let (ending, waiter) = core.withLock({ $0.state.unboundWorkBegins() }) else { return nil }
        waiter?(error(of: ending))
        return ending
    }

    /// Returns the error of a call that was ended from outside, with its outcome, last error and attempts.
    private func error(of ending: CallEnding) -> RestError {
        let (outcome, failure) = core.withLock { ($0.ledger.joined, $0.failure) }
        return RestError(ending, outcome: isWrite ? outcome : nil, underlying: failure).after(failure?.attempts ?? [])
    }
}

extension Optional where Wrapped == TransferProgress.Handler {
    /// Returns a handler that calls both handlers.
    fileprivate func and(_ other: TransferProgress.Handler?) -> TransferProgress.Handler? {
        guard let self, let other else { return self ?? other }
        return { progress in
            self(progress)
            other(progress)
        }
    }
}

extension RestError {
    /// Creates the error of a call that was ended from outside.
    init(_ ending: CallEnding, outcome: RestError.WriteOutcome?, underlying: (any Error)? = nil) {
        switch ending {
        case .cancelled: self.init(.cancelled, "the call was cancelled", outcome: outcome, underlying: underlying)
        case .timedOut: self.init(.timedOut, "the call's deadline passed", outcome: outcome, underlying: underlying)
        case .shutDown: self.init(.shutDown, "the client was shut down", outcome: outcome, underlying: underlying)
        case .loggedOut: self.init(.loggedOut, "the account was logged out", outcome: outcome, underlying: underlying)
        }
    }

    /// Returns the error of a call that was ended while it failed with this error, including its facts.
    fileprivate func ended(_ ending: CallEnding) -> RestError {
        // The cancellation of a step has no information, but its underlying error may.
        let behind = code == .cancelled ? underlying : self
        let error = RestError(ending, outcome: outcome, underlying: behind).after(attempts)
        guard code != error.code else { return self }
        return request.map(error.about) ?? error
    }
}

/// The passes of the call through the app's interceptors.
extension Call {
    /// Returns the number of the current pass.
    func appBegins() -> Int { core.withLock { $0.passes } }

    /// Ends a pass with the response of the interceptors, or `nil` for an error, after which `next` sends nothing.
    ///
    /// If the response has the body of the last response of `next`, reading the body may still correct the outcome of a
    /// write.
    func appEnded(with response: HTTPResponse?) {
        core.withLock { core in
            core.passes += 1
            let last = core.response
            core.response = nil
            let isLast = response.map { $0.head.status == last?.head.status && $0.content == last?.content } ?? false
            if !isLast { core.ledger.settle() }
        }
    }

    /// Begins a request by `next`.
    ///
    /// - Throws: ``RestError/Code/cancelled`` if the interceptors have already returned.
    func nextBegins(_ pass: Int) throws(RestError) {
        let isCurrent = core.withLock { core in
            guard core.passes == pass else { return false }
            core.response = nil
            core.ledger.settle()
            return true
        }
        guard !isCurrent else { return }
        throw RestError(
            .cancelled, "'next' was called after its interceptor returned",
            outcome: request.isWrite ? .notApplied : nil)
    }

    /// Records the response that `next` returns to an interceptor.
    ///
    /// The outcome of a write is read from the body now, because the body may never be read later.
    func nextEnded(with response: HTTPResponse) {
        let isRead = request.isWrite && response.body.count < Self.longBody
        let outcome = isRead ? RestResponse.outcome(of: response, expecting: request.expectation) : nil
        core.withLock { core in
            if let outcome { core.ledger.learned(outcome) }
            core.response = response
        }
    }
}
