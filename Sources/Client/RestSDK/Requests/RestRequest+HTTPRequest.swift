// SPDX-License-Identifier: Apache-2.0

import RestAuth
public import RestTransport

extension RestRequest {
    /// A call made of a whole HTTP request: its address with the query, method, header fields and body.
    ///
    /// The address must be one of the account's instance; any other is refused when the call is sent, before anything
    /// leaves the process. An `Authorization` in the request is sent in place of the account's token.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - name: the kind of call, a fixed label.
    public init(_ request: HTTPRequest, name: String = "custom") {
        self.init(
            name: name, method: request.method, resource: .serverPath(request.url.description),
            fields: request.fields, body: request.body)
    }
}

extension RestClient {
    /// The HTTP request as which a call would be sent, without the account's token.
    ///
    /// For logs, for tests, and for whoever sends it by other means.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - instance: the server; `nil` gives a relative URL.
    /// - Returns: the HTTP request.
    /// - Throws: ``RestError/Code/invalidRequest`` naming the argument that cannot be sent.
    public func httpRequest(for request: RestRequest, instance: Origin? = nil) throws(RestError) -> HTTPRequest {
        let built = try runner.builder.request(for: request)
        guard let instance else { return built }
        do throws(InvalidArgument) {
            return try built.addressed(to: instance)
        } catch {
            throw .invalidRequest(error.argument, error.reason, isWrite: request.isWrite)
        }
    }

    /// The HTTP request as which a call would be sent now, at its server and with the account's token, which is renewed
    /// first where it has ended.
    ///
    /// For whoever sends it by other means, such as in the background. It holds a secret, and is good as long as the
    /// token.
    ///
    /// - Parameter request: the call.
    /// - Returns: the HTTP request.
    /// - Throws: ``RestError``, as when the call is sent.
    public func signedRequest(for request: RestRequest) async throws(RestError) -> HTTPRequest {
        let built = try runner.builder.request(for: request)
        let origin = runner.builder.services[request.service].origin
        guard request.isAuthorized, built.fields["Authorization"] == nil else {
            guard let origin = origin ?? runner.tokens.lastInstance else {
                throw .invalidRequest("service", "it is not known where it is", isWrite: request.isWrite)
            }
            return try httpRequest(for: request, instance: origin)
        }
        let credential: Credential
        do throws(OAuthError) {
            let deadline = runner.clock.now + (request.timeout ?? runner.timeout).bounded
            credential = try await runner.tokens.credential(deadline: deadline).credential
        } catch {
            throw RestError(error, isWrite: request.isWrite, isFirstLogin: runner.tokens.lastInstance == nil)
        }
        var signed = try httpRequest(for: request, instance: origin ?? credential.instance)
        signed.fields.append("Authorization", "Bearer \(credential.accessToken.reveal())")
        return signed
    }
}
