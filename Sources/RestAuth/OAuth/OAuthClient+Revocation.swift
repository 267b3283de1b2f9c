// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension OAuthClient {
    /// Ends a token at the server (RFC 7009); a refresh token takes along what came from it.
    ///
    /// A token that the server does not know any more counts as ended.
    ///
    /// - Throws: ``OAuthError``; the token must be taken for alive then (RFC 7009 §2.2.1).
    public func revoke(_ token: Secret, deadline: ContinuousClock.Instant) async throws(OAuthError) {
        let response: HTTPResponse
        do {
            response = try await transport.send(revocation(of: token), deadline: deadline)
        } catch {
            throw OAuthError(error)
        }
        let status = response.head.status
        guard !(200..<300).contains(status) else { return }
        let refusal = (try? JSONValue(parsing: response.body))?["error"]?.string
        guard refusal != "invalid_token" else { return }
        throw OAuthError(
            refusal.map { .init(rawValue: $0) }
                ?? (status == 429 || status >= 500 ? .serverUnavailable : .invalidResponse),
            "the server answered \(status) to the revocation of a token; try again later")
    }

    private func revocation(of token: Secret) -> HTTPRequest {
        var form = [("token", token.reveal()), ("client_id", clientID)]
        if let clientSecret { form.append(("client_secret", clientSecret.reveal())) }
        return HTTPRequest(
            method: .post, url: HTTPURL(origin: login, path: "/services/oauth2/revoke"),
            fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
            body: .bytes(Array(PercentEncoding.form(form).utf8)))
    }
}
