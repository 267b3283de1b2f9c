// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension OAuthClient {
    /// Tells the server to forget a login with all of its tokens.
    ///
    /// At an endpoint of RFC 7009 it names the refresh token, whose end ends the access tokens that came from it
    /// (§2.1). An endpoint that wants the access token itself gets a new one where that has ended; see
    /// ``AuthorizationServer/revocationStyle``. A login that the server does not know, or no longer, counts as
    /// revoked.
    ///
    /// - Parameters:
    ///   - login: what the login gave last.
    ///   - reason: why, for the server's own statistics; `nil` says nothing.
    ///   - deadline: when to give up.
    /// - Throws: ``OAuthError`` as of one token: the login may live on then, so try again later.
    public func revoke(
        _ login: Credential, because reason: OAuthClient.RevocationReason? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) {
        switch server.revocationStyle {
        case .form: try await revoke(login.refreshToken ?? login.accessToken, because: reason, deadline: deadline)
        case .bearer: try await revokeBearer(login, deadline)
        }
    }

    private func revokeBearer(_ login: Credential, _ deadline: ContinuousClock.Instant) async throws(OAuthError) {
        if try await endLogin(of: login.accessToken, deadline) { return }
        guard let refreshToken = login.refreshToken else { return }
        let renewed: Credential
        do throws(OAuthError) {
            renewed = try await token(
                for: RefreshTokenGrant(refreshToken: refreshToken), renewing: login, deadline: deadline)
        } catch {
            guard !error.isFinal else { return }
            throw error
        }
        _ = try await endLogin(of: renewed.accessToken, deadline)
    }

    /// Ends the login of an access token; `false` when the server refuses the token.
    private func endLogin(
        of token: Secret, _ deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Bool {
        guard let endpoint = server.revocationEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no revocation endpoint")
        }
        let request = HTTPRequest(
            method: .post, url: endpoint, fields: ["Authorization": "Bearer \(token.reveal())"])
        let response = try await send(request, until: deadline)
        guard response.head.status != 401, !response.head.isSuccess else { return response.head.isSuccess }
        let answer = OAuthAnswer(response, from: endpoint.path, to: SentSecrets([token]))
        throw OAuthError(
            .revocationPending,
            "\(endpoint.path) answered \(response.head.status); until then the token may still be good",
            retryAfter: answer.unavailable?.retryAfter)
    }
}
