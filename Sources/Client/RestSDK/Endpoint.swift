// SPDX-License-Identifier: Apache-2.0

import RestJSON

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

/// An endpoint whose answers come in pages, each of which says what to ask next.
public protocol PagedEndpoint: Endpoint {
    /// The endpoint of the page after the one with this content; `nil` after the last.
    ///
    /// - Throws: ``RestError`` when the content does not say.
    func next(after content: Content) throws(RestError) -> Self?
}

extension RestClient {
    /// The pages of an endpoint, in order, all of them, each asked for when the one before is used up.
    public func pages<E: PagedEndpoint>(of endpoint: E) -> EndpointPages<E> {
        EndpointPages(client: self, first: endpoint)
    }
}

/// The pages of an endpoint, in order, all of them.
public struct EndpointPages<E: PagedEndpoint>: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = E.Content
    /// What an iteration can throw.
    public typealias Failure = CallError<E.RouteError>

    let client: RestClient
    let first: E

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, next: first)
    }

    /// Gives page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: RestClient
        private var next: E?
        private var sent: Set<RestRequest> = []

        init(client: RestClient, next: E) {
            self.client = client
            self.next = next
        }

        /// The next page, or `nil` after the last.
        ///
        /// - Throws: ``CallError``; ``RestError/Code/invalidRequest`` before anything is sent when the endpoint leads
        ///   back to a page that was read already. The iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element?
        {
            guard let endpoint = next else { return nil }
            next = nil
            do throws(RestError) {
                guard try sent.insert(endpoint.makeRequest()).inserted else {
                    throw .invalidRequest("next", "the endpoint leads back to a page that was already read")
                }
            } catch {
                throw .rest(error)
            }
            let content = try await client.content(of: endpoint)
            do throws(RestError) {
                next = try endpoint.next(after: content)
            } catch {
                throw .rest(error)
            }
            return content
        }
    }
}

extension RestClient {
    /// Sends an endpoint's request and gives its content: validated first, then decoded.
    ///
    /// - Throws: ``CallError``: the endpoint's own failure, or the ``RestError`` that every call can have.
    public func content<E: Endpoint>(of endpoint: E) async throws(CallError<E.RouteError>) -> E.Content {
        try await content(of: endpoint, Call.Options())
    }

    /// The content of an endpoint, for every front.
    func content<E: Endpoint>(
        of endpoint: E, _ options: Call.Options
    ) async throws(CallError<E.RouteError>) -> E.Content {
        try await typed(route: endpoint.ownError) { () async throws(RestError) in
            let request = try endpoint.makeRequest()
            return try await runner.run(request, options, route: { endpoint.ownError(of: $0) }) {
                (response) throws(RestError) in try endpoint.read(response)
            }
        }
    }

    /// Sends a request and gives its answer decoded, or the failure that the body of a refusal stands for.
    ///
    /// The status decides: a success that does not decode is never a `Failure`. Ask for ``RestResponse/Empty`` or an
    /// optional type where the answer may have no content. A long answer is decoded off the caller's actor, and a call
    /// that ends meanwhile does not wait for that.
    ///
    /// - Throws: ``CallError``: a `Failure` for a refusal whose body is one, a ``RestError`` for everything else.
    public func send<Value: Decodable & SendableMetatype, Failure: Decodable & Error & Sendable>(
        _ request: RestRequest, as type: Value.Type, errors: Failure.Type
    ) async throws(CallError<Failure>) -> Value {
        try await typed(route: { $0.modelled(as: errors) }) { () async throws(RestError) in
            try await runner.run(request, route: { $0.modelled(as: errors) }) { (response) throws(RestError) in
                try response.decode(type)
            }
        }
    }

    /// The same for a type that only its own actor can decode: the answer is decoded where the caller is.
    ///
    /// - Throws: ``CallError``: a `Failure` for a refusal whose body is one, a ``RestError`` for everything else.
    public func send<Value: Decodable, Failure: Decodable & Error & Sendable>(
        _ request: RestRequest, as type: Value.Type, errors: Failure.Type
    ) async throws(CallError<Failure>) -> Value {
        try await typed(route: { $0.modelled(as: errors) }) { () async throws(RestError) in
            let response = try await runner.run(request, route: { $0.modelled(as: errors) }) { $0 }
            do throws(RestError) {
                return try response.decode(type)
            } catch {
                throw await runner.told(error, of: request)
            }
        }
    }

    /// Runs a call whose failures may be the caller's own; those are read from the whole body.
    private func typed<Content, Failure>(
        route: (RestError) -> Failure?, _ call: () async throws(RestError) -> Content
    ) async throws(CallError<Failure>) -> Content {
        do throws(RestError) {
            return try await call()
        } catch {
            throw route(error).map { .route($0, error.trimmed) } ?? .rest(error.trimmed)
        }
    }
}

extension Endpoint {
    /// The content of a response, after the validators; what the endpoint throws of its own goes along in a failure
    /// with the code ``RestError/Code/api``.
    fileprivate func read(_ response: RestResponse) throws(RestError) -> Content {
        try validate(response)
        do {
            return try content(from: response)
        } catch let error as RestError {
            throw error
        } catch {
            let isOwn = error is RouteError
            let failure = RestError(
                isOwn ? .api : .decoding, "\(error)", response: response.head, body: response.body,
                outcome: response.isWrite ? .applied : nil, underlying: error)
            throw isOwn ? failure.carrying(error) : failure
        }
    }

    /// The endpoint's own error: the one that it threw reading an answer, or the one that a refusal stands for.
    fileprivate func ownError(of error: RestError) -> RouteError? {
        error.ownFailure as? RouteError ?? routeError(from: error)
    }
}

extension RestError {
    /// The failure that the body of a refusal stands for; a success that does not decode stands for none.
    fileprivate func modelled<Failure: Decodable>(as type: Failure.Type) -> Failure? {
        guard let status, !(200..<300).contains(status) else { return nil }
        return try? bodyRoot?.decode(type)
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
