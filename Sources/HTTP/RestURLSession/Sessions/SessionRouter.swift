// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of all sessions, which finds the call of a callback by the task's identifier.
///
/// On Linux, delegates of single tasks do not get all callbacks, so all systems use a session delegate.
final class SessionRouter: NSObject, Sendable {
    typealias Table = RoutingTable<TaskKey, SessionCall>

    private let table: Mutex<Table>
    private let ended = AwaitedValue<Void>()
    private let timers = DispatchQueue(label: "url-session-deadlines")
    let configuration: SessionConfiguration

    init(configuration: SessionConfiguration) {
        self.configuration = configuration
        table = Mutex(Table(limit: SessionSource.limit(configuration)))
    }

    /// Adds a call and monitors its deadline, or returns `false` after the shutdown.
    func add(_ call: SessionCall) -> Bool {
        guard table.withLock({ $0.add(call) }) else { return false }
        if let moment = call.check(at: .now) { watch(until: moment) }
        return true
    }

    /// Starts a call, or queues it until there is a slot.
    func launch(_ call: SessionCall) {
        guard table.withLock({ $0.enter(call, to: call.request.url.origin) }) else { return }
        start(call)
    }

    /// Removes a call that never asked for a connection.
    func forget(_ call: SessionCall) { _ = remove(call, from: nil) }

    /// Rejects further calls and ends the active ones, or returns `false` if that was already done.
    func shutDown() -> Bool {
        let (isFirst, calls) = table.withLock { ($0.shutDown(), $0.all) }
        if calls.isEmpty { ended.resolve(()) }
        for call in calls {
            call.fail(.shutDown, "the transport was shut down")
        }
        return isFirst
    }

    /// Waits after the shutdown until the tasks of all calls have ended.
    func waitUntilEnded() async { await ended.value() }

    func call(_ session: URLSession, _ task: URLSessionTask) -> SessionCall? {
        table.withLock { $0.call(for: TaskKey(session, task)) }
    }

    /// Ends the call of a task and starts the next call.
    func end(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
        guard let call = table.withLock({ $0.endRoute(TaskKey(session, task)) }) else { return }
        call.complete(task, error)
        if let next = release(call) { start(next) }
    }

    /// Creates and starts the task of a call or, if the call is already over, of the next call in the queue.
    private func start(_ first: SessionCall) {
        var next: SessionCall? = first
        while let call = next {
            next = run(call) ? nil : release(call)
        }
    }

    private func run(_ call: SessionCall) -> Bool {
        guard !call.isOver else { return false }
        let task = table.withLock { table -> URLSessionTask? in
            guard !table.isShutDown else { return nil }
            let (key, task) = call.source.task(to: call.request.url.origin, delegate: self) {
                call.makeTask(in: $0)
            }
            table.route(key, to: call)
            return task
        }
        guard let task else {
            call.fail(.shutDown, "the transport was shut down")
            return false
        }
        call.begin(task)
        return true
    }

    private func release(_ call: SessionCall) -> SessionCall? { remove(call, from: call.request.url.origin) }

    private func remove(_ call: SessionCall, from origin: Origin?) -> SessionCall? {
        let (next, hasEnded) = table.withLock { ($0.remove(call, from: origin), $0.hasEnded) }
        if hasEnded { ended.resolve(()) }
        return next
    }
}

extension SessionRouter {
    /// Sets a timer that checks the calls at this time, unless there is an earlier one.
    private func watch(until moment: ContinuousClock.Instant) {
        guard table.withLock({ $0.needsTimer(for: moment) }) else { return }
        let seconds = ContinuousClock.now.duration(to: moment) / .seconds(1)
        timers.asyncAfter(deadline: .now() + max(0, min(seconds, 1e6))) { [weak self] in
            self?.checkAll(for: moment)
        }
    }

    private func checkAll(for moment: ContinuousClock.Instant) {
        guard let calls = table.withLock({ $0.timerFired(for: moment) }) else { return }
        let now = ContinuousClock.now
        if let next = calls.compactMap({ $0.check(at: now) }).min() { watch(until: next) }
    }
}

extension SessionRouter: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // Linux ignores the disposition. A rejected response cancels the task itself.
        call(session, dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        call(session, dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        call(session, task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// Delivers the redirect as the response, because the pipeline follows redirects.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Responds to a request for credentials or trust.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let response = respond(challenge, of: call(session, task))
        completionHandler(response.disposition, response.credential)
    }

    /// Ends the call with the task's last callback.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(session, task, error)
    }
}
