// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Token exchange, and refresh tokens that expire without use")
struct TokenExchangeTests {
    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    private func withOrg(
        _ configuration: LocalOrgConfiguration, _ body: (LocalOrg, OAuthClient) async throws -> Void
    ) async throws {
        let org = try await LocalOrg.start(configuration)
        let client = OAuthClient(
            login: try Origin(parsing: org.instanceURL), clientID: org.clientID,
            clientSecret: Secret(org.clientSecret), transport: PlatformTransport.shared)
        try await body(org, client)
        await org.stop()
    }

    private struct Unavailable: Error {}

    @Test("a service exchanges the token of its user at each login, bound or not")
    func exchange() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.proofs = ProofSettings(.offered)
        configuration.users = [OrgUser(username: "grace@example.com", password: "correct horse")]
        configuration.tokenHandler = { token, type in
            type == Credential.TokenExchange.TokenType.jwt.rawValue && token.hasPrefix("grace-")
                ? "grace@example.com" : nil
        }
        try await withOrg(configuration) { org, client in
            let count = Mutex(0)
            var grant = Credential.TokenExchange {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return Credential.TokenExchange.Token(Secret("grace-\(number)"), type: .jwt)
            }
            grant.scopes = ["api", "id"]
            var client = client
            for isBound in [false, true] {
                client.bindsTokens = isBound
                let tokens = TokenManager(credential: nil, renewal: TokenManager.Renewal(client: client, grant: grant))
                let rest = RestClient(tokens: tokens)
                org.faults.expireAccessTokens()
                let response = try await rest.send(.query("SELECT Id FROM Account LIMIT 1"))
                org.faults.expireAccessTokens()
                _ = try await rest.send(.query("SELECT Id FROM Account LIMIT 1"))
                #expect(response.payload["done"] == true)
                let credential = try await tokens.credential(deadline: soon).credential
                #expect(try await client.userInfo(of: credential, deadline: soon).username == "grace@example.com")
                #expect((credential.dpopKey != nil) == isBound)
            }
            #expect(count.withLock { $0 } == 4)
            await expect(OAuthError.self, .invalidGrant) {
                try await client.token(for: Credential.TokenExchange(.init("grace-", type: .saml2)), deadline: soon)
            }
        }
    }

    @Test("the form has everything that is set, and an error of the app's source ends no login")
    func form() async throws {
        let stub = StubTransport()
        stub.enqueue(status: 400, #"{"error": "invalid_target", "error_description": "not s3cret"}"#)
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: stub)
        var grant = Credential.TokenExchange(.init("s3cret", type: .accessToken))
        grant.actor = .init("act", type: .jwt)
        (grant.audience, grant.resource, grant.handler) = (["a", "b"], ["https://r"], "Handler")
        let error = await expect(OAuthError.self, .invalidTarget) { [grant] in
            try await client.token(for: grant, deadline: soon)
        }
        #expect(error?.isFinal == true && error?.message.contains("s3cret") == false)
        let body = try #require(stub.requests.first?.body)
        let type = "urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3A"
        #expect(
            body
                == .bytes(
                    Array(
                        ("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=s3cret"
                            + "&subject_token_type=\(type)access_token&actor_token=act&actor_token_type=\(type)jwt"
                            + "&audience=a&audience=b&resource=https%3A%2F%2Fr&token_handler=Handler&client_id=id").utf8
                    )))
        for (grant, code) in [
            (Credential.TokenExchange { throw Unavailable() }, OAuthError.Code.secretUnavailable),
            (Credential.TokenExchange { throw CancellationError() }, .cancelled),
            (Credential.TokenExchange(.init("", type: .jwt)), .invalidRequest),
        ] {
            let error = await expect(OAuthError.self, code) { try await client.token(for: grant, deadline: soon) }
            #expect(error?.isFinal == false)
        }
        #expect(stub.requests.count == 1)
    }

    @Test("an org without a handler does not offer the grant")
    func unsupported() async throws {
        try await withOrg(LocalOrgConfiguration()) { _, client in
            await expect(OAuthError.self, .unsupportedGrantType) {
                try await client.token(for: Credential.TokenExchange(.init("x", type: .jwt)), deadline: soon)
            }
        }
    }

    @Test("a refresh token expires without use, and the error says why the user must log in again")
    func idle() async throws {
        let clock = ManualClock()
        var configuration = LocalOrgConfiguration(accessTokenLifetime: .seconds(600), refreshRotation: .strict)
        (configuration.clock, configuration.refreshIdleLimit) = (clock, .seconds(3_600))
        try await withOrg(configuration) { org, client in
            let grant = PasswordGrant(
                username: org.username, password: Secret(org.password), scopes: ["api", "refresh_token"])
            let tokens = TokenManager(
                credential: try await client.token(for: grant, deadline: soon),
                renewal: TokenManager.Renewal(client: client))
            let rest = RestClient(tokens: tokens)
            // Each use extends the time.
            for _ in 1...3 {
                clock.advance(by: .seconds(3_599))
                _ = try await rest.send(.query("SELECT Id FROM Account LIMIT 1"))
            }
            clock.advance(by: .seconds(3_600))
            let error = await #expect(throws: RestError.self) {
                try await rest.send(.query("SELECT Id FROM Account LIMIT 1"))
            }
            #expect(error?.code == .refreshFailed && error?.code.needsLogin == true)
            #expect((error?.underlying as? OAuthError)?.code == .invalidGrant)
            #expect(error?.advice.contains("expired without use") == true, "\(error?.advice ?? "")")
        }
    }
}
