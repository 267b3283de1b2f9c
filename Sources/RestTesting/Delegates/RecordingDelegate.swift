// SPDX-License-Identifier: Apache-2.0

public import RestSDK
import Synchronization

/// A delegate that writes down every callback, so that a test can see that there was exactly one.
public final class RecordingDelegate: RestClientDelegate, Sendable {
    /// One callback as it came.
    public enum Callback: Sendable {
        /// `request(_:didLoadResponse:rawResponse:)`.
        case loaded(RestPayload, HTTPResponse.Head)
        /// `request(_:didFailLoadWithError:)`.
        case failed(RestError)
        /// `requestDidCancelLoad(_:)`.
        case cancelled
        /// `requestDidTimeout(_:)`.
        case timedOut
    }

    private let recorded = Mutex<[Callback]>([])

    /// Makes a delegate that has heard nothing yet.
    public init() {}

    /// The callbacks so far, in order.
    public var callbacks: [Callback] { recorded.withLock { $0 } }

    /// Writes down the success.
    public func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
        record(.loaded(payload, rawResponse))
    }

    /// Writes down the failure.
    public func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
        record(.failed(error))
    }

    /// Writes down the cancellation.
    public func requestDidCancelLoad(_ request: RestRequest) {
        record(.cancelled)
    }

    /// Writes down the timeout.
    public func requestDidTimeout(_ request: RestRequest) {
        record(.timedOut)
    }

    /// Writes down a callback that came another way.
    package func record(_ callback: Callback) {
        recorded.withLock { $0.append(callback) }
    }
}
