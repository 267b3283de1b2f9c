// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Logins that are bound with DPoP, at the embedded org")
struct BoundLoginTests {
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }
    private let platform = PlatformTransport.shared

    private func withOrg(_ proofs: ProofSettings, _ body: (LocalOrg) async throws -> Void) async throws {
        var configuration = LocalOrgConfiguration(refreshRotation: .strict)
        configuration.proofs = proofs
        let org = try await LocalOrg.start(configuration)
        try await body(org)
        await org.stop()
    }

    private func client(_ org: LocalOrg, isPublic: Bool = false, binds: Bool = true) throws -> OAuthClient {
        var client = OAuthClient(
            login: try Origin(parsing: org.instanceURL), clientID: isPublic ? LocalOrg.publicClientID : org.clientID,
            clientSecret: isPublic ? nil : Secret(org.clientSecret), transport: platform)
        client.bindsTokens = binds
        return client
    }

    private func bound(_ org: LocalOrg) async throws -> Credential {
        let grant = PasswordGrant(
            username: org.username, password: Secret(org.password), scopes: ["api", "refresh_token"])
        return try await client(org).token(for: grant, deadline: soon)
    }

    /// Sends a request for the org's limits by hand.
    private func status(_ org: LocalOrg, _ authorization: String, proof: String?) async throws -> Int {
        var fields: HTTPFields = ["Authorization": authorization]
        if let proof { fields["DPoP"] = proof }
        return try await platform.send(HTTPRequest(url: try url(org), fields: fields), deadline: soon).head.status
    }

    private func count(_ name: String, _ client: RestClient) async throws -> Int? {
        let response = try await client.send(.query("SELECT Id FROM Account WHERE Name = \(name)"))
        return response.payload["totalSize"]?.integer(as: Int.self)
    }

    private func url(_ org: LocalOrg) throws -> HTTPURL {
        HTTPURL(origin: try Origin(parsing: org.instanceURL), path: "/services/data/v60.0/limits")
    }

    @Test("a client whose logins are bound queries, writes, follows pages and renews, with a new proof each time")
    func whole() async throws {
        try await withOrg(ProofSettings(.required, nonceLifetime: .seconds(60))) { org in
            var configuration = RestClient.Configuration()
            configuration.bindsTokens = true
            let client = try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                configuration: configuration)
            _ = try await client.send(.create("Account", ["Name": "Ada's"]))
            #expect(try await count("Ada's", client) == 1)
            org.faults.expireAccessTokens()
            #expect(try await count("Ada's", client) == 1)
            org.faults.expireNonces()
            // The body of a write is sent again with the new nonce, and written once.
            _ = try await client.send(.create("Account", ["Name": "Bob's"]))
            #expect(try await count("Bob's", client) == 1)
            let entries = org.journal.entries
            let proofs = entries.compactMap { $0.field("DPoP") }
            #expect(proofs.count == entries.count && Set(proofs).count == proofs.count)
            #expect(entries.allSatisfy { $0.field("Authorization")?.hasPrefix("Bearer") != true })
            // Three requests had no nonce or an old one: the first of each kind, and the one after the fault.
            let rejected = entries.filter { [400, 401].contains($0.status ?? 0) }
            #expect(rejected.count == 4, "\(rejected.map { "\($0.method) \($0.target) \($0.status ?? 0)" })")
        }
    }

    @Test("a bound code, its renewals, the identity and a restart use the key of the login")
    func code() async throws {
        try await withOrg(ProofSettings(.offered, nonceLifetime: .seconds(60))) { org in
            let server = try await AuthorizationServer.discovered(
                at: org.instanceURL, transport: platform, deadline: soon)
            #expect(server.dpopAlgorithms == ["ES256"])
            var client = OAuthClient(
                server: server, clientID: LocalOrg.publicClientID, clientSecret: nil, transport: platform)
            client.bindsTokens = true
            let folder = try TemporaryStore()
            let store = FileCredentialStore(directory: folder.path)
            var credential = try await client.login(
                with: OrgPresenter(org: org), scopes: ["api", "refresh_token"], deadline: soon)
            let key = try #require(credential.dpopKey)
            #expect(try await client.userInfo(of: credential, deadline: soon).username == org.username)
            #expect(try await client.identity(of: credential, deadline: soon).username == org.username)
            credential.login = Credential.Login(server: server.origin, endpoints: server, clientID: client.clientID)
            let accounts = try await AccountManager.open(store: store, transport: platform)
            let account = try await accounts.add(credential)

            // Another process, whose client does not ask for bound tokens.
            let restarted = try await AccountManager.open(
                store: FileCredentialStore(directory: folder.path), transport: platform)
            let rest = RestClient(tokens: try restarted.tokens(of: account.id))
            org.faults.expireAccessTokens()
            #expect(try await count("nobody", rest) == 0)
            let renewed = try #require(try await store.load(account.id)?.credential)
            #expect(renewed.dpopKey == key && renewed.accessToken != credential.accessToken)
            // The key ends with the login.
            try await restarted.unlink(account.id)
            #expect(try folder.names(ofRecords: ()).allSatisfy { $0 == "notes.json" })
        }
    }

    @Test("a stolen token is worthless: as Bearer, without a proof, with another key, with a used or foreign proof")
    func stolen() async throws {
        try await withOrg(ProofSettings(.offered)) { org in
            let credential = try await bound(org)
            let (token, url) = (credential.accessToken, try url(org))
            let key = try #require(credential.dpopKey)
            let proof = try key.proof(for: .get, url, accessToken: token)
            let dpop = "DPoP \(token.reveal())"
            #expect(try await status(org, dpop, proof: proof) == 200)
            let thief = try Credential.DPoPKey()
            let other = HTTPURL(origin: url.origin, path: "/services/data/v60.0/sobjects")
            for (name, authorization, proof) in [
                ("bearer", "Bearer \(token.reveal())", nil), ("OAuth", "OAuth \(token.reveal())", nil),
                ("bearer with a proof", "Bearer \(token.reveal())", try key.proof(for: .get, url, accessToken: token)),
                ("no proof", dpop, nil), ("used", dpop, proof),
                ("another key", dpop, try thief.proof(for: .get, url, accessToken: token)),
                ("another URL", dpop, try key.proof(for: .get, other, accessToken: token)),
                ("another method", dpop, try key.proof(for: .post, url, accessToken: token)),
                ("another token", dpop, try key.proof(for: .get, url, accessToken: "x")),
                ("no token", dpop, try key.proof(for: .get, url)),
                ("not a proof", dpop, "x.y.z"),
                ("two proofs", dpop, "\(try key.proof(for: .get, url, accessToken: token)), x"),
            ] as [(String, String, String?)] {
                #expect(try await status(org, authorization, proof: proof) == 401, "\(name)")
            }
            // A bearer token is not accepted with a proof.
            let free = org.issueCredential().accessToken
            let proofOfFree = try key.proof(for: .get, url, accessToken: Secret(free))
            #expect(try await status(org, "DPoP \(free)", proof: proofOfFree) == 401)
            // Nor does a thief renew the login.
            var theft = credential
            theft.dpopKey = thief
            let grant = RefreshTokenGrant(refreshToken: try #require(credential.refreshToken))
            await expect(OAuthError.self, .invalidGrant) {
                try await client(org).token(for: grant, renewing: theft, deadline: soon)
            }
        }
    }

    @Test("a code that is bound to a key is worthless with another key")
    func boundCode() async throws {
        try await withOrg(ProofSettings(.offered)) { org in
            let client = try client(org, isPublic: true)
            let redirect = try await OrgPresenter(org: org).present(until: soon) { uri throws(OAuthError) in
                try client.beginLogin(redirectURI: uri)
            }
            var stolen = redirect.login
            stolen.dpopKey = try Credential.DPoPKey()
            await expect(OAuthError.self, .invalidDPoPProof) {
                try await client.finishLogin(stolen, redirectURL: redirect.url, deadline: soon)
            }
        }
    }

    @Test("tokens of another type than asked for are not used")
    func types() async throws {
        try await withOrg(ProofSettings(.off)) { org in
            // Without metadata the token response decides, and with metadata nothing is sent.
            let error = await expect(OAuthError.self, .dpopUnsupported) { try await bound(org) }
            #expect(error?.message.contains("log in without DPoP") == true)
            org.journal.clear()
            var client = OAuthClient(
                server: try await .discovered(at: org.instanceURL, transport: platform, deadline: soon),
                clientID: "id", clientSecret: nil, transport: platform)
            client.bindsTokens = true
            await expect(OAuthError.self, .dpopUnsupported) {
                try await client.token(for: ClientCredentialsGrant(), deadline: soon)
            }
            #expect(org.journal.entries.allSatisfy { $0.method == "GET" })
        }
        try await withOrg(ProofSettings(.required)) { org in
            await expect(OAuthError.self, .invalidDPoPProof) {
                try await self.client(org, binds: false).token(for: ClientCredentialsGrant(), deadline: soon)
            }
        }
        let stub = StubTransport()
        stub.enqueue(#"{"access_token": "a", "token_type": "DPoP"}"#)
        let unbound = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: stub)
        await expect(OAuthError.self, .invalidResponse) {
            try await unbound.token(for: ClientCredentialsGrant(), deadline: soon)
        }
    }

    @Test("another HTTP client can send a signed request once, and a SOAP call, which has no proof, is rejected")
    func signed() async throws {
        try await withOrg(ProofSettings(.offered, nonceLifetime: .seconds(60))) { org in
            let rest = RestClient(credential: try await bound(org))
            #expect(try await count("nobody", rest) == 0)
            let request = try await rest.signedRequest(for: .query("SELECT Id FROM Account LIMIT 1"))
            #expect(try await platform.send(request, deadline: soon).head.status == 200)
            #expect(try await platform.send(request, deadline: soon).head.status == 401)
            let error = await #expect(throws: RestError.self) {
                try await rest.send(.undelete(ids: ["001000000000001AAA"]))
            }
            #expect(error?.code == .invalidRequest && error?.message.contains("DPoP") == true)
        }
    }
}

/// Logs the org's user in on its pages.
private struct OrgPresenter: LoginPresenter {
    let org: LocalOrg

    func present(
        until deadline: ContinuousClock.Instant, begin: BeginLogin
    ) async throws(OAuthError) -> PendingLogin.Redirect {
        let listener = try LoopbackPresenter.Listener()
        let login = try begin(listener.redirectURI)
        async let url = listener.redirect(of: login, until: deadline)
        do {
            let browser = FormBrowser(transport: PlatformTransport.shared)
            var page = try await browser.open(login.url)
            let values = ["username": org.username, "password": org.password, "action": "login"]
            page = try await browser.submit(page.forms[0], of: page, values)
            _ = try await browser.submit(page.forms[0], of: page, ["action": "allow"])
            return PendingLogin.Redirect(of: login, url: try await url)
        } catch {
            throw OAuthError(.invalidCallback, "\(error)")
        }
    }
}
