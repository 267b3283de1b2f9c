// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One call, shared by the caller, the canceller, the timer and URLSession's callbacks.
final class SessionCall: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    struct State {
        var delivery = DeliveryState<Waiter, URLSessionTask>()
        var receiver: ResponseReceiver
        var activity: TransferActivity
        var progress: TransferProgress
        var reporter: ProgressReporter<TransferProgress>?
        var stopwatch: Stopwatch?
        /// Whether the server asked for credentials, after which the task ends with an error despite its response.
        var wasChallenged = false
        /// The reason why a pin rejected the server, in which case the task is cancelled.
        var distrust: String?
        /// Whether the request was sent on any connection, which URLSession reports shortly before the end or never.
        var hasBegun: Bool?
        /// A streamed request body that URLSession reads.
        var body: StreamedBody?
    }

    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let configuration: SessionConfiguration
    /// The factory of the session, which may be shared.
    let source: SessionSource
    /// The producer of a streamed request body.
    let maker = BodyMaker()
    let reader: Downstream?
    let state: Mutex<State>
    private let message: URLRequest

    init(
        request: HTTPRequest, deadline: ContinuousClock.Instant, configuration: SessionConfiguration,
        source: SessionSource, destination: BodyDestination, progress: TransferProgress.Handler?
    ) throws(TransportError) {
        message = try URLRequest(request)
        self.request = request
        self.source = source
        self.deadline = deadline
        self.configuration = configuration
        reader = destination.reader
        state = Mutex(
            State(
                receiver: ResponseReceiver(
                    limits: configuration.bodyLimits, destination: destination,
                    isHeadRequest: request.method == .head),
                activity: TransferActivity(last: .now), progress: TransferProgress(sentTotal: request.body.length),
                reporter: progress.map(ProgressReporter.init),
                stopwatch: configuration.collectsMetrics ? Stopwatch() : nil))
    }

    /// Stores the streamed body of the request until its task has ended, or returns `false` if the call is over.
    func attach(_ body: StreamedBody) -> Bool {
        let isWanted = state.withLock { state in
            if !state.delivery.isOver { state.body = body }
            return !state.delivery.isOver
        }
        if !isWanted { body.discard() }
        return isWanted
    }

    func makeTask(in session: URLSession) -> URLSessionTask {
        switch request.body {
        case .empty: session.dataTask(with: message)
        case .bytes(let bytes): session.uploadTask(with: message, from: Data(bytes))
        case .file(let file): session.uploadTask(with: message, fromFile: URL(fileURLWithPath: file.path))
        case .stream: state.withLock { $0.body }?.task(message, in: session) ?? session.dataTask(with: message)
        }
    }

    var isOver: Bool { state.withLock { $0.delivery.isOver } }

    var hasLeft: Bool { state.withLock { $0.delivery.hasLeft } }

    /// Registers the caller, or resumes it if the call has already ended.
    func wait(_ waiter: Waiter) {
        guard let outcome = state.withLock({ $0.delivery.wait(waiter) }) else { return }
        waiter.resume(returning: outcome)
    }

    /// Starts the task, or cancels it if the call is over, because a cancelled task completes even without a start.
    func begin(_ task: URLSessionTask) {
        reader?.pace {
            task.suspend()
        } resume: {
            task.resume()
        }
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

    func fail(_ code: TransportError.Code, _ message: String) {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }

    /// Like ``fail(_:_:)``, for an error with more properties.
    func fail(_ error: TransportError) {
        guard let (error, ending) = state.withLock({ $0.fail(error) }) else { return }
        finish(.failure(error), ending)
    }

    /// Ends the call if it is late, and otherwise returns the time of the next check.
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

    /// Takes the actions that follow the end of the call.
    func finish(_ outcome: Outcome, _ ending: DeliveryState<Waiter, URLSessionTask>.Ending) {
        ending.waiter?.resume(returning: outcome)
        maker.cancel()
        switch outcome {
        case .success(let response):
            if let metrics = response.metrics { reader?.note(metrics) }
            reader?.finish(nil)
        case .failure(let error):
            if let metrics = state.withLock({ $0.metricsSoFar }) { reader?.note(metrics) }
            reader?.finish(error)
        }
        if let task = ending.work { Self.cancel(task) }
    }

    /// Cancels a task, but not on the delegate's own queue, where that can deadlock on Linux.
    private static func cancel(_ task: URLSessionTask) {
        DispatchQueue.global().async { task.cancel() }
    }
}

extension SessionCall.State {
    /// Ends the call with an error and releases the collected data.
    mutating func fail(
        _ error: TransportError
    ) -> (error: TransportError, ending: DeliveryState<SessionCall.Waiter, URLSessionTask>.Ending)? {
        let result = delivery.fail(error)
        letGo()
        return result
    }

    /// Releases the collected data, and the streamed body if no task is sending it.
    mutating func letGo() {
        _ = receiver.takeResponse()
        body?.close()
        if !delivery.hasLeft { discardBody() }
    }

    /// Removes the streamed body after its task has ended.
    mutating func discardBody() {
        body?.discard()
        body = nil
    }
}

