// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RestClient {
    /// Sends an endpoint's request and gives its content: validated first, then decoded.
    ///
    /// - Throws: ``CallError``: the endpoint's own failure, or the ``RestError`` that every call can have.
    public func content<E: Endpoint>(of endpoint: E) async throws(CallError<E.RouteError>) -> E.Content {
        try await typed(endpoint.makeRequest, route: endpoint.routeError) { (response) throws(RestError) in
            try endpoint.validate(response)
            return try endpoint.content(from: response)
        }
    }

    /// Sends a request and gives a typed result by the status of the answer: the value for 2xx, the modelled failure
    /// where the body of an error is one, and a ``RestError`` for everything else.
    ///
    /// A success that does not decode is never a failure of `Failure`. Expect ``EmptyContent`` or an optional type of
    /// an answer without content.
    public func send<Value: Decodable, Failure: Decodable & Error & Sendable>(
        _ request: RestRequest, expecting value: Value.Type, errors: Failure.Type
    ) async -> Result<Value, CallError<Failure>> {
        do throws(CallError<Failure>) {
            return .success(
                try await typed({ request }, route: { $0.modelled(as: errors) }) { (response) throws(RestError) in
                    try response.decode(value)
                })
        } catch {
            return .failure(error)
        }
    }

    /// Runs a call whose failures may be the caller's own; those are read from the whole body.
    private func typed<Content, Failure>(
        _ request: () throws(RestError) -> RestRequest, route: (RestError) -> Failure?,
        read: (RestResponse) throws(RestError) -> Content
    ) async throws(CallError<Failure>) -> Content {
        do throws(RestError) {
            return try await runner.run(request(), route: route, read: read)
        } catch {
            throw route(error).map { .route($0, requestID: error.requestID) } ?? .rest(error.trimmed)
        }
    }
}

extension RestError {
    /// The failure that the body of a refusal stands for; a success that does not decode stands for none.
    fileprivate func modelled<Failure: Decodable>(as type: Failure.Type) -> Failure? {
        guard let status, !(200..<300).contains(status) else { return nil }
        return try? JSONValue(parsing: body).decode(type)
    }
}
