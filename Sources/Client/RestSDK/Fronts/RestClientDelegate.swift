// SPDX-License-Identifier: Apache-2.0

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
    ///   - payload: a dictionary or an array by the answer's root, or nothing for a 204.
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
    func endpoint(_ endpoint: Target, didFailWith error: CallError<Target.RouteError>)
}

extension EndpointDelegate {
    func receive(_ outcome: Result<Target.Content, CallError<Target.RouteError>>, of endpoint: Target) {
        switch outcome {
        case .success(let content): self.endpoint(endpoint, didLoad: content)
        case .failure(let error): self.endpoint(endpoint, didFailWith: error)
        }
    }
}