extension SessionCall {
    func receive(_ response: URLResponse) {
        guard let head = HTTPResponse.Head(response) else {
            return fail(.invalidResponse, "the response is not an HTTP response")
        }
        // Linux also reports interim responses (RFC 9110 §15.2), of which 101 is the last part that is HTTP.
        guard head.status >= 200 || head.status == 101 else { return }
        let maximumHeaderBytes = configuration.maximumHeaderBytes
        act { state in
            state.note(at: .now)
            state.activity.hasHead = true
            state.progress.receivedTotal = head.plainContentLength
            state.stopwatch?.noteFirstByte()
            if let rejection = head.rejection(maximumBytes: maximumHeaderBytes) { return .refused(rejection) }
            let rejection = state.receiver.receive(head, length: head.wireBytes.map { Int(clamping: $0) })
            return rejection.map { .refused($0) } ?? .accepted
        }
        guard reader != nil else { return }
        let outcome = Outcome.success(HTTPResponse(head: head))
        state.withLock { $0.delivery.isOver ? nil : $0.delivery.serve(outcome) }?.resume(returning: outcome)
    }

    func receive(_ data: Data) {
        act { state in
            state.note(at: .now)
            state.progress.received += Int64(data.count)
            let verdict = state.receive(data)
            if case .paused = verdict { state.activity.isPaused = true }
            return verdict
        }
    }

    /// Records the number of sent bytes of the request body, whose length is not positive if it is unknown.
    func noteSent(_ count: Int64, of total: Int64) {
        act { state in
            state.note(at: .now)
            state.progress.sent = count
            state.activity.isSending = total <= 0 || count < total
            return .accepted
        }
    }

    /// Resumes the task after the reader has caught up.
    func noteResumed() {
        state.withLock { state in
            state.note(at: .now)
            state.activity.isPaused = false
        }
    }

    /// Uses the response with which the server asked for credentials.
    func noteChallenge(_ response: URLResponse?) {
        state.withLock { $0.wasChallenged = true }
        guard let response, state.withLock({ $0.receiver.head == nil }) else { return }
        receive(response)
    }

    /// Handles the end of the task.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        // Linux does not report the head of a redirect without a URL.
        if error == nil, let response = task.response, state.withLock({ $0.receiver.head == nil }) {
            receive(response)
        }
        let result = state.withLock { state -> (Outcome, DeliveryState<Waiter, URLSessionTask>.Ending, Report?)? in
            defer { state.discardBody() }
            guard !state.delivery.isOver else { return nil }
            let outcome = state.outcome(of: error)
            guard var ending = state.delivery.end(outcome) else { return nil }
            ending.work = nil
            state.letGo()
            return (outcome, ending, state.finalReport(of: outcome))
        }
        guard let (outcome, ending, report) = result else { return }
        report?()
        finish(outcome, ending)
    }

    /// An action to take after the lock is released.
    typealias Report = @Sendable () -> Void

    /// Changes the state of a call that is not over, and takes the resulting actions after the lock is released.
    private func act(_ change: (inout State) -> ResponseReceiver.Verdict) {
        let (verdict, report) = state.withLock { state -> (ResponseReceiver.Verdict, Report?) in
            guard !state.delivery.isOver else { return (.accepted, nil) }
            return (change(&state), state.dueReport())
        }
        report?()
        if case .refused(let failure) = verdict { fail(failure) }
    }
}

extension SessionCall.State {
    fileprivate mutating func receive(_ data: Data) -> ResponseReceiver.Verdict {
        let packedBytes = receiver.head?.packedBytes
        return unsafe data.withUnsafeBytes { unsafe receiver.receive($0, packedBytes: packedBytes) }
    }

    /// Records activity.
    mutating func note(at now: ContinuousClock.Instant) {
        activity.last = now
        activity.hasLeft = true
    }

    /// Returns the progress report to make after the lock is released, if one is due.
    mutating func dueReport() -> SessionCall.Report? {
        guard reporter?.isDue() == true, let handler = reporter?.handler else { return nil }
        let progress = progress
        return { handler(progress) }
    }

    func finalReport(of outcome: SessionCall.Outcome) -> SessionCall.Report? {
        guard case .success = outcome, let handler = reporter?.handler else { return nil }
        var last = progress
        last.sent = last.sentTotal ?? last.sent
        return { [last] in handler(last) }
    }

    /// The metrics of an interrupted transfer, whose bodies may not be complete.
    var metricsSoFar: TransferMetrics? {
        var moved = progress
        moved.sentTotal = nil
        return stopwatch?.metrics(moved, wireBytes: nil)
    }

    /// The known facts about how much of the request was sent.
    private var evidence: SendEvidence {
        SendEvidence(sentBytes: progress.sent, hasHead: receiver.head != nil, hasBegun: hasBegun)
    }

    mutating func outcome(of error: (any Error)?) -> SessionCall.Outcome {
        if let failure = body?.failure {
            return .failure(TransportError(failure, mayHaveReachedServer: true))
        }
        if let distrust { return .failure(TransportError(.tls, distrust, mayHaveReachedServer: !evidence.isUnsent)) }
        if let error, !wasChallenged || receiver.head == nil {
            return .failure(TransportError(sessionError: error, after: evidence))
        }
        do throws(TransportError) {
            try receiver.file?.finish()
            let wireBytes = receiver.head?.wireBytes
            guard var response = receiver.takeResponse() else {
                throw TransportError(.invalidResponse, "the server sent no response", mayHaveReachedServer: true)
            }
            response.metrics = stopwatch?.metrics(progress, wireBytes: wireBytes)
            return .success(response)
        } catch {
            return .failure(error)
        }
    }
}

extension HTTPResponse.Head {
    /// The announced length of the body, before decompression.
    // bounded: it is compared with the limits before anything is computed
    fileprivate var wireBytes: Int64? { fields["Content-Length"].flatMap { Int64($0) } }

    fileprivate var packedBytes: Int? {
        fields["Content-Encoding"] == nil ? nil : wireBytes.map { Int(clamping: $0) }
    }
}
