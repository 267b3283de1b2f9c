// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Receives the outcome of calls.
///
/// Exactly one of the four call-backs comes for every call.
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

    /// The call was cancelled.
    func requestDidCancelLoad(_ request: RestRequest)

    /// The call's time limit passed.
    func requestDidTimeout(_ request: RestRequest)
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
