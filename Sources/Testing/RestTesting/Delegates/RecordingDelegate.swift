// SPDX-License-Identifier: Apache-2.0

public import RestSDK
import Synchronization

/// A delegate that records all callbacks, so that a test can require exactly one.
public final class RecordingDelegate: RestClientDelegate, Sendable {
    /// A recorded callback.
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

    /// Creates a delegate without callbacks.
    public init() {}

    /// The callbacks so far, in order.
    public var callbacks: [Callback] { recorded.withLock { $0 } }

    /// Records the success.
    public func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
        record(.loaded(payload, rawResponse))
    }

    /// Records the error.
    public func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
        record(.failed(error))
    }

    /// Records the cancellation.
    public func requestDidCancelLoad(_ request: RestRequest) {
        record(.cancelled)
    }

    /// Records the timeout.
    public func requestDidTimeout(_ request: RestRequest) {
        record(.timedOut)
    }

    /// Records a callback of another kind.
    package func record(_ callback: Callback) {
        recorded.withLock { $0.append(callback) }
    }
}
