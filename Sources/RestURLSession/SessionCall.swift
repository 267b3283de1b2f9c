// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One call on its way: collects the response and delivers exactly once.
final class SessionCall: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    private struct State {
        var waiter: Waiter?
        /// The outcome of a call that ended before its caller waited.
        var early: Outcome?
        var isOver = false
        var task: URLSessionTask?
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        var wasChallenged = false

        /// Ends the call; gives what must be resumed and cancelled after the lock.
        mutating func end(_ outcome: Outcome) -> (waiter: Waiter?, task: URLSessionTask?) {
            guard !isOver else { return (nil, nil) }
            isOver = true
            if waiter == nil { early = outcome }
            defer { (waiter, task) = (nil, nil) }
            return (waiter, task)
        }
    }

    /// Whether an announced length is the one of a body that comes.
    private let expectsBody: Bool
    private let state = Mutex(State())

    init(expectsBody: Bool) {
        self.expectsBody = expectsBody
    }

    /// Registers the caller; resumes it at once when the call has ended before.
    func wait(_ waiter: Waiter) -> Bool {
        let early = state.withLock { state -> Outcome? in
            if state.early == nil { state.waiter = waiter }
            return state.early
        }
        if let early { waiter.resume(returning: early) }
        return early == nil
    }

    /// Starts the task unless the call has ended.
    func begin(_ task: URLSessionTask) {
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() } else { task.resume() }
    }

    /// Ends the call with an error and cancels its task.
    func end(_ code: TransportError.Code, _ message: String) {
        let (ended, outcome) = state.withLock { state in
            let error = TransportError(code, message, mayHaveReachedServer: state.task != nil)
            return (state.end(.failure(error)), Outcome.failure(error))
        }
        ended.waiter?.resume(returning: outcome)
        // Never on the delegate's own queue: cancelling there can deadlock on Linux.
        if let task = ended.task { DispatchQueue.global().async { task.cancel() } }
    }

    /// Takes status and fields.
    func receive(_ response: URLResponse, limit: Int) {
        guard let head = HTTPResponseHead(response) else { return end(.invalidResponse, "not an HTTP response") }
        if let refusal = head.refusal { return end(refusal.code, refusal.message) }
        let length = expectsBody ? response.expectedContentLength : 0
        state.withLock { state in
            state.head = head
            state.body.reserveCapacity(min(max(0, Int(clamping: length)), limit, 8 << 20))
        }
        if length > Int64(limit) { end(.tooLarge, "the body is larger than \(limit) bytes") }
    }

    /// Takes a piece of the body.
    func receive(_ data: Data, limit: Int) {
        let isTooLarge = state.withLock { state in
            guard !state.isOver, data.count <= limit - state.body.count else { return !state.isOver }
            state.body += data
            return false
        }
        if isTooLarge { end(.tooLarge, "the body is larger than \(limit) bytes") }
    }

    /// The server asked for credentials; what it answered with is the response.
    func noteChallenge(_ response: URLResponse?) {
        state.withLock { state in
            state.wasChallenged = true
            if let head = response.flatMap(HTTPResponseHead.init) { state.head = head }
        }
    }

    /// The task has ended.
    func complete(_ error: (any Error)?) {
        let (ended, outcome) = state.withLock { state in
            let outcome = Self.outcome(of: state, error)
            state.task = nil
            return (state.end(outcome), outcome)
        }
        ended.waiter?.resume(returning: outcome)
    }

    private static func outcome(of state: State, _ error: (any Error)?) -> Outcome {
        if let head = state.head, error == nil || state.wasChallenged {
            return .success(HTTPResponse(head: head, body: state.body))
        }
        if let error { return .failure(TransportError(sessionError: error)) }
        return .failure(TransportError(.invalidResponse, "no response", mayHaveReachedServer: true))
    }
}
