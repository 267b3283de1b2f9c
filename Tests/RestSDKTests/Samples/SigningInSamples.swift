// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import Testing

/// The samples of the article on signing in, word for word; those that need neither a user nor a server of their own
/// run.
enum SigningInSamples {
    static func run(in folder: String) async throws {
        let org = try await LocalOrg.start()
        let server = try HTTPURL(parsing: org.instanceURL).origin
        let secret = Secret(org.clientSecret)
        let oauth = OAuthClient(
            login: server, clientID: org.clientID, clientSecret: secret, transport: PlatformTransport.shared)
        try await withoutUser(org)
        var credential = try await oauth.token(for: ClientCredentialsGrant(), deadline: .now + .seconds(30))
        credential.login = Credential.Login(server: server, clientID: org.clientID, clientSecret: secret)
        let accounts = try await severalAccounts("\(folder)/new", credential)
        let newer = FileCredentialStore(directory: "\(folder)/newer")
        try await migration(from: FileCredentialStore(directory: "\(folder)/new"), to: newer)
        #expect(try await newer.accounts() == accounts.accounts.map(\.id))
        try await programs(FileCredentialStore(directory: "\(folder)/programs"), org)
        try await loggingOut(accounts)
        #expect(accounts.accounts.isEmpty)
        await org.stop()
    }

    private static func client() -> OAuthClient {
        // sample: docs/RestSDK.docc/SigningIn.md 1
        let server = Origin(scheme: .https, host: "example.my.salesforce.com")
        let oauth = OAuthClient(login: server, clientID: "…", clientSecret: nil, transport: PlatformTransport.shared)
        // end
        return oauth
    }

    private static func otherServer(_ credential: inout Credential, _ secret: Secret) async throws -> OAuthClient {
        // sample: docs/RestSDK.docc/SigningIn.md 2
        var other = try await AuthorizationServer.discovered(
            at: "https://id.example.com", transport: PlatformTransport.shared, deadline: .now + .seconds(30))
        other.clientAuthentication = .basic  // only where its metadata are wrong
        let client = OAuthClient(
            server: other, clientID: "…", clientSecret: secret, transport: PlatformTransport.shared)
        credential.login = Credential.Login(server: other.origin, endpoints: other, clientID: "…", clientSecret: secret)
        // end
        return client
    }

    private static func browser(_ oauth: OAuthClient, _ server: Origin) async throws -> RestClient {
        // sample: docs/RestSDK.docc/SigningIn.md 3
        var credential = try await oauth.login(
            with: LoopbackPresenter(), scopes: ["api", "refresh_token"],
            deadline: .now + .seconds(300))
        credential.login = Credential.Login(server: server, clientID: "…")

        let tokens = TokenManager(credential: credential, renewal: TokenManager.Renewal(client: oauth))
        let client = RestClient(tokens: tokens)
        // end
        return client
    }

    private static func fixedAddress() throws -> LoopbackPresenter {
        // sample: docs/RestSDK.docc/SigningIn.md 4
        let options = try LoopbackPresenter.Options(redirectURI: "http://localhost:1717/OauthRedirect")
        let presenter = LoopbackPresenter(options: options)
        // end
        return presenter
    }

    private static func twoHalves(
        _ oauth: OAuthClient, _ show: (HTTPURL) -> Void, _ redirectURL: String
    ) async throws -> Credential {
        // sample: docs/RestSDK.docc/SigningIn.md 5
        let pending = try oauth.beginLogin(redirectURI: "com.example.app:/done", scopes: ["api", "refresh_token"])
        let saved = try JSONEncoder().encode(pending)
        show(pending.url)

        // later, perhaps in another process, when the browser came back
        let begun = try JSONDecoder().decode(PendingLogin.self, from: saved)
        let credential = try await oauth.finishLogin(begun, redirectURL: redirectURL, deadline: .now + .seconds(30))
        // end
        return credential
    }

