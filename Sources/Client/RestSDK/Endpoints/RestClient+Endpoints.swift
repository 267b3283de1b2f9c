// SPDX-License-Identifier: Apache-2.0

import RestJSON

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
