// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// What a call knows of its way through the app's interceptors.
extension Call {
    /// The call enters the interceptors; gives the number of this time.
    func appBegins() -> Int { core.withLock { $0.passes } }

    /// The interceptors returned.
    ///
    /// What `next` sends later is refused.
    ///
    /// - Parameter response: what they returned; `nil` for an error. If the body is that of the last response that
    ///   `next` gave, reading it may still correct what is known of a write.
    func appEnded(with response: HTTPResponse?) {
        core.withLock { core in
            core.passes += 1
            let last = core.response
            core.response = nil
            let isLast = response.map { $0.head.status == last?.head.status && $0.body == last?.body } ?? false
            if !isLast { core.ledger.settle() }
        }
    }

    /// An interceptor lets the request go.
    ///
    /// - Throws: ``RestError/Code/cancelled`` when it returned before.
    func nextBegins(_ pass: Int) throws(RestError) {
        let isCurrent = core.withLock { core in
            guard core.passes == pass else { return false }
            core.response = nil
            core.ledger.settle()
            return true
        }
        guard !isCurrent else { return }
        throw RestError(
            .cancelled, "'next' was called after its interceptor returned",
            outcome: request.isWrite ? .notApplied : nil)
    }

    /// `next` gives the interceptor a response.
    ///
    /// What the body says of a write is looked at here, because nobody may read it later.
    func nextEnded(with response: HTTPResponse) {
        let isRead = request.isWrite && response.body.count < Self.longBody
        let outcome = isRead ? RestResponse.outcome(of: response, expecting: request.expectation) : nil
        core.withLock { core in
            if let outcome { core.ledger.learned(outcome) }
            core.response = response
        }
    }
}