    private static func device(_ oauth: OAuthClient) async throws -> Credential {
        // sample: docs/RestSDK.docc/SigningIn.md 6
        let login = try await oauth.beginDeviceLogin(scopes: ["api", "refresh_token"], deadline: .now + .seconds(30))
        print("Open \(login.verificationURI) and enter the code \(login.userCode)")
        let credential = try await oauth.finishDeviceLogin(login)
        // end
        return credential
    }

    private static func statement(_ server: Origin) throws -> RestClient {
        // sample: docs/RestSDK.docc/SigningIn.md 7
        let key = try JWTBearerGrant.PrivateKey(contentsOfFile: "/etc/example/key.pem")
        let grant = JWTBearerGrant(clientID: "…", username: "robot@example.com", key: key, login: server)
        let robot = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "…", clientSecret: nil, grant: grant)
        // end
        return robot
    }

    private static func withoutUser(_ org: LocalOrg) async throws {
        let (loginURL, clientID, clientSecret) = (org.instanceURL, org.clientID, Secret(org.clientSecret))
        let (username, password) = (org.username, Secret(org.password))
        // sample: docs/RestSDK.docc/SigningIn.md 8
        let itself = try RestClient(loginURL: loginURL, clientID: clientID, clientSecret: clientSecret)
        let legacy = try RestClient(
            loginURL: loginURL, clientID: clientID, clientSecret: clientSecret,
            grant: PasswordGrant(username: username, password: password))
        // end
        for client in [itself, legacy] { _ = try await client.send(.limits) }
    }

    private static func severalAccounts(_ directory: String, _ credential: Credential) async throws -> AccountManager {
        // sample: docs/RestSDK.docc/SigningIn.md 9
        let store = FileCredentialStore(directory: directory)
        let accounts = try await AccountManager.open(store: store)
        RestClient.share(accounts)

        let account = try await accounts.add(credential, makesCurrent: true)
        let limits = try await RestClient.shared.send(.limits)
        let client = try RestClient(account: account.id, of: accounts)
        // end
        RestClient.share(nil)
        print(limits.payload)
        _ = try await client.send(.limits)
        return accounts
    }

    /// Where a host keeps its secrets.
    private struct Vault {
        let value: String

        func secret(of server: Origin) async throws -> Secret? { Secret(value) }
    }

    private static func programs(_ store: FileCredentialStore, _ org: LocalOrg) async throws {
        let vault = Vault(value: org.clientSecret)
        let (server, clientID) = (try HTTPURL(parsing: org.instanceURL).origin, org.clientID)
        // sample: docs/RestSDK.docc/SigningIn.md 10
        let accounts = try await AccountManager.open(
            store: store, secrets: { try await vault.secret(of: $0.server) }, grants: { _ in ClientCredentialsGrant() })

        let oauth = OAuthClient(
            server: AuthorizationServer(login: server), clientID: clientID, clientSecret: nil,
            secretSource: { try await vault.secret(of: server) }, transport: PlatformTransport.shared)
        var credential = try await oauth.token(for: ClientCredentialsGrant(), deadline: .now + .seconds(30))
        credential.login = Credential.Login(server: server, clientID: clientID)
        let account = try await accounts.add(credential)
        let robot = try RestClient(account: account.id, of: accounts)
        // end
        _ = try await robot.refreshNow()
        _ = try await robot.send(.limits)
    }

    private static func loggingOut(_ accounts: AccountManager) async throws {
        let account = try #require(accounts.current)
        // sample: docs/RestSDK.docc/SigningIn.md 11
        let report = try await accounts.unlink(account.id)
        if case .pending(let revocation, let error) = report.revocation {
            print(error)
            try await revocation.perform(deadline: .now + .seconds(30))
        }
        // end
    }

    private static func migration(from old: any CredentialStore, to store: any CredentialStore) async throws {
        // sample: docs/RestSDK.docc/SigningIn.md 12
        let migration = TokenMigration(name: "to-new-folder", from: TokenMigration.StoreSource(old), to: store)
        switch try await migration.run() {
        case .nothingFound, .alreadyDone: break
        case .done(let migrated, let failed): print(migrated, failed)
        case .retryLater(let failures): print(failures)
        }
        // end
    }
}

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
