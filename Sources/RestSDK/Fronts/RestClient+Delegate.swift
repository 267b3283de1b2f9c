// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension RestClient {
    /// Sends a request and tells its outcome to a delegate on the caller's actor.
    ///
    /// The delegate need not be `Sendable`. It is held weakly: one that is gone by then loses its call-back, and nothing else.
    @discardableResult
    public func send(
        _ request: RestRequest, delegate: any RestClientDelegate, isolation: isolated any Actor = #isolation
    ) -> RestTask {
        RestTask(
            Task(name: request.name) { [weak delegate] in
                _ = isolation  // the task stays on the caller's actor, and so does the delegate
                let outcome = await outcome(of: request)
                delegate?.receive(outcome, of: request)
                return outcome
            })
    }

    /// Sends a request and tells its outcome to a delegate on a queue, for callers that are on no actor.
    @discardableResult
    public func send(
        _ request: RestRequest, delegate: any RestClientDelegate & Sendable, on queue: DispatchQueue
    ) -> RestTask {
        send(request, on: queue) { [weak delegate] outcome in delegate?.receive(outcome, of: request) }
    }
}
