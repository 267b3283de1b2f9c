// SPDX-License-Identifier: Apache-2.0

import RestTransport
import RestXML

/// A parsed and checked answer to a SOAP login.
struct SOAPLoginResult {
    private let session: String
    private let address: HTTPURL
    private let user: String
    private let organization: String
    private let lifetime: Duration?

    /// Reads the element `loginResponse`.
    ///
    /// - Throws: ``OAuthError``: `.passwordExpired` for a session that opens nothing but the change of the password,
    ///   `.invalidResponse` for what is no whole answer.
    init(_ content: XMLElement) throws(OAuthError) {
        guard let result = content["result"] else { throw Self.refused("an answer without a result") }
        guard result["passwordExpired"]?.text != "true" else {
            throw OAuthError(.passwordExpired, "the password has expired; \(OAuthError.expiredPassword)")
        }
        guard let session = result["sessionId"]?.text, TokenResponse.isUsable(session) else {
            throw Self.refused("an answer without a usable session")
        }
        guard let address = result["serverUrl"].flatMap({ try? HTTPURL(parsing: $0.text) }) else {
            throw Self.refused("an answer without the address of the org")
        }
        let facts = result["userInfo"]
        guard let user = result["userId"]?.text, let organization = facts?["organizationId"]?.text,
            Self.isID(user), Self.isID(organization)
        else { throw Self.refused("an answer that does not say whose session it is") }
        (self.session, self.address, self.user, self.organization) = (session, address, user, organization)
        lifetime = facts?["sessionSecondsValid"].flatMap { Int64(outside: $0.text, in: .seconds) }
            .flatMap(TokenResponse.lifetime)
    }

    /// The login at the server that was asked.
    ///
    /// The user is named as in the identity URL that an OAuth login of the same server has, so that both are one
    /// account.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` for an instance that may not see the session.
    func credential(from client: OAuthClient) throws(OAuthError) -> Credential {
        var credential = Credential(
            accessToken: Secret(session),
            instance: try client.instancePolicy.instance(at: address.origin, login: client.login),
            identityURL: "\(client.login)/id/\(organization)/\(user)", userID: user, lifetime: lifetime)
        credential.userClaim = "user_id"
        return credential
    }

    private static func refused(_ what: String) -> OAuthError {
        OAuthError(.invalidResponse, "the SOAP API gave \(what); it was not used")
    }

    /// Whether a text can be a record's id.
    private static func isID(_ text: String) -> Bool {
        (text.utf8.count == 15 || text.utf8.count == 18) && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) }
    }
}
