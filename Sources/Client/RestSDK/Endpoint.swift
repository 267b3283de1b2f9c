// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Something that a client can send: what to ask, what the response means, and how the call can fail.
///
/// An endpoint has no client and does no I/O, so that all of it can be tested by calling its methods. Every calling
/// style sends every endpoint. A ``RestRequest`` is an endpoint whose content is the response itself.
public protocol Endpoint: Sendable {
    /// What a successful call gives.
    associatedtype Content
    /// The failures that belong to this call; `Never` for calls that have none of their own.
    associatedtype RouteError: Error & Sendable = Never
    /// The error that the call throws.
    ///
    /// An endpoint without failures of its own may choose ``RestError`` in place of ``CallError``.
    associatedtype CallFailure: RestClient.Failure = CallError<RouteError>

    /// The request.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` for an argument that cannot be sent.
    func makeRequest() throws(RestError) -> RestRequest

    /// What a response of status 2xx must fulfil besides; checked in this order, before ``content(from:)``.
    var validators: [RestResponse.Validator] { get }

    /// The content of a successful response.
    ///
    /// - Parameter response: a response of status 2xx that fulfils the ``validators``.
    /// - Returns: what the caller wants of it.
    /// - Throws: a `RouteError` when the response means that the call did not do what it is for, such as an empty list
    ///   where one record was asked for: the caller gets it as ``CallError/route(_:_:)``. A ``RestError`` with
    ///   ``RestError/Code/decoding`` when the response is of another shape; any other error counts as that too.
    func content(from response: RestResponse) throws -> Content

    /// The content that an error response holds, for services that answer with an error status although they did the
    /// call; `nil` leaves it an error.
    func content(refused error: RestError) -> Content?

    /// The call's own failure that the error stands for; `nil` leaves it a ``RestError``.
    func routeError(from error: RestError) -> RouteError?
}

extension Endpoint {
    /// None: a body that consists of faults and every other status than 2xx are refused for every call already.
    public var validators: [RestResponse.Validator] { [] }

    /// Refuses a response that does not fulfil a validator.
    public func validate(_ response: RestResponse) throws(RestError) {
        for validator in validators { try validator.validate(response) }
    }

    /// No error response holds content.
    public func content(refused error: RestError) -> Content? { nil }

    /// No failure belongs to this call alone.
    public func routeError(from error: RestError) -> RouteError? { nil }
}

extension RestClient {
    /// An error that calls throw: ``CallError`` or ``RestError``.
    public protocol Failure: Error, Sendable {
        /// Makes the error of a call.
        ///
        /// - Parameters:
        ///   - error: why the call failed.
        ///   - own: the endpoint's own failure that it stands for.
        init(_ error: RestError, own: (any Error)?)
    }
}

extension RestError: RestClient.Failure {
    /// The error itself.
    public init(_ error: RestError, own: (any Error)?) { self = error }
}

/// An endpoint whose response is JSON: a `Root` as it is on the wire, and the `Content` that the caller wants of it.
public protocol JSONEndpoint: Endpoint {
    /// The shape of the response's body.
    associatedtype Root: Decodable

    /// What the caller wants of the response.
    ///
    /// - Parameter root: the body, decoded.
    /// - Returns: the content.
    /// - Throws: a `RouteError` when the response means a failure of the call's own; see
    ///   ``Endpoint/content(from:)``.
    func content(from root: Root) throws -> Content
}

extension JSONEndpoint {
    /// Decodes the root, then takes the content out of it.
    public func content(from response: RestResponse) throws -> Content {
        try content(from: response.decode(Root.self))
    }
}

extension JSONEndpoint where Root == Content {
    /// The root itself.
    public func content(from root: Root) throws(RestError) -> Content { root }
}

/// Why a typed call did not succeed: in a way of its own, or in one that every call shares.
public enum CallError<RouteError: Error & Sendable>: RestClient.Failure {
    /// A failure that belongs to the call, and the error that it was read from, with the status, the raw body, the
    /// attempts and the server's id of the request.
    case route(RouteError, RestError)
    /// Any other failure.
    case rest(RestError)

    /// The endpoint's own failure if there is one, else the error.
    public init(_ error: RestError, own: (any Error)?) {
        self = (own as? RouteError).map { .route($0, error) } ?? .rest(error)
    }
}

extension CallError: CustomStringConvertible {
    /// The failure in one line.
    public var description: String {
        switch self {
        case .route(let error, let rest): rest.requestID.map { "\(error) [request \($0)]" } ?? "\(error)"
        case .rest(let error): error.description
        }
    }
}

extension RestResponse {
    /// One condition that a response of status 2xx must fulfil before it is decoded; any number of endpoints can share
    /// it.
    public struct Validator: Sendable {
        private let check: @Sendable (RestResponse) throws(RestError) -> Void

        /// Makes a condition of a function that throws when it is not fulfilled.
        public init(_ check: @escaping @Sendable (RestResponse) throws(RestError) -> Void) {
            self.check = check
        }

        /// Refuses the response if it does not fulfil the condition.
        public func validate(_ response: RestResponse) throws(RestError) {
            try check(response)
        }

        /// The status is one of these.
        public static func status(_ accepted: Int...) -> RestResponse.Validator {
            RestResponse.Validator { (response) throws(RestError) in
                guard !accepted.contains(response.head.status) else { return }
                throw response.refused("the server answered \(response.head.status), not \(accepted)")
            }
        }

        /// There is a body.
        public static let content = RestResponse.Validator { (response) throws(RestError) in
            guard response.body.isEmpty else { return }
            throw response.refused("the answer is empty")
        }

        /// No part of the answer failed, for collections, batches and composites that are all or nothing to the caller.
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
