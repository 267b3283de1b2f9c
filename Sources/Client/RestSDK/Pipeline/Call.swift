// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One call: the task that does its work, and the state that says how it ends.
///
/// Whoever sends the call waits for its state, not for its task. So an end from outside is one transition: it records
/// the reason, resumes the waiter if nothing but the app's own code is left at work, and cancels the task.
final class Call: Sendable {
    /// Tells the caller that the call was ended; called once, instead of the result of the work.
    typealias Waiter = @Sendable (RestError) -> Void

    /// What belongs to a call beside its request.
    struct Options: Sendable {
        /// Is told how far the bodies have come.
        var progress: TransferProgress.Handler?
        /// Is shown the body of a successful answer before it is parsed.
        var onBody: (@Sendable ([UInt8]) -> Void)?
        /// Where the body of a successful answer goes.
        var destination = HTTPResponse.Destination.memory
        /// Whether a call without a trace begins one.
        var beginsTrace = false
    }

    struct Core {
        var state = CallState<Waiter>()
        var task: Task<Void, Never>?
        /// What is known of a write, and the last failure, for a call that goes on without the work around its steps.
        var ledger = WriteLedger()
        var failure: RestError?
        /// The last response that `next` gave the app's interceptors.
        var response: HTTPResponse?
        /// How often the call passed the interceptors; a `next` of an earlier time sends nothing.
        var passes = 0
    }

    let request: RestRequest
    /// The call's number among those of its client; 0 when nobody observes.
    let number: UInt64
    /// The step of a trace that the call is.
    let trace: RestRequest.TraceContext?
    let deadline: ContinuousClock.Instant
    let progress: TransferProgress.Handler?
    let onBody: (@Sendable ([UInt8]) -> Void)?
    let destination: HTTPResponse.Destination
    /// The least time an attempt is begun with: the server could hardly answer within less.
    private let minimumTime: Duration
    let core = Mutex(Core())

    /// Bodies from this size on, in bytes, take long enough to read that a call which ends does not wait for that.
    static let longBody = 64 * 1_024
    /// What an answer takes at least, by guess; a tenth of its time for a call that has less than ten of these.
    private static let roundTrip: Duration = .milliseconds(50)

    /// Makes a call that may take so long from now.
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

    /// Does the work in a task of the call's own, and gives what it comes to, or the error of the call's end from
    /// outside.
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

    /// Ends the call from outside: by its caller, its deadline or its client.
    func end(_ ending: CallEnding) {
        let (waiter, task) = core.withLock { ($0.state.end(ending), $0.task) }
        waiter?(error(of: ending))
        task?.cancel()
    }

    /// What ended the call from outside, while its caller was not told yet.
    var ending: CallEnding? { core.withLock { $0.state.ending } }

    private func keep(_ task: Task<Void, Never>) {
        let isEnded = core.withLock { core in
            core.task = task
            return core.state.ending != nil || core.state.phase == .over
        }
        if isEnded { task.cancel() }
    }

    /// What to tell the caller, now that the work came to its end; `nil` when the caller was told before.
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

/// What the steps of the call ask and tell.
extension Call {
    private var isWrite: Bool { request.isWrite }

    /// How often the call was sent so far: first time, retries, replays and redirects alike.
    var attemptCount: Int { core.withLock { $0.state.attempts } }

    /// Whether so much time is left at the instant that an attempt is worth beginning.
    func hasTime(at instant: ContinuousClock.Instant) -> Bool { instant + minimumTime <= deadline }

    /// Begins an attempt and gives its number, from 0.
    ///
    /// - Throws: ``RestError/Code/cancelled`` or ``RestError/Code/timedOut`` when the call was ended already.
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

    /// The transport returned from the attempt.
    func attemptEnded() { core.withLock { $0.state.attemptEnded() } }

    /// Whether the call may wait for a new token and be replayed with it.
    func renew() -> Bool { core.withLock { $0.state.renew() } }

    /// The wait for a new token is over.
    func renewalEnded(withToken: Bool) { core.withLock { $0.state.renewalEnded(withToken: withToken) } }

    /// The steps came so far, whatever the work around them makes of it.
    func reached(_ failure: RestError?) {
        core.withLock { core in
            core.ledger.learned(failure.map { $0.outcome ?? .notApplied } ?? .applied)
            core.failure = failure
        }
    }

    /// Records the failure with which one way through all steps ended.
    ///
    /// - Returns: the failure with the outcome of everything that the call sent.
    func concluded(_ failure: RestError) -> RestError {
        reached(failure)
        let outcome = core.withLock { core in
            core.ledger.settle()
            return core.ledger.joined
        }
        return failure.joining(isWrite ? outcome : nil)
    }

