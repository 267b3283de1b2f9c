// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RestClient {
    /// Sends an endpoint's request and gives its content: validated first, then decoded.
    ///
    /// - Throws: ``CallError``: the endpoint's own failure, or the ``RestError`` that every call can have.
    public func content<E: Endpoint>(of endpoint: E) async throws(CallError<E.RouteError>) -> E.Content {
        do throws(RestError) {
            let response = try await send(endpoint.makeRequest())
            try endpoint.validate(response)
            return try endpoint.content(from: response)
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
        let response: RestResponse
        do {
            response = try await send(request)
        } catch {
            guard error.status.map({ !(200..<300).contains($0) }) == true, let failure = error.decodedBody(as: errors)
            else {
                return .failure(.rest(error))
            }
            return .failure(.route(failure, requestID: error.requestID))
        }
        do {
            return .success(try response.decode(value))
        } catch {
            return .failure(.rest(error))
        }
    }
}

extension RestError {
    fileprivate func decodedBody<Failure: Decodable>(as type: Failure.Type) -> Failure? {
        try? JSONValue(parsing: body).decode(type)
    }
}
