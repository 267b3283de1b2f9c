// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A call of an API: its request, the meaning of the response, and the errors it can have.
///
/// An endpoint has no client and does no I/O, so its methods can be tested directly. Every calling style sends every
/// endpoint. A ``RestRequest`` is an endpoint whose content is the response itself.
public protocol Endpoint: Sendable {
    /// The result of a successful call.
    associatedtype Content
    /// The errors of this endpoint, or `Never` if it has no own errors.
    associatedtype RouteError: Error & Sendable = Never
    /// The error that the call throws, which can be ``RestError`` if the endpoint has no own errors.
    associatedtype CallFailure: RestClient.Failure = CallError<RouteError>

    /// Makes the request.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` if an argument is invalid.
    func makeRequest() throws(RestError) -> RestRequest

    /// The conditions for a response of status 2xx, checked in this order before ``content(from:)``.
    var validators: [RestResponse.Validator] { get }

    /// Returns the content of a successful response.
    ///
    /// - Parameter response: a response of status 2xx that passed the ``validators``.
    /// - Returns: the content for the caller.
    /// - Throws: a `RouteError` if the response means that the call did not succeed, such as an empty list for a call
    ///   that reads one record. The caller gets it as ``CallError/route(_:_:)``. A ``RestError`` with
    ///   ``RestError/Code/decoding`` if the response has an unexpected form. Any other error is treated as a decoding
    ///   error.
    func content(from response: RestResponse) throws -> Content

    /// Returns the content of an error response, for services that respond with an error status to a successful call.
    ///
    /// - Returns: the content, or `nil` if the call failed.
    func content(refused error: RestError) -> Content?

    /// Converts a ``RestError`` to an error of the endpoint, or returns `nil` if it has no such error.
    func routeError(from error: RestError) -> RouteError?
}

extension Endpoint {
    /// No validators, because every call rejects error bodies and statuses other than 2xx.
    public var validators: [RestResponse.Validator] { [] }

    /// Throws if the response does not pass a validator.
    public func validate(_ response: RestResponse) throws(RestError) {
        for validator in validators { try validator.validate(response) }
    }

    /// Returns `nil`: an error response has no content.
    public func content(refused error: RestError) -> Content? { nil }

    /// Returns `nil`: the endpoint has no own errors.
    public func routeError(from error: RestError) -> RouteError? { nil }
}

extension RestClient {
    /// An error type that calls throw: ``CallError`` or ``RestError``.
    public protocol Failure: Error, Sendable {
        /// Makes the error of a call.
        ///
        /// - Parameters:
        ///   - error: the error of the call.
        ///   - own: the endpoint's own error, or `nil`.
        init(_ error: RestError, own: (any Error)?)
    }
}

extension RestError: RestClient.Failure {
    /// Returns the error itself.
    public init(_ error: RestError, own: (any Error)?) { self = error }
}

/// An endpoint with a JSON response, which is decoded as `Root` and converted to `Content`.
public protocol JSONEndpoint: Endpoint {
    /// The type of the response body.
    associatedtype Root: Decodable

    /// Converts the decoded body to the content.
    ///
    /// - Parameter root: the decoded body.
    /// - Returns: the content.
    /// - Throws: a `RouteError` if the response means one of the endpoint's own errors. See
    ///   ``Endpoint/content(from:)``.
    func content(from root: Root) throws -> Content
}

extension JSONEndpoint {
    /// Decodes the body and converts it to the content.
    public func content(from response: RestResponse) throws -> Content {
        try content(from: response.decode(Root.self))
    }
}

extension JSONEndpoint where Root == Content {
    /// Returns the body itself.
    public func content(from root: Root) throws(RestError) -> Content { root }
}

/// The error of a typed call: an error of its endpoint, or an error that every call can have.
public enum CallError<RouteError: Error & Sendable>: RestClient.Failure {
    /// An error of the endpoint, and the ``RestError`` with the status, the raw body, the attempts and the request id.
    case route(RouteError, RestError)
    /// Any other error.
    case rest(RestError)

    /// Makes a `route` error if `own` is an error of the endpoint, otherwise a `rest` error.
    public init(_ error: RestError, own: (any Error)?) {
        self = (own as? RouteError).map { .route($0, error) } ?? .rest(error)
    }
}

extension CallError: CustomStringConvertible {
    /// The error in one line.
    public var description: String {
        switch self {
        case .route(let error, let rest): rest.requestID.map { "\(error) [request \($0)]" } ?? "\(error)"
        case .rest(let error): error.description
        }
    }
}

extension RestResponse {
    /// A condition that a response of status 2xx must meet before it is decoded.
    public struct Validator: Sendable {
        private let check: @Sendable (RestResponse) throws(RestError) -> Void

        /// Makes a validator from a function that throws if the condition is not met.
        public init(_ check: @escaping @Sendable (RestResponse) throws(RestError) -> Void) {
            self.check = check
        }

        /// Throws if the response does not meet the condition.
        public func validate(_ response: RestResponse) throws(RestError) { try check(response) }

        /// The status must be one of these.
        public static func status(_ accepted: Int...) -> RestResponse.Validator {
            RestResponse.Validator { (response) throws(RestError) in
                guard !accepted.contains(response.head.status) else { return }
                throw response.refused(
                    "the server responded with status \(response.head.status) instead of \(accepted)")
            }
        }

        /// The body must not be empty.
        public static let content = RestResponse.Validator { (response) throws(RestError) in
            guard response.body.isEmpty else { return }
            throw response.refused("the response is empty")
        }

        /// No part of the response may have failed, for collections, batches and composites that the caller treats as
        /// all or nothing.
        public static let everyPart = RestResponse.Validator { (response) throws(RestError) in
            let faults = response.faults
            guard let first = faults.first else { return }
            throw RestError(
                .api, first.description, faults: faults, response: response.head, body: response.body,
                outcome: response.isWrite ? .unknown : nil)
        }
    }
}

extension RestResponse {
    fileprivate func refused(_ reason: String) -> RestError {
        RestError(.decoding, reason, response: head, body: body, outcome: isWrite ? .applied : nil)
    }
}