    /// What is known of a write so far; `nil` for a read.
    var reachedOutcome: RestError.WriteOutcome? { isWrite ? core.withLock { $0.ledger.joined } : nil }

    /// Whether the SDK may send the request again by itself after a failure: what was sent before may have been applied
    /// although this failure says that it was not.
    func mayRepeat(after failure: RestError) -> Bool {
        let settled = core.withLock { $0.ledger.settled }
        return request.isIdempotent || settled.and(failure.outcome ?? .notApplied) == .notApplied
    }

    /// Does work that may ignore the end of the call: the app's own code, or reading a long answer.
    ///
    /// - Throws: the error of a call that was ended before; the work is not begun then.
    func unbound<Value>(_ work: () async throws(RestError) -> Value) async throws(RestError) -> Value {
        if let ending = unboundWorkBegins() { throw RestError(ending, outcome: reachedOutcome) }
        defer { core.withLock { $0.state.unboundWorkEnds() } }
        return try await work()
    }

    /// Does a step of the SDK inside of work that may ignore the end of the call.
    func bound<Value>(_ step: () async throws(RestError) -> Value) async throws(RestError) -> Value {
        core.withLock { $0.state.unboundWorkEnds() }
        defer { _ = unboundWorkBegins() }
        return try await step()
    }

    /// Tells the caller when the call was ended before, which goes on without the work then.
    private func unboundWorkBegins() -> CallEnding? {
        guard let (ending, waiter) = core.withLock({ $0.state.unboundWorkBegins() }) else { return nil }
        waiter?(error(of: ending))
        return ending
    }

    /// The error of a call that was ended from outside, with everything that is known.
    private func error(of ending: CallEnding) -> RestError {
        let (outcome, failure) = core.withLock { ($0.ledger.joined, $0.failure) }
        return RestError(ending, outcome: isWrite ? outcome : nil, underlying: failure).after(failure?.attempts ?? [])
    }
}

extension Optional where Wrapped == TransferProgress.Handler {
    /// Tells both, where there are two: the one who watches the call, and the one whom the request names.
    fileprivate func and(_ other: TransferProgress.Handler?) -> TransferProgress.Handler? {
        guard let self, let other else { return self ?? other }
        return { progress in
            self(progress)
            other(progress)
        }
    }
}

extension RestError {
    /// The error of a call that was ended from outside.
    init(_ ending: CallEnding, outcome: RestError.WriteOutcome?, underlying: (any Error)? = nil) {
        switch ending {
        case .cancelled: self.init(.cancelled, "the call was cancelled", outcome: outcome, underlying: underlying)
        case .timedOut: self.init(.timedOut, "the call's deadline passed", outcome: outcome, underlying: underlying)
        case .shutDown: self.init(.shutDown, "the client was shut down", outcome: outcome, underlying: underlying)
        case .loggedOut: self.init(.loggedOut, "the account was logged out", outcome: outcome, underlying: underlying)
        }
    }

    /// The error of a call that was ended while it failed in this way; everything that is known is kept.
    fileprivate func ended(_ ending: CallEnding) -> RestError {
        // That a step saw its task cancelled says nothing; what stands behind it may.
        let behind = code == .cancelled ? underlying : self
        let error = RestError(ending, outcome: outcome, underlying: behind).after(attempts)
        guard code != error.code else { return self }
        return request.map(error.about) ?? error
    }
}

/// What a call knows of its way through the app's interceptors.
extension Call {
    /// The call enters the interceptors; gives the number of this time.
    func appBegins() -> Int { core.withLock { $0.passes } }

    /// The interceptors returned.
    ///
    /// What `next` sends later is refused.
    ///
    /// - Parameter response: what they returned; `nil` for an error. If the body is that of the last response that
    ///   `next` gave, reading it may still correct what is known of a write.
    func appEnded(with response: HTTPResponse?) {
        core.withLock { core in
            core.passes += 1
            let last = core.response
            core.response = nil
            let isLast = response.map { $0.head.status == last?.head.status && $0.content == last?.content } ?? false
            if !isLast { core.ledger.settle() }
        }
    }

    /// An interceptor lets the request go.
    ///
    /// - Throws: ``RestError/Code/cancelled`` when it returned before.
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

    /// `next` gives the interceptor a response.
    ///
    /// What the body says of a write is looked at here, because nobody may read it later.
    func nextEnded(with response: HTTPResponse) {
        let isRead = request.isWrite && response.body.count < Self.longBody
        let outcome = isRead ? RestResponse.outcome(of: response, expecting: request.expectation) : nil
        core.withLock { core in
            if let outcome { core.ledger.learned(outcome) }
            core.response = response
        }
    }
}
