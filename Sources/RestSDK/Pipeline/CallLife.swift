// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The lock around the state of one call, which all copies of its context share.
final class CallLife: Sendable {
    private let state = Mutex(CallState())

    /// How often the call was sent so far.
    var attemptCount: Int { state.withLock { $0.attempts } }

    /// Begins an attempt and gives its number, from 0.
    ///
    /// - Throws: ``RestError/Code/cancelled`` or ``RestError/Code/timedOut`` when the call was ended already.
    func begin(isWrite: Bool) throws(RestError) -> Int {
        switch state.withLock({ $0.begin() }) {
        case .attempt(let number): return number
        case .refused(let ending): throw RestError(ending, outcome: isWrite ? .notApplied : nil)
        }
    }

    /// The transport let go of the attempt.
    func attemptEnded() { state.withLock { $0.attemptEnded() } }

    /// Whether the call may wait for a new token and be replayed with it.
    func renew() -> Bool { state.withLock { $0.renew() } }

    /// The wait for a new token is over.
    func renewalEnded(withToken: Bool) { state.withLock { $0.renewalEnded(withToken: withToken) } }

    /// Ends the call from outside.
    func end(_ ending: CallState.Ending) { state.withLock { $0.end(ending) } }

    /// The one outcome to deliver, now that the steps came to theirs.
    func finish<Value>(_ result: Result<Value, RestError>, isWrite: Bool) -> Result<Value, RestError> {
        let delivery = state.withLock { $0.finish(result.finish) }
        switch (delivery, result) {
        case (.cancelled, .success): return .failure(RestError(.cancelled, outcome: isWrite ? .applied : nil))
        case (.cancelled, .failure(let error)): return .failure(error.ended(.cancelled))
        case (.timedOut, .failure(let error)): return .failure(error.ended(.timedOut))
        case (.success, _), (.failure, _), (.timedOut, .success), (nil, _): return result
        }
    }
}

extension Result where Failure == RestError {
    fileprivate var finish: CallState.Finish {
        switch self {
        case .success: .succeeded
        case .failure(let error): .failed(error.code)
        }
    }
}

extension RestError {
    /// The error of a call that was ended from outside.
    init(_ ending: CallState.Ending, outcome: WriteOutcome?, underlying: RestError? = nil) {
        switch ending {
        case .cancelled: self.init(.cancelled, "the call was cancelled", outcome: outcome, underlying: underlying)
        case .timedOut: self.init(.timedOut, "the call's deadline passed", outcome: outcome, underlying: underlying)
        }
    }

    /// The error of a call that was ended while it failed in this way; everything that is known is kept.
    fileprivate func ended(_ ending: CallState.Ending) -> RestError {
        guard code != (ending == .cancelled ? .cancelled : .timedOut) else { return self }
        let error = RestError(ending, outcome: outcome, underlying: self).after(attempts)
        return request.map(error.about) ?? error
    }
}
