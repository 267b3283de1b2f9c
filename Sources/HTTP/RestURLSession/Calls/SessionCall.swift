// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One call on its way: shared by the caller, whoever cancels it, the timer and URLSession's callbacks.
final class SessionCall: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    /// What the lock guards.
    struct State {
        var delivery = TransferState<Waiter, URLSessionTask>()
        var collector: ResponseCollector
        var activity: TransferActivity
        var progress: TransferProgress
        var reporter: ProgressReporter?
        var stopwatch: Stopwatch?
        /// Whether the server asked for credentials: the task then ends with an error although there is an answer.
        var wasChallenged = false
        /// Why the server is not to be trusted, if a pin said so: the task was told to end for it.
        var distrust: String?
        /// Whether the request was begun on any connection; URLSession says it shortly before the end, or never.
        var hasBegun: Bool?
        /// A streamed request body on its way to URLSession.
        var body: StreamedBody?
    }

    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let configuration: SessionConfiguration
    /// Makes the session, or shares it.
    let source: SessionSource
    /// Who makes a streamed request body.
    let maker = BodyMaker()
    /// The reader of a streamed response body.
    let reader: BodyReader?
    let state: Mutex<State>
    private let message: URLRequest

    init(
        request: HTTPRequest, deadline: ContinuousClock.Instant, configuration: SessionConfiguration,
        source: SessionSource, destination: ResponseCollector.Destination, progress: TransferProgress.Handler?
    ) throws(TransportError) {
        message = try URLRequest(request)
        self.request = request
        self.source = source
        self.deadline = deadline
        self.configuration = configuration
        if case .reader(let reader) = destination { self.reader = reader } else { reader = nil }
        state = Mutex(
            State(
                collector: ResponseCollector(
                    limits: configuration, destination: destination, isHeadRequest: request.method == .head),
                activity: TransferActivity(last: .now), progress: TransferProgress(sentTotal: request.body.length),
                reporter: progress.map(ProgressReporter.init),
                stopwatch: configuration.collectsMetrics ? Stopwatch() : nil))
    }

    /// Keeps the streamed body of the request until its task has ended; `false` when the call is over.
    func attach(_ body: StreamedBody) -> Bool {
        let isWanted = state.withLock { state in
            if !state.delivery.isOver { state.body = body }
            return !state.delivery.isOver
        }
        if !isWanted { body.discard() }
        return isWanted
    }

    /// Makes the task that sends the request.
    func makeTask(in session: URLSession) -> URLSessionTask {
        switch request.body {
        case .empty: session.dataTask(with: message)
        case .bytes(let bytes): session.uploadTask(with: message, from: Data(bytes))
        case .file(let file): session.uploadTask(with: message, fromFile: URL(fileURLWithPath: file.path))
        case .stream: state.withLock { $0.body }?.task(message, in: session) ?? session.dataTask(with: message)
        }
    }

    /// Whether nothing more must be sent or taken.
    var isOver: Bool { state.withLock { $0.delivery.isOver } }

    /// Whether a task was made for the call.
    var hasLeft: Bool { state.withLock { $0.delivery.hasLeft } }

    /// Registers the caller; resumes it at once when the call has ended before.
    func wait(_ waiter: Waiter) {
        guard let outcome = state.withLock({ $0.delivery.wait(waiter) }) else { return }
        waiter.resume(returning: outcome)
    }

    /// Starts the task unless the call is over; a task that never starts still completes when it is cancelled.
    func begin(_ task: URLSessionTask) {
        reader?.attach(task)
        let mayStart = state.withLock { state in
            guard state.delivery.begin(task) else { return false }
            state.activity.hasLeft = true
            state.activity.isSending = state.progress.sentTotal != 0
            state.activity.last = .now
            state.stopwatch?.start()
            return true
        }
        if mayStart { task.resume() } else { Self.cancel(task) }
    }

    /// Ends the call with an error and cancels its task.
    func fail(_ code: TransportError.Code, _ message: String) {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }

    /// Ends the call like ``fail(_:_:)``, with all that an error says but whether the request had left.
    func fail(_ error: TransportError) {
        guard let (error, ending) = state.withLock({ $0.fail(error) }) else { return }
        finish(.failure(error), ending)
    }

    /// Ends the call when it has used up its time; else tells when to look again.
    func check(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let lateness = state.withLock { state -> TransferActivity.Lateness? in
            guard !state.delivery.isOver else { return nil }
            if state.body?.isHandedOver == true { state.activity.isSending = false }
            return state.activity.lateness(
                at: now, deadline: deadline, firstByte: configuration.firstByteTimeout,
                idle: configuration.idleTimeout)
        }
        switch lateness {
        case nil: return nil
        case .some(.none(let next)): return next
        case .late(let reason)?:
            fail(.timedOut, reason)
            return nil
        }
    }

    /// Does what must be done after the transition that ended the call.
    func finish(_ outcome: Outcome, _ ending: TransferState<Waiter, URLSessionTask>.Ending) {
        ending.waiter?.resume(returning: outcome)
        maker.cancel()
        switch outcome {
        case .success(let response): reader?.finish(nil, response.metrics)
        case .failure(let error): reader?.finish(error, state.withLock { $0.metricsSoFar })
        }
        if let task = ending.work { Self.cancel(task) }
    }

    /// Cancels a task, never on the delegate's own queue: that can deadlock on Linux.
    private static func cancel(_ task: URLSessionTask) {
        DispatchQueue.global().async { task.cancel() }
    }
}

extension SessionCall.State {
    /// Ends the call with an error and lets go of what was collected.
    mutating func fail(
        _ error: TransportError
    ) -> (error: TransportError, ending: TransferState<SessionCall.Waiter, URLSessionTask>.Ending)? {
        let result = delivery.fail(error)
        letGo()
        return result
    }

    /// Lets go of what was collected, and of a body that no task is sending.
    mutating func letGo() {
        collector.clear()
        body?.close()
        if !delivery.hasLeft { discardBody() }
    }

    /// Removes a streamed body when its task has ended.
    mutating func discardBody() {
        body?.discard()
        body = nil
    }
}
