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
    /// - Throws: ``RestError/Code/decoding`` when the response is of another shape.
    func content(from response: RestResponse) throws(RestError) -> Content

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
    func content(from root: Root) throws(RestError) -> Content
}

extension JSONEndpoint {
    /// Decodes the root, then takes the content out of it.
    public func content(from response: RestResponse) throws(RestError) -> Content {
        try content(from: response.decode(Root.self))
    }
}

extension JSONEndpoint where Root == Content {
    /// The root itself.
    public func content(from root: Root) throws(RestError) -> Content { root }
}
