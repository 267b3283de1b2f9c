// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension OAuthClient {
    /// Which of the two tokens a text is (RFC 7009 §2.1).
    public enum TokenKind: String, Sendable, Hashable {
        /// Opens the API.
        case access = "access_token"
        /// Renews the access token.
        case refresh = "refresh_token"
    }
}

extension OAuthClient {
    /// Tells the server to forget a token (RFC 7009); with a refresh token, the whole login.
    ///
    /// A token that the server does not know, or no longer, counts as revoked.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - kind: which one it is, as a help to the server; `nil` lets it find out.
    ///   - deadline: when to give up.
    /// - Throws: ``OAuthError`` with `.revocationPending` when the server cannot do it now, `.unreachable` or
    ///   `.timedOut` when it was not reached: in all three cases the token may still be good, so try again later.
    public func revoke(
        _ token: Secret, kind: OAuthClient.TokenKind? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) {
        guard let endpoint = server.revocationEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no revocation endpoint")
        }
        var form: [(name: String, value: Secret)] = [("token", token)]
        if let kind { form.append(("token_type_hint", Secret(kind.rawValue))) }
        let answer = try await post(form, to: endpoint, by: server.revocationAuthentication, until: deadline)
        if answer.response.head.isSuccess { return }
        if let failure = answer.unavailable {
            throw OAuthError(
                .revocationPending, "\(failure.message); until then the token may still be good",
                retryAfter: failure.retryAfter)
        }
        do {
            _ = try answer.object()
        } catch  where error.code == .invalidToken {
            return
        }
    }
}
