// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import RestAuth
public import RestSDK
import StoneRuntime

/// A token of OAuth 1, as apps of the first version of Dropbox's API kept it.
public struct OAuth1Token: Sendable, Hashable {
    /// The token.
    public let token: Secret
    /// The secret that belongs to it.
    public let secret: Secret
    /// The key of the app that it was given to.
    public let appKey: String

    /// Makes a token of its parts.
    public init(token: Secret, secret: Secret, appKey: String) {
        self.token = token
        self.secret = secret
        self.appKey = appKey
    }
}

extension TokenMigration {
    /// Exchanges tokens of OAuth 1 for today's, all or nothing.
    ///
    /// A token of another app, and one that the server refuses, can never be exchanged; the others migrate without it.
    /// When the server cannot be reached, or cannot answer now, nothing is changed and a later run begins anew. The old
    /// tokens stay as they are.
    ///
    /// - Parameters:
    ///   - tokens: the old tokens by the user's id (`uid`), which becomes the account's key.
    ///   - app: the app with key and secret.
    ///   - target: where the logins go.
    ///   - configuration: everything else about the calls.
    /// - Returns: the migration, to be run once.
    public static func oauth1(
        _ tokens: [String: OAuth1Token], of app: DropboxApp, to target: any CredentialStore,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) -> TokenMigration {
        let client = DropboxAppClient(app: app, configuration: configuration)
        let source = RecordSource(tokens) { (uid, token) async throws(TokenMigration.Failure) in
            guard token.appKey == app.key else {
                throw Failure(account: uid, isTemporary: false, "the token is of another app, \(token.appKey)")
            }
            return try await app.credential(uid, exchange(token, of: uid, client))
        }
        return TokenMigration(name: "dropbox-oauth1-\(app.key ?? "")", from: source, to: target)
    }

    private static func exchange(
        _ token: OAuth1Token, of uid: String, _ client: DropboxAppClient
    ) async throws(TokenMigration.Failure) -> Secret {
        let argument = Auth.TokenFromOAuth1Arg(
            oauth1Token: token.token.reveal(), oauth1TokenSecret: token.secret.reveal())
        do throws(CallError<Auth.TokenFromOAuth1Error>) {
            return Secret(try await client.routes.call(Auth.Routes.tokenFromOauth1, argument).value.oauth2Token)
        } catch {
            throw Failure(account: uid, isTemporary: error.isTemporary, error.description)
        }
    }
}

extension CallError {
    /// Whether trying later can help: the server was not reached, or could not answer now.
    fileprivate var isTemporary: Bool {
        guard case .rest(let error) = self else { return false }
        switch error.dropbox {
        case .rateLimit, .server: return true
        case .client(let code): return code != .invalidRequest && code != .decoding
        default: return false
        }
    }
}
