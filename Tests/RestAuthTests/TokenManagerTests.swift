// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Token manager")
struct TokenManagerTests {
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()
    private let login = Origin(scheme: .https, host: "example.my.salesforce.com")
    private var soon: ContinuousClock.Instant { .now + .seconds(60) }

    private func manager(
        _ credential: Credential? = nil, grant: (any OAuthGrant)? = ClientCredentialsGrant(),
        onEvent: @escaping @Sendable (TokenManager.Event) -> Void = { _ in }
    ) -> TokenManager {
        let client = OAuthClient(login: login, clientID: "id", clientSecret: "s&cret", transport: transport)
        return TokenManager(
            credential: credential, renewal: TokenManager.Renewal(client: client, grant: grant, store: store),
            onEvent: onEvent)
    }

    private func respond(_ token: String, refresh: String? = nil) -> String {
        let rotated = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
        return #"{"access_token":"\#(token)","instance_url":"https://example.my.salesforce.com"\#(rotated)}"#
    }

    private func sentForms() -> [String] {
        transport.requests.map { request in
            guard case .bytes(let bytes) = request.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("the first request logs in with the grant, and its token is kept and saved")
    func login() async throws {
        transport.enqueue(respond("a1"))
        let manager = manager()
        let first = try await manager.credential(deadline: soon)
        let second = try await manager.credential(deadline: soon)
        #expect(first.credential.accessToken == "a1")
        #expect(second == first)
        #expect(sentForms() == ["grant_type=client_credentials&client_id=id&client_secret=s%26cret"])
        #expect(try await store.load("default")?.credential == first.credential)
    }

    @Test("the password grant sends name and password")
    func password() async throws {
        transport.enqueue(respond("a1"))
        _ = try await manager(grant: PasswordGrant(username: "u@x", password: "p w")).credential(deadline: soon)
        #expect(sentForms() == ["grant_type=password&username=u%40x&password=p+w&client_id=id&client_secret=s%26cret"])
    }

    @Test("A37: a rotated refresh token replaces the old one, and without a new token the old one is kept")
    func rotation() async throws {
        transport.enqueue(respond("a2", refresh: "r2"))
        transport.enqueue(respond("a3"))
        let manager = manager(Credential(accessToken: "a1", refreshToken: "r1", instance: login), grant: nil)
        let second = try await manager.credential(rejecting: 1, deadline: soon)
        let third = try await manager.credential(rejecting: second.generation, deadline: soon)
        #expect(second.credential.refreshToken == "r2")
        #expect(third.credential.refreshToken == "r2")
        #expect(sentForms().map { $0.contains("refresh_token=r1") } == [true, false])
        #expect(sentForms()[1].contains("refresh_token=r2"))
    }

    @Test("A40: a thousand concurrent calls cause one login")
    func singleFlight() async throws {
        transport.enqueue(respond("a1"))
        let manager = manager()
        let deadline = soon
        let tokens = await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask { try? await manager.credential(deadline: deadline).credential.accessToken }
            }
            return await group.reduce(into: Set<Secret?>()) { $0.insert($1) }
        }
        #expect(tokens == ["a1"])
        #expect(transport.requests.count == 1)
    }

