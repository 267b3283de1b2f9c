// SPDX-License-Identifier: Apache-2.0

/// One call of an API as a value: what to send, and what its answers mean.
///
/// An endpoint has no client and does no I/O, so that all of it can be tested by calling its methods. Any client can
/// send it.
public protocol Endpoint: Sendable {
    /// What a successful call gives.
    associatedtype Content
    /// The failures that belong to this call; `Never` for calls that have none of their own.
    associatedtype RouteError: Error & Sendable = Never

    /// The request.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` for an argument that cannot be sent.
    func makeRequest() throws(RestError) -> RestRequest

    /// What a response of status 2xx must fulfil besides; checked in this order, before ``content(from:)``.
    var validators: [RestResponse.Validator] { get }

    /// The content of a successful response.
    ///
    /// - Parameter response: an answer of status 2xx that fulfils the ``validators``.
    /// - Returns: what the caller wants of it.
    /// - Throws: a `RouteError` when the answer means that the call did not do what it is for, such as an empty list
    ///   where one record was asked for: the caller gets it as ``CallError/route(_:_:)``. A ``RestError`` with
    ///   ``RestError/Code/decoding`` when the response is of another shape; any other error counts as that too.
    func content(from response: RestResponse) throws -> Content

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

    /// No failure belongs to this call alone.
    public func routeError(from error: RestError) -> RouteError? { nil }
}

/// An endpoint whose answer is JSON: a `Root` as it is on the wire, and the `Content` that the caller wants of it.
public protocol JSONEndpoint: Endpoint {
    /// The shape of the answer's body.
    associatedtype Root: Decodable

    /// What the caller wants of the answer.
    ///
    /// - Parameter root: the body, decoded.
    /// - Returns: the content.
    /// - Throws: a `RouteError` when the answer means a failure of the call's own; see
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
public enum CallError<RouteError: Error & Sendable>: Error, Sendable {
    /// A failure that belongs to the call, and the error that it was read from, with the status, the raw body, the
    /// attempts and the server's id of the request.
    case route(RouteError, RestError)
    /// Any other failure.
    case rest(RestError)
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
