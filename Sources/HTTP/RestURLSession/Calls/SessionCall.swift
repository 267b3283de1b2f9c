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
        var delivery = DeliveryState<Waiter, URLSessionTask>()
        var receiver: ResponseReceiver
        var activity: TransferActivity
        var progress: TransferProgress
        var reporter: ProgressReporter<TransferProgress>?
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

    /// Cancels a task, never on the delegate's own queue: that can deadlock on Linux.
    private static func cancel(_ task: URLSessionTask) {
        DispatchQueue.global().async { task.cancel() }
    }
}

extension SessionCall.State {
    /// Ends the call with an error and lets go of what was collected.
    mutating func fail(
        _ error: TransportError
    ) -> (error: TransportError, ending: DeliveryState<SessionCall.Waiter, URLSessionTask>.Ending)? {
        let result = delivery.fail(error)
        letGo()
        return result
    }

    /// Lets go of what was collected, and of a body that no task is sending.
    mutating func letGo() {
        _ = receiver.takeResponse()
        body?.close()
        if !delivery.hasLeft { discardBody() }
    }

    /// Removes a streamed body when its task has ended.
    mutating func discardBody() {
        body?.discard()
        body = nil
    }
}

extension SessionCall {
    /// Takes status and fields.
    func receive(_ response: URLResponse) {
        guard let head = HTTPResponse.Head(response) else { return fail(.invalidResponse, "not an HTTP response") }
        // Linux also tells of interim answers (RFC 9110 15.2), of which 101 is the last thing that is HTTP.
        guard head.status >= 200 || head.status == 101 else { return }
        let maximumHeaderBytes = configuration.maximumHeaderBytes
        act { state in
            state.note(at: .now)
            state.activity.hasHead = true
            state.progress.receivedTotal = head.plainContentLength
            state.stopwatch?.noteFirstByte()
            if let refusal = head.refusal(maximumBytes: maximumHeaderBytes) { return .refused(refusal) }
            let refusal = state.receiver.receive(head, length: head.wireBytes.map { Int(clamping: $0) })
            return refusal.map { .refused($0) } ?? .accepted
        }
        guard reader != nil else { return }
        let outcome = Outcome.success(HTTPResponse(head: head))
        state.withLock { $0.delivery.isOver ? nil : $0.delivery.serve(outcome) }?.resume(returning: outcome)
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        act { state in
            state.note(at: .now)
            state.progress.received += Int64(data.count)
            let verdict = state.receive(data)
            if case .paused = verdict { state.activity.isPaused = true }
            return verdict
        }
    }

    /// So much of the request body was handed to the connection, of so much in all when URLSession knows that.
    func noteSent(_ count: Int64, of total: Int64) {
        act { state in
            state.note(at: .now)
            state.progress.sent = count
            state.activity.isSending = total <= 0 || count < total
            return .accepted
        }
    }

    /// The reader has caught up and the task goes on.
    func noteResumed() {
        state.withLock { state in
            state.note(at: .now)
            state.activity.isPaused = false
        }
    }

    /// The server asked for credentials; what it answered with is the response.
    func noteChallenge(_ response: URLResponse?) {
        state.withLock { $0.wasChallenged = true }
        guard let response, state.withLock({ $0.receiver.head == nil }) else { return }
        receive(response)
    }

    /// The task has ended.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        // Linux says nothing of the header of a redirect without an address.
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

    /// Something to do after the lock is released.
    typealias Report = @Sendable () -> Void

    /// Changes the state of a call that is not over and does what follows, after the lock.
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
    /// Takes a chunk of the body.
    fileprivate mutating func receive(_ data: Data) -> ResponseReceiver.Verdict {
        let packedBytes = receiver.head?.packedBytes
        return unsafe data.withUnsafeBytes { unsafe receiver.receive($0, packedBytes: packedBytes) }
    }

    /// Something moved.
    mutating func note(at now: ContinuousClock.Instant) {
        activity.last = now
        activity.hasLeft = true
    }

    /// What to tell the caller about the progress after the lock is released, if it is time.
    mutating func dueReport() -> SessionCall.Report? {
        guard reporter?.isDue() == true, let handler = reporter?.handler else { return nil }
        let progress = progress
        return { handler(progress) }
    }

    /// The last report of a call that succeeded.
    func finalReport(of outcome: SessionCall.Outcome) -> SessionCall.Report? {
        guard case .success = outcome, let handler = reporter?.handler else { return nil }
        var last = progress
        last.sent = last.sentTotal ?? last.sent
        return { [last] in handler(last) }
    }

    /// What a transfer that broke off cost up to then: its bodies may not have moved as a whole.
    var metricsSoFar: TransferMetrics? {
        var moved = progress
        moved.sentTotal = nil
        return stopwatch?.metrics(moved, wireBytes: nil)
    }

    /// How far the request came, for all that is known.
    private var evidence: SendEvidence {
        SendEvidence(sentBytes: progress.sent, hasHead: receiver.head != nil, hasBegun: hasBegun)
    }

    /// The response, or why there is none.
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
                throw TransportError(.invalidResponse, "no response", mayHaveReachedServer: true)
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

    /// The announced length of a packed body.
    fileprivate var packedBytes: Int? {
        fields["Content-Encoding"] == nil ? nil : wireBytes.map { Int(clamping: $0) }
    }
}
