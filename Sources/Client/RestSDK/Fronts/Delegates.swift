// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestTransport

/// Receives the results of calls.
///
/// Exactly one callback is called for each call. Without ``requestDidCancelLoad(_:)``, a cancelled call ends silently.
/// Without ``requestDidTimeout(_:)``, a timeout is reported as an error.
public protocol RestClientDelegate: AnyObject {
    /// The call succeeded.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - payload: a dictionary or an array, depending on the root of the response, or nothing for a 204.
    ///   - rawResponse: the status and headers.
    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head)

    /// The call failed, other than by cancellation or timeout, with an error that has the status, the parsed server
    /// errors and the raw body.
    func request(_ request: RestRequest, didFailLoadWithError error: RestError)

    /// The call was cancelled, alone or by ``RestClient/cancelAll()``.
    ///
    /// To get the complete error, with the outcome of a write, implement ``request(_:didEndWith:)``.
    func requestDidCancelLoad(_ request: RestRequest)

    /// The call timed out.
    ///
    /// To get the complete error, with the outcome of a write, implement ``request(_:didEndWith:)``.
    func requestDidTimeout(_ request: RestRequest)

    /// The call was cancelled or timed out, with the complete error.
    ///
    /// Implement this callback to get the outcome of a write, the attempts and the previous error. The default calls
    /// ``requestDidCancelLoad(_:)`` or ``requestDidTimeout(_:)``.
    func request(_ request: RestRequest, didEndWith error: RestError)
}

extension RestClientDelegate {
    /// Does nothing, because the app itself cancelled the call.
    public func requestDidCancelLoad(_ request: RestRequest) {}

    /// Reports an error with the code ``RestError/Code/timedOut``, so that an app without this callback does not miss
    /// it.
    ///
    /// The outcome of a write is reported as unknown. ``request(_:didEndWith:)`` may have a more exact outcome.
    public func requestDidTimeout(_ request: RestRequest) {
        self.request(
            request, didFailLoadWithError: RestError(.timedOut, outcome: request.isWrite ? .unknown : nil))
    }

    /// Calls ``requestDidCancelLoad(_:)`` or ``requestDidTimeout(_:)``.
    public func request(_ request: RestRequest, didEndWith error: RestError) {
        if error.code == .cancelled { requestDidCancelLoad(request) } else { requestDidTimeout(request) }
    }

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
/// Exactly one of the two callbacks is called for each call. A cancelled or timed-out call fails with that code.
public protocol EndpointDelegate<Target>: AnyObject {
    /// The type of the endpoint.
    associatedtype Target: Endpoint

    /// The call succeeded.
    func endpoint(_ endpoint: Target, didLoad content: Target.Content)

    /// The call failed, with an error of the endpoint or an error that every call can have.
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
    /// Sends a request and reports its result to a delegate on the caller's actor.
    ///
    /// The delegate does not need to be `Sendable`. It is held weakly: if it is released before the call ends, it gets
    /// no callback, but the call continues.
    ///
    /// - Parameters:
    ///   - request: the request. The delegate gets the payload, even for a ``RestRequest/Typed``.
    ///   - delegate: the delegate.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - isolation: the caller's actor. Without an actor, use a queue.
    /// - Returns: the call in progress.
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

    /// Sends a request and reports its result to a delegate on a queue, for callers without an actor.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - delegate: the delegate, which is held weakly.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - queue: the queue on which the delegate is called.
    /// - Returns: the call in progress.
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

    /// Sends a call and reports its result to a delegate on the caller's actor.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - delegate: the delegate, which is held weakly.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - isolation: the caller's actor. Without an actor, use a queue.
    /// - Returns: the call in progress.
    @discardableResult
    public func send<D: EndpointDelegate>(
        _ endpoint: D.Target, delegate: D, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation
    ) -> CallTask<D.Target.Content, D.Target.CallFailure> where D.Target.Content: Sendable {
        send(endpoint, priority: priority, isolation: isolation) { [weak delegate] result in
            delegate?.receive(result, of: endpoint)
        }
    }

    /// Sends a call and reports its result to a delegate on a queue, for callers without an actor.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - delegate: the delegate, which is held weakly.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - queue: the queue on which the delegate is called.
    /// - Returns: the call in progress.
    @discardableResult
    public func send<D: EndpointDelegate & Sendable>(
        _ endpoint: D.Target, delegate: D, priority: TaskPriority? = nil, on queue: DispatchQueue
    ) -> CallTask<D.Target.Content, D.Target.CallFailure> where D.Target.Content: Sendable {
        send(endpoint, priority: priority, on: queue) { [weak delegate] result in
            delegate?.receive(result, of: endpoint)
        }
    }
}
