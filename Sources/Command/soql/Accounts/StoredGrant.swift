// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestText

/// How a login is renewed without its user, according to its notes.
enum StoredGrant {
    static let kind = "grant"
    static let keyFile = "keyFile"
    static let jwt = "jwt"
    static let clientCredentials = "client_credentials"
    static let scopes = "scopes"

    /// The grant of a stored login; `nil` when only a refresh token renews it.
    static func grant(of account: LinkedAccount) -> (any Credential.Grant)? {
        guard let login = account.login else { return nil }
        let scopes = login.notes[scopes]?.split(byte: " ").map(String.init) ?? []
        switch login.notes[kind] {
        case clientCredentials: return ClientCredentialsGrant(scopes: scopes)
        case jwt: return jwtGrant(login, scopes)
        default: return nil
        }
    }

    private static func jwtGrant(_ login: Credential.Login, _ scopes: [String]) -> any OAuthGrant {
        do throws(OAuthError) {
            guard let file = login.notes[keyFile], let username = login.username else {
                throw OAuthError(.unusableKey, "the login does not name its key; log in again")
            }
            return JWTBearerGrant(
                clientID: login.clientID, username: username, key: try JWTBearerGrant.PrivateKey(contentsOfFile: file),
                server: login.endpoints ?? AuthorizationServer(login: login.server), scopes: scopes)
        } catch {
            return Unusable(error: error)
        }
    }

    /// A grant that fails with the reason why there is none.
    private struct Unusable: OAuthGrant {
        let error: OAuthError
        var parameters: [(name: String, value: Secret)] {
            get throws(OAuthError) { throw error }
        }
    }
}
