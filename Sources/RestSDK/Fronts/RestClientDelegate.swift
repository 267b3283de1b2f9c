// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Receives the outcome of calls.
///
/// Exactly one of the four call-backs comes for every call. The last two may be left out: a call that was cancelled
/// then ends without a word, and one whose time is up is a failure like the others.
public protocol RestClientDelegate: AnyObject {
    /// The call succeeded; the only success there is.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - payload: a dictionary or an array by the answer's root, or nothing for a 204.
    ///   - rawResponse: status and header fields.
    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponseHead)

    /// The call failed for another reason than the two below; the error carries status, parsed faults and the raw body.
    func request(_ request: RestRequest, didFailLoadWithError error: RestError)

    /// The call was cancelled, or with all others by ``RestClient/cancelAll()``.
    ///
    /// ``RestTask/value`` throws the whole error, with the outcome of a write.
    func requestDidCancelLoad(_ request: RestRequest)

    /// The call's time limit passed.
    ///
    /// ``RestTask/value`` throws the whole error, with the outcome of a write.
    func requestDidTimeout(_ request: RestRequest)
}

extension RestClientDelegate {
    /// Does nothing: the host cancelled the call itself.
    public func requestDidCancelLoad(_ request: RestRequest) {}

    /// Tells it as a failure with the code ``RestError/Code/timedOut``, so that it is not lost on a host that forgot
    /// it.
    ///
    /// The outcome of a write is given as unknown; ``RestTask/value`` may know more.
    public func requestDidTimeout(_ request: RestRequest) {
        self.request(
            request, didFailLoadWithError: RestError(.timedOut, outcome: request.isWrite ? .unknown : nil))
    }
}

extension RestClientDelegate {
    /// Tells the outcome of a call through the one call-back that fits.
    func receive(_ outcome: Result<RestResponse, RestError>, of request: RestRequest) {
        switch outcome {
        case .success(let response):
            self.request(request, didLoadResponse: response.payload, rawResponse: response.head)
        case .failure(let error) where error.code == .cancelled:
            requestDidCancelLoad(request)
        case .failure(let error) where error.code == .timedOut:
            requestDidTimeout(request)
        case .failure(let error):
            self.request(request, didFailLoadWithError: error)
        }
    }
}
