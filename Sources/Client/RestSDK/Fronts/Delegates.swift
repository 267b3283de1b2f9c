// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestTransport

/// Receives the results of calls.
///
/// Exactly one of the four callbacks comes for every call. The last two may be left out: a call that was cancelled
/// then ends silently, and one whose time is up is a failure like the others.
public protocol RestClientDelegate: AnyObject {
    /// The call succeeded; the only success there is.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - payload: a dictionary or an array by the response's root, or nothing for a 204.
    ///   - rawResponse: status and header fields.
    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head)

    /// The call failed for another reason than the two below; the error carries status, parsed faults and the raw body.
    func request(_ request: RestRequest, didFailLoadWithError error: RestError)

    /// The call was cancelled, or with all others by ``RestClient/cancelAll()``.
    ///
    /// ``request(_:didEndWith:)`` gets the whole error, with the outcome of a write.
    func requestDidCancelLoad(_ request: RestRequest)

    /// The call's timeout passed.
    ///
    /// ``request(_:didEndWith:)`` gets the whole error, with the outcome of a write.
    func requestDidTimeout(_ request: RestRequest)

    /// The call was cancelled or ran out of time, with all that is known of it.
    ///
    /// Implement it to hear the outcome of a write, the attempts and the failure before. The default calls
    /// ``requestDidCancelLoad(_:)`` or ``requestDidTimeout(_:)``.
    func request(_ request: RestRequest, didEndWith error: RestError)
}

extension RestClientDelegate {
    /// Does nothing: the app cancelled the call itself.
    public func requestDidCancelLoad(_ request: RestRequest) {}

    /// Tells it as a failure with the code ``RestError/Code/timedOut``, so that it is not lost on an app that forgot
    /// it.
    ///
    /// The outcome of a write is given as unknown; ``request(_:didEndWith:)`` may know more.
    public func requestDidTimeout(_ request: RestRequest) {
        self.request(
            request, didFailLoadWithError: RestError(.timedOut, outcome: request.isWrite ? .unknown : nil))
    }

    /// Calls the one of the two callbacks that fits.
    public func request(_ request: RestRequest, didEndWith error: RestError) {
        if error.code == .cancelled { requestDidCancelLoad(request) } else { requestDidTimeout(request) }
    }

    /// Tells the result of a call through the one callback that fits.
    func receive(_ outcome: Result<RestResponse, RestError>, of request: RestRequest) {
        switch outcome {
        case .success(let response):
            self.request(request, didLoadResponse: response.payload, rawResponse: response.head)
        case .failure(let error) where error.code == .cancelled || error.code == .timedOut:
            self.request(request, didEndWith: error)
        case .failure(let error):
            self.request(request, didFailLoadWithError: error)
        }
    }
}

/// Receives the results of calls of one type of endpoint.
///
/// Exactly one of the two callbacks comes for every call. A call that was cancelled or ran out of time is a failure
/// with that code.
public protocol EndpointDelegate<Target>: AnyObject {
    /// The endpoint whose results are received.
    associatedtype Target: Endpoint

    /// The call succeeded.
    func endpoint(_ endpoint: Target, didLoad content: Target.Content)

    /// The call failed: in a way of its own, or in one that every call shares.
    func endpoint(_ endpoint: Target, didFailWith error: Target.CallFailure)
}

extension EndpointDelegate {
    func receive(_ outcome: Result<Target.Content, Target.CallFailure>, of endpoint: Target) {
        switch outcome {
        case .success(let content): self.endpoint(endpoint, didLoad: content)
        case .failure(let error): self.endpoint(endpoint, didFailWith: error)
        }
    }
}

extension RestClient {
    /// Sends a request and tells its result to a delegate on the caller's actor.
    ///
    /// The delegate need not be `Sendable`. It is held weakly: one that is gone by then loses its callback, and
    /// nothing else.
    ///
    /// - Parameters:
    ///   - request: what to ask; the delegate gets the payload, whatever type a ``RestRequest/Typed`` would read it as.
    ///   - delegate: gets exactly one of its four callbacks.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none names a queue instead.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: some RequestEndpoint, delegate: any RestClientDelegate, priority: TaskPriority? = nil,
        isolation: isolated any Actor = #isolation
    ) -> CallTask<RestResponse, RestError> {
        let request = request.request
        return send(request, priority: priority, isolation: isolation) { [weak delegate] result in
            delegate?.receive(result, of: request)
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
        _ request: some RequestEndpoint, delegate: any RestClientDelegate & Sendable, priority: TaskPriority? = nil,
        on queue: DispatchQueue
    ) -> CallTask<RestResponse, RestError> {
        let request = request.request
        return send(request, priority: priority, on: queue) { [weak delegate] result in
            delegate?.receive(result, of: request)
        }
    }

    /// Sends an endpoint's request and tells its result to a delegate on the caller's actor.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - delegate: gets exactly one of its callbacks; held weakly.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none names a queue instead.
    /// - Returns: the call under way.
    @discardableResult
    public func send<D: EndpointDelegate>(
        _ endpoint: D.Target, delegate: D, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation
    ) -> CallTask<D.Target.Content, D.Target.CallFailure> where D.Target.Content: Sendable {
        send(endpoint, priority: priority, isolation: isolation) { [weak delegate] result in
            delegate?.receive(result, of: endpoint)
        }
    }

    /// Sends an endpoint's request and tells its result to a delegate on a queue, for callers that are on no actor.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - delegate: gets exactly one of its callbacks; held weakly.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where it is called.
    /// - Returns: the call under way.
    @discardableResult
    public func send<D: EndpointDelegate & Sendable>(
        _ endpoint: D.Target, delegate: D, priority: TaskPriority? = nil, on queue: DispatchQueue
    ) -> CallTask<D.Target.Content, D.Target.CallFailure> where D.Target.Content: Sendable {
        send(endpoint, priority: priority, on: queue) { [weak delegate] result in
            delegate?.receive(result, of: endpoint)
        }
    }
}
