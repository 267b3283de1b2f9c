// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RestClient {
    /// Sends an endpoint's request and gives its content: validated first, then decoded.
    ///
    /// - Throws: ``CallError``: the endpoint's own failure, or the ``RestError`` that every call can have.
    public func content<E: Endpoint>(of endpoint: E) async throws(CallError<E.RouteError>) -> E.Content {
        do throws(RestError) {
            return try await runner.run(endpoint.makeRequest(), route: { endpoint.routeError(from: $0) }) {
                (response) throws(RestError) in
                try endpoint.validate(response)
                return try endpoint.content(from: response)
            }
        } catch {
            throw endpoint.routeError(from: error).map { .route($0, requestID: error.requestID) } ?? .rest(error)
        }
    }

    /// Sends a request and gives a typed result by the status of the answer: the value for 2xx, the modelled failure
    /// where the body of an error is one, and a ``RestError`` for everything else.
    ///
    /// A success that does not decode is never a failure of `Failure`.
    public func send<Value: Decodable, Failure: Decodable & Error & Sendable>(
        _ request: RestRequest, expecting value: Value.Type, errors: Failure.Type
    ) async -> Result<Value, CallError<Failure>> {
        do throws(RestError) {
            let value = try await runner.run(request, route: { $0.modelled(as: errors) }) {
                (response) throws(RestError) in try response.decode(value)
            }
            return .success(value)
        } catch {
            guard let failure = error.modelled(as: errors) else { return .failure(.rest(error)) }
            return .failure(.route(failure, requestID: error.requestID))
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
