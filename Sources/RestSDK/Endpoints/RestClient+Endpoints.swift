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
        try await typed(route: endpoint.routeError) { () async throws(RestError) in
            let request = try endpoint.makeRequest()
            return try await runner.run(request, options, route: { endpoint.routeError(from: $0) }) {
                (response) throws(RestError) in
                try endpoint.validate(response)
                return try endpoint.content(from: response)
            }
        }
    }

    /// Sends a request and gives a typed result by the status of the answer: the value for 2xx, the modelled failure
    /// where the body of an error is one, and a ``RestError`` for everything else.
    ///
    /// A success that does not decode is never a failure of `Failure`. Expect ``RestResponse/Empty`` or an optional type of
    /// an answer without content. A long answer is decoded off the caller's actor, and a call that ends meanwhile does
    /// not wait for that.
    public func send<Value: Decodable & SendableMetatype, Failure: Decodable & Error & Sendable>(
        _ request: RestRequest, expecting value: Value.Type, errors: Failure.Type
    ) async -> Result<Value, CallError<Failure>> {
        await result(errors) { () async throws(RestError) in
            try await runner.run(request, route: { $0.modelled(as: errors) }) { (response) throws(RestError) in
                try response.decode(value)
            }
        }
    }

    /// Sends a request and gives a typed result by the status of the answer, for a type that only its own actor can
    /// decode; the same as the other method, but that the answer is decoded where the caller is.
    public func send<Value: Decodable, Failure: Decodable & Error & Sendable>(
        _ request: RestRequest, expecting value: Value.Type, errors: Failure.Type
    ) async -> Result<Value, CallError<Failure>> {
        await result(errors) { () async throws(RestError) in
            let response = try await runner.run(request, route: { $0.modelled(as: errors) }) { $0 }
            do throws(RestError) {
                return try response.decode(value)
            } catch {
                throw await runner.told(error, of: request)
            }
        }
    }

    private func result<Value, Failure: Decodable & Error & Sendable>(
        _ errors: Failure.Type, _ call: () async throws(RestError) -> Value
    ) async -> Result<Value, CallError<Failure>> {
        do throws(CallError<Failure>) {
            return .success(try await typed(route: { $0.modelled(as: errors) }, call))
        } catch {
            return .failure(error)
        }
    }

    /// Runs a call whose failures may be the caller's own; those are read from the whole body.
    private func typed<Content, Failure>(
        route: (RestError) -> Failure?, _ call: () async throws(RestError) -> Content
    ) async throws(CallError<Failure>) -> Content {
        do throws(RestError) {
            return try await call()
        } catch {
            throw route(error).map { .route($0, requestID: error.requestID) } ?? .rest(error.trimmed)
        }
    }
}

extension RestError {
    /// The failure that the body of a refusal stands for; a success that does not decode stands for none.
    fileprivate func modelled<Failure: Decodable>(as type: Failure.Type) -> Failure? {
        guard let status, !(200..<300).contains(status) else { return nil }
        return try? bodyRoot?.decode(type)
    }
}
