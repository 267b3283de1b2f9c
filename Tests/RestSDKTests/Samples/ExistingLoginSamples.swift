// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import Testing

/// The samples of the article on logins that exist already, word for word.
enum ExistingLoginSamples {
    static func run(in folder: String) async throws {
        let org = try await LocalOrg.start()
        let server = try HTTPURL(parsing: org.instanceURL).origin
        let oauth = OAuthClient(
            login: server, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            transport: PlatformTransport.shared)
        let login = try await oauth.token(
            for: PasswordGrant(
                username: org.username, password: Secret(org.password), scopes: ["api", "refresh_token"]),
            deadline: .now + .seconds(30))
        let token = try #require(login.refreshToken).reveal()
        let host = org.instanceURL.dropFirst("http://".count)
        let text = Secret("force://\(org.clientID):\(org.clientSecret):\(token)@\(host)")
        let (client, credential) = try await authURL(text)
        _ = try await client.send(.limits)
        try keep(login, of: org, in: folder)
        _ = try await commandLine(folder).send(.limits)
        let accounts = try await AccountManager.open(store: InMemoryCredentialStore())
        try await accounts.add(credential)
        await idle(accounts)
        await org.stop()
    }

    /// As `sf` keeps a login whose tokens nobody sealed.
    private static func keep(_ login: Credential, of org: LocalOrg, in home: String) throws {
        try FileManager.default.createDirectory(atPath: home + "/.sfdx", withIntermediateDirectories: true)
        let record: [String: String] = [
            "username": org.username, "instanceUrl": org.instanceURL, "accessToken": login.accessToken.reveal(),
        ]
        try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: home + "/.sfdx/\(org.username).json"))
        try JSONEncoder().encode(["orgs": ["work": org.username]])
            .write(to: URL(fileURLWithPath: home + "/.sfdx/alias.json"))
    }

    private static func authURL(_ text: Secret) async throws -> (RestClient, Credential) {
        // sample: docs/RestSDK.docc/ExistingLogins.md 1
        let url = try SalesforceCLI.AuthURL(text)
        let credential = try await url.login(transport: PlatformTransport.shared, deadline: .now + .seconds(30))
        let client = RestClient(credential: credential)
        // end
        return (client, credential)
    }

    private static func commandLine(_ home: String) async throws -> RestClient {
        // sample: docs/RestSDK.docc/ExistingLogins.md 2
        let cli = SalesforceCLI(home: home)
        for login in cli.logins { print(login.username, login.aliases, login.instance, login.isDefault) }
        let session = try await cli.session(of: "work")
        let client = RestClient(credential: session.credential, grant: session.grant)
        // end
        return client
    }

    private static func idle(_ accounts: AccountManager) async {
        // sample: docs/RestSDK.docc/ExistingLogins.md 3
        for (id, result) in await accounts.renewIdle(olderThan: .seconds(20 * 86_400)) {
            if case .failure(let error) = result { print(id, error) }
        }
        // end
    }
}
