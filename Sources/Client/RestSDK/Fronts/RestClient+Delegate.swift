// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension RestClient {
    /// Sends a request and tells its result to a delegate on the caller's actor.
    ///
    /// The delegate need not be `Sendable`. It is held weakly: one that is gone by then loses its callback, and
    /// nothing else.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - delegate: gets exactly one of its four callbacks.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none names a queue instead.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: RestRequest, delegate: any RestClientDelegate, priority: TaskPriority? = nil,
        isolation: isolated any Actor = #isolation
    ) -> CallTask<RestResponse, RestError> {
        send(request, priority: priority, isolation: isolation) { [weak delegate] outcome in
            delegate?.receive(outcome, of: request)
        }
    }

    /// Sends a request and tells its result to a delegate on a queue, for callers that are on no actor.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - delegate: gets exactly one of its four callbacks; held weakly.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where it is called.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: RestRequest, delegate: any RestClientDelegate & Sendable, priority: TaskPriority? = nil,
        on queue: DispatchQueue
    ) -> CallTask<RestResponse, RestError> {
        send(request, priority: priority, on: queue) { [weak delegate] outcome in
            delegate?.receive(outcome, of: request)
        }
    }

    /// Sends an endpoint's request and tells its result to a delegate on the caller's actor.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - delegate: gets exactly one of its callbacks; held weakly.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none names a queue instead.
    /// - Returns: the call under way.
    @discardableResult
    public func send<D: EndpointDelegate>(
        _ endpoint: D.Target, delegate: D, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation
    ) -> CallTask<D.Target.Content, CallError<D.Target.RouteError>> where D.Target.Content: Sendable {
        send(endpoint, priority: priority, isolation: isolation) { [weak delegate] outcome in
            delegate?.receive(outcome, of: endpoint)
        }
    }

    /// Sends an endpoint's request and tells its result to a delegate on a queue, for callers that are on no actor.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - delegate: gets exactly one of its callbacks; held weakly.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where it is called.
    /// - Returns: the call under way.
    @discardableResult
    public func send<D: EndpointDelegate & Sendable>(
        _ endpoint: D.Target, delegate: D, priority: TaskPriority? = nil, on queue: DispatchQueue
    ) -> CallTask<D.Target.Content, CallError<D.Target.RouteError>> where D.Target.Content: Sendable {
        send(endpoint, priority: priority, on: queue) { [weak delegate] outcome in
            delegate?.receive(outcome, of: endpoint)
        }
    }
}
