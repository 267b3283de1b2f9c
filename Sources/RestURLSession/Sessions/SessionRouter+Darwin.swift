// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
import Synchronization

extension SessionRouter {
    /// What URLSession is to do about a challenge.
    func answer(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeAnswer {
        configuration.tls.answer(challenge) { reason in call?.fail(.tls, reason, isUnsent: true) }
    }

    /// The body of a streamed request is asked for.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let body = call(session, task)?.state.withLock({ $0.body }) else { return completionHandler(nil) }
        body.giveStream(to: completionHandler)
    }

    /// What the task cost; called before its end.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        call(session, task)?.state.withLock { $0.stopwatch?.transaction = TransactionTimes(metrics) }
    }

    /// There is no network yet: the time for the first byte does not run until there is a sign of one.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        call(session, task)?.state.withLock { $0.activity.hasLeft = false }
    }
}
#endif
