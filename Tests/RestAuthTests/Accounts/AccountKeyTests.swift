// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

/// An account is a user of a server, whatever the server calls the user.
@Suite("Whose account it is")
struct AccountKeyTests {
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()
    private var soon: ContinuousClock.Instant { .now + .seconds(60) }

    private func open() async throws -> AccountManager {
        try await AccountManager.open(store: store, transport: transport)
    }

    /// A server of nobody's platform, which has nothing but its token endpoint, and perhaps one for introspection.
    private func server(_ host: String, introspects: Bool = false) -> AuthorizationServer {
        let origin = Origin(scheme: .https, host: host)
        var server = AuthorizationServer(
            issuer: origin.description, origin: origin, authorizationEndpoint: HTTPURL(origin: origin, path: "/a"),
            tokenEndpoint: HTTPURL(origin: origin, path: "/t"))
        if introspects { server.introspectionEndpoint = HTTPURL(origin: origin, path: "/i") }
        return server
    }

    /// A login at the server whose token answer has these members beside the token.
    private func login(
        _ token: String, _ members: String = "", at host: String = "id.example.com", introspects: Bool = false
    ) async throws -> Credential {
        transport.enqueue(#"{"access_token":"\#(token)","refresh_token":"r-\#(token)"\#(members)}"#)
        let server = server(host, introspects: introspects)
        let client = OAuthClient(server: server, clientID: "app", clientSecret: nil, transport: transport)
        var credential = try await client.token(
            for: PasswordGrant(username: "u", password: "p"), deadline: .now + .seconds(60))
        credential.login = Credential.Login(server: server.origin, endpoints: server, clientID: "app")
        return credential
    }

    private func idToken(_ claims: JSONValue) -> String {
        let header: JSONValue = ["alg": "RS256"]
        let parts = [header, claims].map { Base64.encodeForURL($0.bytes()) }
        return #","id_token":"\#(parts.joined(separator: ".")).c2ln""#
    }

    @Test("users of one server do not collide, and one user is one account, whatever the answers call them")
    func fieldNames() async throws {
        let manager = try await open()
        let answers = [
            #","user_id":"u1""#, #","account_id":"dbid:2""#, #","uid":3"#, #","sub":"u4""#,
            idToken(["iss": "https://id.example.com", "aud": ["app"], "sub": "u5"]),
        ]
        for (number, answer) in answers.enumerated() { try await manager.add(try await login("a\(number)", answer)) }
        let keys = ["3", "dbid:2", "u1", "u4", "u5"].map { "\($0)@id.example.com" }
        #expect(manager.accounts.map(\.id) == keys)
        #expect(manager.accounts.map(\.userID) == ["3", "dbid:2", "u1", "u4", "u5"])
        let tokens = try manager.tokens(of: keys[2])
        let again = try await manager.add(try await login("again", #","sub":"u1","uid":17"#))
        #expect(again.id == keys[2] && manager.accounts.count == 5)
        #expect(try await tokens.credential(deadline: soon).credential.accessToken == "again")
    }

    @Test("an id token of another server or client, and ids that nobody can read, name nobody")
    func unusableNames() async throws {
        let members = [
            idToken(["iss": "https://evil.example.com", "aud": "app", "sub": "u1"]),
            idToken(["iss": "https://id.example.com", "aud": "other", "sub": "u1"]),
            #","id_token":"not.a.token""#, #","id_token":"x""#, #","sub":"""#, #","sub":"\u001b[2Ju1""#,
            #","sub":"\#(String(repeating: "u", count: 256))""#, #","sub":{"id":"u1"}"#, #","id":"token-7""#,
        ]
        for member in members {
            let credential = try await login("a", member)
            #expect(credential.userID == nil, "\(member)")
        }
        #expect(try await login("a", #","sub":"\#(String(repeating: "u", count: 255))""#).userID?.count == 255)
    }

    @Test("one user's id at two servers are two accounts, also where org and user are the same")
    func servers() async throws {
        let manager = try await open()
        for host in ["one.example.com", "two.example.com"] {
            try await manager.add(try await login("a-\(host)", #","sub":"u1""#, at: host))
            try await manager.add(try await login("b-\(host)", #","id":"https://\#(host)/id/00D/005""#, at: host))
        }
        #expect(
            manager.accounts.map(\.id) == [
                "00D-005@one.example.com", "00D-005@two.example.com", "u1@one.example.com", "u1@two.example.com",
            ])
        for account in manager.accounts {
            let credential = try await manager.tokens(of: account.id).credential(deadline: soon).credential
            #expect(credential.accessToken.reveal().hasSuffix(account.server.host))
        }
    }

    @Test("a server that names the user only when it renews: the account stays, and is found by the user from then on")
    func namedByRenewal() async throws {
        let manager = try await open()
        let account = try await manager.add(try await login("a"))
        let other = try await manager.add(try await login("b"))
        #expect(account.id != other.id && account.userID == nil)
        var events = manager.events.makeAsyncIterator()
        transport.enqueue(#"{"access_token":"a2","sub":"u1"}"#)
        _ = try await manager.tokens(of: account.id).refreshNow(deadline: soon)
        #expect(await events.next() == .token(account.id, .renewed(generation: 2)))
        guard case .updated(let named)? = await events.next() else { Issue.record("no event"); return }
        #expect(named.id == account.id && named.userID == "u1")
        #expect(try await open().accounts.first { $0.id == account.id }?.userID == "u1")
        #expect(try await manager.add(try await login("a3", #","sub":"u1""#)).id == account.id)
        #expect(try await manager.add(try await login("c", #","sub":"u2""#)).id == "u2@id.example.com")
        #expect(manager.accounts.count == 3)
        // A renewal under another kind of name is no other user; under the same kind it is.
        transport.enqueue(#"{"access_token":"a4","user_id":"17"}"#)
        #expect(try await manager.tokens(of: account.id).refreshNow(deadline: soon).credential.userID == "u1")
        transport.enqueue(#"{"access_token":"x","sub":"u2"}"#)
        let (tokens, deadline) = (try manager.tokens(of: account.id), soon)
        let error = await #expect(throws: OAuthError.self) { try await tokens.refreshNow(deadline: deadline) }
        #expect(error?.code == .noAccount)
    }

    @Test("a login that named nobody is asked about, once; a server that says nothing leaves it an account of its own")
    func asked() async throws {
        let manager = try await open()
        let first = try await login("a", introspects: true)
        transport.enqueue(#"{"active":true,"sub":"u7"}"#)
        #expect(try await manager.add(first).id == "u7@id.example.com")
        let second = try await login("b", introspects: true)
        transport.enqueue(status: 403, #"{"error":"unauthorized_client"}"#)
        let unnamed = try await manager.add(second)
        #expect(unnamed.userID == nil && manager.accounts.count == 2)
        var third = try await login("c", introspects: true)
        third.login?.username = "carol"
        #expect(try await manager.add(third).id == "carol@id.example.com")
        #expect(transport.requests.map(\.url.path) == ["/t", "/i", "/t", "/i", "/t"])
        #expect(try await open().accounts == manager.accounts)
    }

    @Test("a client that acts for itself is the user, where the server names nobody else")
    func client() async throws {
        transport.enqueue(#"{"access_token":"a"}"#)
        let server = server("id.example.com")
        let client = OAuthClient(server: server, clientID: "robot", clientSecret: "s", transport: transport)
        let credential = try await client.token(for: ClientCredentialsGrant(), deadline: soon)
        #expect(credential.userID == "robot")
        #expect(LinkedAccount(of: credential).id == "robot@id.example.com")
    }

    @Test("a key is short enough for a file, however long the user's id is")
    func longNames() async throws {
        let folder = try StoreFolder()
        let manager = try await AccountManager.open(
            store: FileCredentialStore(directory: folder.path), transport: transport)
        let ids = ["A", "B"].map { String(repeating: $0, count: 255) }
        for id in ids { try await manager.add(try await login(id, #","sub":"\#(id)""#)) }
        #expect(manager.accounts.count == 2)
        #expect(try await manager.add(try await login("again", #","sub":"\#(ids[0])""#)).userID == ids[0])
        #expect(manager.accounts.count == 2)
    }
}
