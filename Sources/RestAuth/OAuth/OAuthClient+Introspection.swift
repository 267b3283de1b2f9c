// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension OAuthClient {
    /// What the server says about a token (RFC 7662 §2.2).
    public struct TokenStatus: Sendable, Hashable {
        /// Whether the token is good now; when it is not, all else is empty.
        public let isActive: Bool
        /// What it may be used for.
        public let scopes: [String]
        /// The client it was given to.
        public let clientID: String?
        /// The user's login name.
        public let username: String?
        /// The user's or client's id at the server.
        public let subject: String?
        /// The kind of token, as the server calls it.
        public let tokenType: String?
        /// When it expires, in seconds since 1970.
        public let expiresAt: Int64?
        /// When it was issued, in seconds since 1970.
        public let issuedAt: Int64?
        /// Before when it is not good, in seconds since 1970.
        public let notBefore: Int64?

        init(_ root: JSONValue) throws(OAuthError) {
            guard let active = root["active"]?.bool else {
                throw OAuthError(.invalidResponse, "the introspection endpoint did not say whether the token is active")
            }
            let facts = active ? root : [:]
            isActive = active
            scopes = facts["scope"]?.string?.split(separator: " ").map(String.init) ?? []
            clientID = facts["client_id"]?.string
            username = facts["username"]?.string
            subject = facts["sub"]?.string
            tokenType = facts["token_type"]?.string
            expiresAt = facts["exp"]?.whole(in: .epochSeconds).map(Int64.init)
            issuedAt = facts["iat"]?.whole(in: .epochSeconds).map(Int64.init)
            notBefore = facts["nbf"]?.whole(in: .epochSeconds).map(Int64.init)
        }
    }
}

extension OAuthClient {
    /// Asks the server what a token is good for (RFC 7662).
    ///
    /// - Parameters:
    ///   - token: the token, of either kind.
    ///   - kind: which one it is, as a help to the server.
    ///   - deadline: when to give up.
    /// - Throws: ``OAuthError``; a token that is not good is an answer, not an error.
    public func introspect(
        _ token: Secret, kind: OAuthClient.TokenKind? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.TokenStatus {
        guard let endpoint = server.introspectionEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no introspection endpoint")
        }
        var form: [(name: String, value: Secret)] = [("token", token)]
        if let kind { form.append(("token_type_hint", Secret(kind.rawValue))) }
        let answer = try await post(form, to: endpoint, by: server.introspectionAuthentication, until: deadline)
        return try OAuthClient.TokenStatus(try answer.object())
    }
}
