// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Asking a server again that fails for now")
struct RenewalEffortTests {
    private let clock = ManualClock()
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()

    private func renew(attempts: Int = 3) async throws(OAuthError) -> Credential {
        let client = OAuthClient(
            login: Credential.instance, clientID: "id", clientSecret: nil, transport: transport)
        let renewal = TokenRenewal(client: client, store: store, account: "alice", attempts: attempts)
        return try await renewal.credential(replacing: .numbered(1), clock: clock) { _ in }.get()
    }

    private func lose(_ code: TransportError.Code = .connectionLost, reached: Bool) {
        transport.enqueue(.failure(TransportError(code, "gone", mayHaveReachedServer: reached)))
    }

    private var spent: [String] {
        transport.requests.compactMap { request in
            guard case .bytes(let bytes) = request.body else { return nil }
            return String(decoding: bytes, as: UTF8.self).split(separator: "&").first {
                $0.hasPrefix("refresh_token=")
            }.map(String.init)
        }
    }

    @Test("A35: a server that answers 500, then 503 with Retry-After, is asked again with the same token")
    func serverFails() async throws {
        transport.enqueue(status: 500, "{}")
        transport.enqueue(status: 503, fields: ["Retry-After": "7"], "busy")
        transport.enqueue(#"{"access_token":"a2","refresh_token":"r2"}"#)
        #expect(try await renew().refreshToken == "r2")
        #expect(spent == Array(repeating: "refresh_token=r1", count: 3))
        #expect(clock.sleeps.count == 2)
        #expect(clock.sleeps[0] < .milliseconds(500) && clock.sleeps[1] == .seconds(7))
    }

    @Test("A35: after three failures the renewal ends, and the credential is untouched")
    func serverStaysAway() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        for _ in 1...4 { transport.enqueue(status: 503, "busy") }
        let error = await #expect(throws: OAuthError.self) { try await renew() }
        #expect(error?.code == .serverUnavailable)
        #expect(transport.unusedAnswers == 1)
        #expect(try await store.load("alice")?.credential == .numbered(1))
    }

    @Test("A35: a Retry-After beyond the renewal's time is not waited for")
    func tooPatient() async throws {
        transport.enqueue(status: 503, fields: ["Retry-After": "31"], "busy")
        let error = await #expect(throws: OAuthError.self) { try await renew() }
        #expect(error?.retryAfter == .seconds(31))
        #expect(clock.sleeps.isEmpty)
    }

    @Test("A35: a lost answer is asked for once more, with the same token, and never again")
    func lostAnswers() async throws {
        lose(.timedOut, reached: true)
        lose(reached: true)
        transport.enqueue(#"{"access_token":"a2"}"#)
        let error = await #expect(throws: OAuthError.self) { try await renew() }
        #expect(error?.code == .unreachable)
        #expect(spent == ["refresh_token=r1", "refresh_token=r1"])
        #expect(try await store.load("alice")?.renewal == .started)
    }

    @Test("A35: requests that never left are repeated, and leave nothing open")
    func neverLeft() async throws {
        for _ in 1...3 { lose(.notConnected, reached: false) }
        await #expect(throws: OAuthError.self) { try await renew() }
        #expect(transport.requests.count == 3)
        #expect(try await store.load("alice")?.renewal == .settled)
    }

    @Test("a refusal behind a lost answer is no proof that somebody ended the login")
    func lostThenRefused() async throws {
        lose(reached: true)
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired access/refresh token"}"#)
        let error = await #expect(throws: OAuthError.self) { try await renew() }
        #expect(error?.code == .rotationOutcomeUnknown)
    }

    @Test("a renewal of the same token that is under way elsewhere is waited for")
    func busy() async throws {
        transport.enqueue(
            status: 400, #"{"error":"invalid_grant","error_description":"token request is already being processed"}"#)
        transport.enqueue(#"{"access_token":"a2"}"#)
        #expect(try await renew().accessToken == "a2")
    }

    @Test("what another attempt cannot cure is asked once", arguments: ["invalid_grant", "invalid_client", "other"])
    func final(error code: String) async throws {
        transport.enqueue(status: 400, #"{"error":"\#(code)"}"#)
        let error = await #expect(throws: OAuthError.self) { try await renew() }
        #expect(error?.code.rawValue == code)
        #expect(transport.requests.count == 1)
    }

    @Test("broken TLS is not tried again")
    func tls() async throws {
        lose(.tls, reached: false)
        await #expect(throws: OAuthError.self) { try await renew() }
        #expect(transport.requests.count == 1)
    }
}
