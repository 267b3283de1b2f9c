// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SessionCall {
    /// Takes status and fields.
    func receive(_ response: URLResponse) {
        guard let head = HTTPResponse.Head(response) else { return fail(.invalidResponse, "not an HTTP response") }
        // Linux also tells of interim answers (RFC 9110 §15.2), of which 101 is the last thing that is HTTP.
        guard head.status >= 200 || head.status == 101 else { return }
        act { state in
            state.note(at: .now)
            state.activity.hasHead = true
            state.progress.receivedTotal = head.plainContentLength
            state.stopwatch?.noteFirstByte()
            return state.collector.receive(head)
        }
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        let bytes = [UInt8](data)
        act { state in
            state.note(at: .now)
            state.progress.received += Int64(bytes.count)
            let verdict = state.collector.receive(bytes)
            if case .suspended = verdict { state.activity.isPaused = true }
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
        guard let response, state.withLock({ $0.collector.head == nil }) else { return }
        receive(response)
    }

    /// The task has ended.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        // Linux says nothing of the header of a redirect without an address.
        if error == nil, let response = task.response, state.withLock({ $0.collector.head == nil }) {
            receive(response)
        }
        let result = state.withLock { state -> (Outcome, TransferState<Waiter, URLSessionTask>.Ending, Report?)? in
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
    private func act(_ change: (inout State) -> ResponseCollector.Verdict) {
        let (verdict, reports) = state.withLock { state -> (ResponseCollector.Verdict, [Report]) in
            guard !state.delivery.isOver else { return (.accepted, []) }
            let verdict = change(&state)
            var reports: [Report] = []
            if case .headComplete = verdict, let report = state.serveHead() { reports.append(report) }
            if let report = state.dueReport() { reports.append(report) }
            return (verdict, reports)
        }
        for report in reports { report() }
        if case .refused(let failure) = verdict { fail(failure) }
    }
}

extension SessionCall.State {
    /// Something moved.
    mutating func note(at now: ContinuousClock.Instant) {
        activity.last = now
        activity.hasLeft = true
    }

    /// Gives the header to the caller of a stream.
    mutating func serveHead() -> SessionCall.Report? {
        guard let head = collector.head else { return nil }
        let outcome = SessionCall.Outcome.success(HTTPResponse(head: head))
        guard let waiter = delivery.serve(outcome) else { return nil }
        return { waiter.resume(returning: outcome) }
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
        SendEvidence(sentBytes: progress.sent, hasHead: collector.head != nil, hasBegun: hasBegun)
    }

    /// The response, or why there is none.
    mutating func outcome(of error: (any Error)?) -> SessionCall.Outcome {
        if let failure = body?.failure {
            return .failure(TransportError(failure, mayHaveReachedServer: true))
        }
        if let distrust { return .failure(TransportError(.tls, distrust, mayHaveReachedServer: !evidence.isUnsent)) }
        if let error, !wasChallenged || collector.head == nil {
            return .failure(TransportError(sessionError: error, after: evidence))
        }
        do throws(TransportError) {
            guard var response = try collector.takeResponse() else {
                throw TransportError(.invalidResponse, "no response", mayHaveReachedServer: true)
            }
            response.metrics = stopwatch?.metrics(progress, wireBytes: collector.wireBytes)
            return .success(response)
        } catch {
            return .failure(error)
        }
    }
}
