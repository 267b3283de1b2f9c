// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("An unattended grant that was refused")
struct UnattendedGrantTests {
    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)
    private let store = InMemoryCredentialStore()
    private let login = Credential.usualInstance

    private func manager(_ grant: (any Credential.Grant)?, _ credential: Credential? = nil) -> TokenManager {
        let client = OAuthClient(login: login, clientID: "id", clientSecret: "s", transport: transport)
        let renewal = TokenManager.Renewal(client: client, grant: grant, store: store)
        return TokenManager(credential: credential, renewal: renewal, clock: clock)
    }

    private func refuse() { transport.enqueue(status: 400, #"{"error":"invalid_grant"}"#) }

    /// The code of the failure, or `nil` for a token.
    private func ask(_ tokens: TokenManager, rejecting rejected: UInt64? = nil) async -> OAuthError.Code? {
        do throws(OAuthError) {
            _ = try await tokens.credential(rejecting: rejected, deadline: clock.now + .seconds(60))
            return nil
        } catch { return error.code }
    }

    @Test("it is asked again a minute later, then two, and its success goes on as if nothing had been")
    func later() async throws {
        let tokens = manager(ClientCredentialsGrant())
        refuse()
        refuse()
        transport.enqueue(#"{"access_token":"a1"}"#)
        for (pause, requests) in [(0, 1), (59, 1), (1, 2), (5, 2), (114, 2)] {
            clock.advance(by: .seconds(pause))
            #expect(await ask(tokens) == .invalidGrant)
            #expect(transport.requests.count == requests)
        }
        clock.advance(by: .seconds(1))
        #expect(await ask(tokens) == nil)
        #expect(transport.unusedAnswers == 0 && transport.requests.count == 3)
        #expect(try await store.load("default")?.credential.accessToken == "a1")
    }

    @Test("the app can have it asked at once")
    func demanded() async throws {
        let tokens = manager(ClientCredentialsGrant())
        refuse()
        refuse()
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(await ask(tokens) == .invalidGrant)
        let deadline = clock.now + .seconds(60)
        let error = await #expect(throws: OAuthError.self) { try await tokens.refreshNow(deadline: deadline) }
        #expect(error?.code == .invalidGrant && transport.requests.count == 2)
        #expect(try await tokens.refreshNow(deadline: deadline).credential.accessToken == "a1")
    }

    @Test("a refresh token that was refused is not sent again: the grant logs in in its place")
    func refreshToken() async throws {
        let tokens = manager(
            ClientCredentialsGrant(), Credential(accessToken: "a1", refreshToken: "r1", instance: login))
        refuse()
        transport.enqueue(#"{"access_token":"a2"}"#)
        #expect(await ask(tokens, rejecting: 1) == .invalidGrant)
        clock.advance(by: .seconds(60))
        #expect(await ask(tokens, rejecting: 1) == nil)
        #expect(transport.requests.map { $0.form["grant_type"] } == ["refresh_token", "client_credentials"])
        #expect(try await store.load("default")?.credential.refreshToken == nil)
    }

    @Test("a password is not, because a server locks its user after several wrong ones; nor is a user's own login")
    func final() async throws {
        let login = Credential(accessToken: "a1", refreshToken: "r1", instance: login)
        for (number, tokens) in [manager(PasswordGrant(username: "u", password: "p")), manager(nil, login)].enumerated()
        {
            refuse()
            #expect(await ask(tokens, rejecting: 1) == .invalidGrant)
            for _ in 0..<30 {
                clock.advance(by: .seconds(3_600))
                #expect(await ask(tokens) == .invalidGrant)
            }
            let deadline = clock.now + .seconds(60)
            await #expect(throws: OAuthError.self) { try await tokens.refreshNow(deadline: deadline) }
            #expect(transport.requests.count == number + 1)
        }
    }

    @Test("a login that another client ended stays ended")
    func removed() async throws {
        let tokens = manager(ClientCredentialsGrant())
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(await ask(tokens) == nil)
        try await store.remove("default")
        for _ in 0..<5 {
            #expect(await ask(tokens, rejecting: 1) == .sessionExpired)
            clock.advance(by: .seconds(3_600))
        }
        #expect(transport.requests.count == 1)
    }
}
