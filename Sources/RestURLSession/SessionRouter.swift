// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session's only delegate: finds the call a call-back belongs to by the task's number.
///
/// Delegates of single tasks miss call-backs on Linux, so there is one for the session, on all platforms.
final class SessionRouter: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var calls: [Int: SessionCall] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let timers = DispatchQueue(label: "url-session-deadlines")
    private let maximumBodyBytes: Int

    init(maximumBodyBytes: Int) {
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Runs the body unless the session was invalidated, after which making a task would end the process.
    func whileOpen(_ body: (_ register: (Int, SessionCall) -> Void) -> Void) -> Bool {
        state.withLock { state in
            guard !state.isShutDown else { return false }
            body { state.calls[$0] = $1 }
            return true
        }
    }

    /// Marks the session as invalid; gives the calls under way and whether this was the first time.
    func shutDown() -> (isFirst: Bool, calls: [SessionCall]) {
        state.withLock { state in
            defer { state.isShutDown = true }
            return (!state.isShutDown, Array(state.calls.values))
        }
    }

    /// Calls the closure at the deadline unless the timer is cancelled before.
    func schedule(_ deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> DispatchWorkItem {
        let item = DispatchWorkItem(block: action)
        let parts = ContinuousClock.now.duration(to: deadline).components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        timers.asyncAfter(deadline: .now() + max(0, min(seconds, 1e9)), execute: item)
        return item
    }

    private func call(of task: URLSessionTask) -> SessionCall? {
        state.withLock { $0.calls[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        // Linux goes on receiving whatever the disposition is; a refusal cancels the task itself.
        call(of: dataTask)?.receive(response, limit: maximumBodyBytes)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        call(of: dataTask)?.receive(data, limit: maximumBodyBytes)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // Any other answer to a Basic challenge hangs for ever; the response collected so far becomes the result.
        call(of: task)?.noteChallenge(challenge.failureResponse)
        completionHandler(.cancelAuthenticationChallenge, nil)
        #else
        let isTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.calls.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }
}