    @Test("a renewal on demand waits for a renewal in flight, and a token that cannot be renewed stays usable")
    func refreshNow() async throws {
        transport.enqueue(respond("a1"))
        transport.enqueue(respond("a2"))
        let manager = manager()
        let deadline = soon
        #expect(try await manager.refreshNow(deadline: deadline).credential.accessToken == "a1")
        let tokens = await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try? await manager.credential(rejecting: 1, deadline: deadline).credential.accessToken }
                group.addTask { try? await manager.credential(rejecting: 1, deadline: deadline).credential.accessToken }
            }
            return await group.reduce(into: Set<Secret?>()) { $0.insert($1) }
        }
        #expect(tokens == ["a2"] && transport.unusedResponses == 0)
        let fixed = TokenManager(credential: Credential(accessToken: "t", instance: login), renewal: .none)
        await expect(OAuthError.self, .sessionExpired) { try await fixed.refreshNow(deadline: deadline) }
        #expect(try await fixed.credential(deadline: deadline).credential.accessToken == "t")
        await expect(OAuthError.self, .sessionExpired) { try await fixed.credential(rejecting: 1, deadline: deadline) }
    }

    @Test("a rejected grant is sent once and remembered, and an event reports the end of the session")
    func refused() async throws {
        let events = Mutex<[TokenManager.Event]>([])
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired access/refresh token"}"#)
        let manager = manager(Credential(accessToken: "a1", refreshToken: "r1", instance: login)) { event in
            events.withLock { $0.append(event) }
        }
        for _ in 0..<3 {
            await expect(OAuthError.self, .invalidGrant) { try await manager.credential(rejecting: 1, deadline: soon) }
        }
        #expect(transport.requests.count == 1)
        // Waiting tasks get their results before the event.
        while events.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(events.withLock { $0.count } == 1)
    }

    @Test(
        "A35: after a transient error of network or server the login is kept, and the next call sends the same token",
        arguments: [
            (.failure(TransportError(.notConnected, "refused", mayHaveReachedServer: false)), .unreachable),
            (.failure(TransportError(.timedOut, "late", mayHaveReachedServer: true)), .timedOut),
            (.status(500), .serverUnavailable), (.status(503), .serverUnavailable), (.status(429), .serverUnavailable),
            (.status(500, error: "server_error"), .serverUnavailable),
            (.status(503, error: "temporarily_unavailable"), .serverUnavailable),
            (.status(503, error: "invalid_grant"), .serverUnavailable),
            (.status(429, error: "invalid_client"), .serverUnavailable),
        ] as [(StubTransport.Response, OAuthError.Code)])
    func offline(response: StubTransport.Response, code: OAuthError.Code) async throws {
        transport.enqueue(response)
        transport.enqueue(self.respond("a2"))
        let credential = Credential(accessToken: "a1", refreshToken: "r1", instance: login)
        let manager = manager(credential)
        let error = await expect(OAuthError.self, code) {
            try await manager.credential(rejecting: 1, deadline: soon)
        }
        #expect(error?.isFinal == false)
        #expect(try await manager.credential(deadline: soon).credential == credential)
        #expect(try await manager.credential(rejecting: 1, deadline: soon).credential.accessToken == "a2")
        #expect(sentForms().allSatisfy { $0.contains("refresh_token=r1") })
    }

    @Test(
        "an error response without a reason ends the session like one with a reason (RFC 6749 §5.2)",
        arguments: [400, 401])
    func refusedWithoutReason(status: Int) async throws {
        transport.enqueue(status: status)
        let manager = manager(Credential(accessToken: "a1", refreshToken: "r1", instance: login))
        for _ in 1...3 {
            let error = await expect(OAuthError.self, .refused) {
                try await manager.credential(rejecting: 1, deadline: soon)
            }
            #expect(error?.isFinal == true)
        }
        #expect(transport.requests.count == 1)
        #expect(try await store.load("default")?.renewal == .settled)
    }

    @Test("a token that another client renewed and saved is used without a request")
    func sharedStore() async throws {
        let renewed = Credential(accessToken: "a2", refreshToken: "r2", instance: login)
        _ = try await store.save(renewed, for: "default", replacing: nil)
        let manager = manager(Credential(accessToken: "a1", refreshToken: "r1", instance: login))
        #expect(try await manager.credential(rejecting: 1, deadline: soon).credential == renewed)
        #expect(transport.requests.isEmpty)
    }

    @Test("a cancelled waiter does not affect the others, which get the result")
    func cancelledWaiter() async throws {
        transport.enqueue(.silence)
        let manager = manager()
        let deadline = soon
        let waiter = Task { try await manager.credential(deadline: deadline) }
        while transport.requests.isEmpty { await Task.yield() }
        let other = Task { try await manager.credential(deadline: .now + .milliseconds(50)) }
        waiter.cancel()
        let cancelled = await #expect(throws: OAuthError.self) { try await waiter.value }
        let late = await #expect(throws: OAuthError.self) { try await other.value }
        #expect(cancelled?.code == .cancelled)
        #expect(late?.code == .timedOut)
        #expect(transport.requests.count == 1)
    }

    @Test("a save with an old version is rejected")
    func compareAndSwap() async throws {
        let credential = Credential(accessToken: "a1", instance: login)
        let version = try await store.save(credential, for: "x", replacing: nil)
        await expect(Credential.StoreError.self, .conflict) {
            try await store.save(credential, for: "x", replacing: nil)
        }
        #expect(try await store.save(credential, for: "x", replacing: version) == version + 1)
        try await store.remove("x")
        #expect(try await store.load("x") == nil)
    }
}

extension StubTransport.Response {
    static func status(_ status: Int, error: String? = nil) -> Self {
        let body = error.map { #"{"error":"\#($0)"}"# } ?? ""
        return .response(
            HTTPResponse(head: HTTPResponse.Head(status: status, fields: ["Retry-After": "1"]), body: Array(body.utf8)))
    }
}
