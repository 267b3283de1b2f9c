// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestTransport

extension TokenMigration {
    /// Takes over access tokens that were kept as bare text, as earlier SDKs of Dropbox did.
    ///
    /// They do not end, and nobody renews them.
    ///
    /// - Parameters:
    ///   - tokens: the tokens by the user's id, which becomes the account's key.
    ///   - app: the app that they were given to.
    ///   - target: where the logins go.
    /// - Returns: the migration, to be run once.
    public static func plainTokens(
        _ tokens: [String: Secret], of app: DropboxApp, to target: any CredentialStore
    ) -> TokenMigration {
        let source = RecordSource(tokens) { uid, token in app.credential(uid, token) }
        return TokenMigration(name: "dropbox-plain-\(app.key ?? "")", from: source, to: target)
    }
}

extension DropboxApp {
    /// The login of a token that came without any other.
    func credential(_ uid: String, _ token: Secret) -> Credential {
        Credential(
            accessToken: token, instance: hosts.api, userID: uid,
            login: Credential.Login(
                server: hosts.api, endpoints: .dropbox(hosts, locale: locale), clientID: key ?? ""))
    }
}
