// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Logging in")
struct LoginTests {
    private let stub = Stub()
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    private func login() throws -> DropboxLogin {
        var app = DropboxApp(key: "appKey")
        app.locale = "de"
        return try DropboxLogin(app: app, transport: stub.transport)
    }

    private func parameters(_ url: HTTPURL) -> [String: String] {
        let pairs = (url.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    @Test("the page's URL has PKCE, offline access, scopes and the other requested options")
    func page() throws {
        let options = LoginOptions(
            scopes: ["files.content.read", "account_info.read"], grantedScopes: .user, forcesReauthentication: true,
            disablesSignup: true)
        let pending = try login().begin(redirectURI: "db-appKey://2/token", options)
        let query = parameters(pending.url)
        #expect(pending.url.description.hasPrefix("https://www.dropbox.com/oauth2/authorize?"))
        #expect(query["client_id"] == "appKey")
        #expect(query["code_challenge_method"] == "S256")
        #expect(query["code_challenge"]?.utf8.count == 43)
        #expect(query["token_access_type"] == "offline")
        #expect(query["scope"] == "files.content.read%20account_info.read")
        #expect(query["include_granted_scopes"] == "user")
        #expect(query["force_reauthentication"] == "true")
        #expect(query["disable_signup"] == "true")
        #expect(query["locale"] == "de")
    }

    @Test("options that were not requested are not in the URL")
    func plain() throws {
        let query = parameters(try login().begin(redirectURI: "db-appKey://2/token").url)
        for name in ["scope", "include_granted_scopes", "force_reauthentication", "disable_signup", "force_reapprove"] {
            #expect(query[name] == nil, "\(name)")
        }
    }

    @Test("the code is exchanged without a secret, and the login has its user and its renewal")
    func exchange() async throws {
        stub.transport.enqueue(
            """
            {"access_token":"a1","token_type":"bearer","expires_in":14400,"refresh_token":"r1","uid":"7",\
            "account_id":"dbid:A","scope":"files.content.read"}
            """)
        let login = try login()
        let pending = try login.begin(redirectURI: "db-appKey://2/token")
        let state = try #require(parameters(pending.url)["state"])
        let credential = try await login.finish(
            pending, redirectURL: "db-appKey://2/token?code=c1&state=\(state)", deadline: soon)
        #expect(stub.url(0) == "https://api.dropboxapi.com/oauth2/token")
        let uri = "redirect_uri=db-appKey%3A%2F%2F2%2Ftoken"
        for part in [
            "grant_type=authorization_code", "code=c1", "client_id=appKey", "code_verifier=", "locale=de", uri,
        ] {
            #expect(stub.body(0).contains(part), "\(part)")
        }
        #expect(!stub.body(0).contains("client_secret"))
        #expect(credential.userID == "dbid:A")
        #expect(credential.refreshToken?.reveal() == "r1")
        #expect(credential.lifetime == .seconds(14400))
        #expect(credential.login?.clientID == "appKey")
        #expect(credential.login?.endpoints == .dropbox(locale: "de"))
    }

    @Test("the login of a team has the team's id as its key, also after another login")
    func team() async throws {
        let accounts = try await AccountManager.open(store: InMemoryCredentialStore(), transport: stub.transport)
        var keys: [String] = []
        for number in 0..<2 {
            stub.transport.enqueue(
                #"{"access_token":"a\#(number)","token_type":"bearer","refresh_token":"r","team_id":"dbtid:T"}"#)
            let login = try login()
            let pending = try login.begin(redirectURI: "db-appKey://2/token", LoginOptions(grantedScopes: .team))
            let state = try #require(parameters(pending.url)["state"])
            let credential = try await login.finish(
                pending, redirectURL: "db-appKey://2/token?code=c1&state=\(state)", deadline: soon)
            #expect(credential.userID == "dbtid:T")
            keys.append(try await accounts.add(credential).id)
        }
        #expect(keys == ["dbtid:T@api.dropboxapi.com", "dbtid:T@api.dropboxapi.com"])
    }

    @Test("a team id from another server identifies no user")
    func otherServer() async throws {
        stub.transport.enqueue(#"{"access_token":"a","token_type":"bearer","team_id":"T"}"#)
        let server = AuthorizationServer(login: Origin(scheme: .https, host: "login.example.com"))
        let client = OAuthClient(server: server, clientID: "c", clientSecret: nil, transport: stub.transport)
        let grant = RefreshTokenGrant(refreshToken: "r")
        #expect(try await client.token(for: grant, deadline: soon).userID == nil)
        #expect(!stub.body(0).contains("locale"))
    }

    @Test("an app without a key cannot log in")
    func noKey() {
        #expect(throws: OAuthError.self) { try DropboxLogin(app: DropboxApp(), transport: stub.transport) }
    }
}

@Suite("Tokens of OAuth 1")
struct OAuth1Tests {
    private let stub = Stub()
    private let store = InMemoryCredentialStore()

    private func migration(_ keys: [String: String]) -> TokenMigration {
        let tokens = keys.mapValues { OAuth1Token(token: "old", secret: "hidden", appKey: $0) }
        return .oauth1(tokens, of: stub.app, to: store, configuration: stub.configuration)
    }

    @Test("tokens are exchanged with the app's credentials, and saved once all are available")
    func exchange() async throws {
        for token in ["new1", "new2"] { stub.transport.enqueue(#"{"oauth2_token":"\#(token)"}"#) }
        let migration = migration(["1": "appKey", "2": "appKey"])
        #expect(try await migration.run() == .done(migrated: ["1", "2"], failed: []))
        #expect(stub.url(0) == "https://api.dropboxapi.com/2/auth/token/from_oauth1")
        #expect(stub.field("Authorization", 0) == "Basic YXBwS2V5OmFwcFNlY3JldA==")
        #expect(stub.body(0) == #"{"oauth1_token":"old","oauth1_token_secret":"hidden"}"#)
        #expect(try await store.load("2")?.credential.accessToken == "new2")
        #expect(try await migration.run() == .alreadyDone)
    }

    @Test("without tokens nothing is migrated, and a later run checks again")
    func none() async throws {
        #expect(try await migration([:]).run() == .nothingFound)
        stub.transport.enqueue(#"{"oauth2_token":"new1"}"#)
        #expect(try await migration(["1": "appKey"]).run() == .done(migrated: ["1"], failed: []))
        #expect(try await migration([:]).run() == .alreadyDone)
    }

    @Test("a token of another app is not sent, a rejected token is not migrated, and the other tokens are")
    func refused() async throws {
        stub.transport.enqueue(status: 409, #"{"error":{".tag":"invalid_oauth1_token_info"}}"#)
        stub.transport.enqueue(#"{"oauth2_token":"new"}"#)
        guard
            case .done(let migrated, let failed) = try await migration(["1": "x", "2": "appKey", "3": "appKey"]).run()
        else {
            Issue.record("not done")
            return
        }
        #expect(migrated == ["3"])
        #expect(failed.map(\.account) == ["1", "2"])
        #expect(failed[0].message.contains("another app"))
        #expect(stub.transport.requests.count == 2)
    }

    @Test(
        "if the server has a transient error nothing is saved, and the next run starts from the beginning",
        arguments: [429, 503, 0])
    func later(status: Int) async throws {
        stub.transport.enqueue(#"{"oauth2_token":"new1"}"#)
        if status == 0 {
            stub.transport.enqueue(.failure(TransportError(.notConnected, "down", mayHaveReachedServer: false)))
        } else {
            stub.transport.enqueue(status: status)
        }
        let migration = migration(["1": "appKey", "2": "appKey"])
        guard case .retryLater(let failed) = try await migration.run() else { throw Unexpected("done") }
        #expect(failed.map(\.account) == ["2"])
        #expect(try await store.accounts().isEmpty)
        for token in ["new1", "new2"] { stub.transport.enqueue(#"{"oauth2_token":"\#(token)"}"#) }
        #expect(try await migration.run() == .done(migrated: ["1", "2"], failed: []))
    }
}
