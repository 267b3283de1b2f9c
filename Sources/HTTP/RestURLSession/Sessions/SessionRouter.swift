// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The only delegate of every session: finds the call a callback belongs to by the task's identifier.
///
/// Delegates of single tasks miss callbacks on Linux, so there is one for the session, on all platforms.
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

    /// Takes care of a call's time; `false` when the transport was shut down.
    func add(_ call: SessionCall) -> Bool {
        guard table.withLock({ $0.add(call) }) else { return false }
        if let moment = call.check(at: .now) { watch(until: moment) }
        return true
    }

    /// Starts a call when its turn has come.
    func launch(_ call: SessionCall) {
        guard table.withLock({ $0.enter(call, to: call.request.url.origin) }) else { return }
        start(call)
    }

    /// Forgets a call that never asked for a connection.
    func forget(_ call: SessionCall) { _ = remove(call, from: nil) }

    /// Refuses later calls and ends those under way; `false` when that was done before.
    func shutDown() -> Bool {
        let (isFirst, calls) = table.withLock { ($0.shutDown(), $0.all) }
        if calls.isEmpty { ended.resolve(()) }
        for call in calls {
            call.fail(.shutDown, "the transport was shut down")
        }
        return isFirst
    }

    /// Returns when the tasks of all calls have ended after the shutdown.
    func waitUntilEnded() async { await ended.value() }

    /// The call a task works for.
    func call(_ session: URLSession, _ task: URLSessionTask) -> SessionCall? {
        table.withLock { $0.call(for: TaskKey(session, task)) }
    }

    /// A task has ended: its connection serves the next call.
    func end(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
        guard let call = table.withLock({ $0.endRoute(TaskKey(session, task)) }) else { return }
        call.complete(task, error)
        if let next = release(call) { start(next) }
    }

    /// Makes and starts the task of a call; one that is over by then gives its turn to the next.
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
    /// Looks at the calls at that moment, or earlier.
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
    /// The header of the answer is complete.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // Linux goes on receiving whatever the disposition is; a refusal cancels the task itself.
        call(session, dataTask)?.receive(response)
        completionHandler(.allow)
    }

    /// A piece of the body is there.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        call(session, dataTask)?.receive(data)
    }

    /// A piece of the request body has left.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        call(session, task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// The server redirects: that is the answer; following is up to the pipeline.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// The server asks for credentials, or for trust.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer = answer(challenge, of: call(session, task))
        completionHandler(answer.disposition, answer.credential)
    }

    /// The task has ended; this is its last callback.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(session, task, error)
    }
}
