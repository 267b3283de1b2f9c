// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
import RestTransport
import Synchronization

extension SessionRouter {
    /// What URLSession is to do about a challenge.
    func answer(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeAnswer {
        configuration.tls.answer(challenge) { reason in call?.state.withLock { $0.distrust = reason } }
    }

    /// What the task cost, and whether its request was begun; called before its end.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let hasBegun = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
        let times = TransactionTimes(metrics)
        call(session, task)?.state.withLock { state in
            state.hasBegun = hasBegun
            state.stopwatch?.transaction = times
        }
    }

    /// There is no network yet: the time for the first byte does not run until there is a sign of one.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        call(session, task)?.state.withLock { $0.activity.hasLeft = false }
    }
}
#endif
