// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Renewing logins that nobody used")
struct IdleRenewalTests {
    private let transport = StubTransport()
    private let now: Int64 = 1_700_000_000_000
    private var wall: WallClock { WallClock { [now] in now } }

    /// A manager with one account for each age, in days; `nil` is an age that nobody knows.
    private func manager(_ ages: [Int64?]) async throws -> AccountManager {
        let manager = try await AccountManager.open(store: InMemoryCredentialStore(), transport: transport)
        for (number, age) in ages.enumerated() {
            var credential = Credential.user(number + 1)
            credential.issuedAtMilliseconds = age.map { now - $0 * 86_400_000 }
            try await manager.add(credential)
        }
        return manager
    }

    @Test("old ones and those of unknown age are renewed, one request each; young ones are left alone")
    func due() async throws {
        let manager = try await manager([1, 40, nil])
        for number in [2, 3] {
            transport.enqueue(#"{"access_token":"new\#(number)","issued_at":"\#(now)"}"#)
        }
        let results = await manager.renewIdle(olderThan: .seconds(30 * 86_400), timeout: .seconds(60), by: wall)
        #expect(Set(results.keys) == [Credential.key(2), Credential.key(3)])
        #expect(try results[Credential.key(2)]?.get().accessToken == "new2")
        #expect(transport.requests.count == 2)
        let again = await manager.renewIdle(olderThan: .seconds(30 * 86_400), timeout: .seconds(60), by: wall)
        #expect(again.isEmpty && transport.requests.count == 2)
    }

    @Test("a login without a refresh token is not touched; one that fails does not keep the others")
    func failures() async throws {
        let manager = try await manager([40, 40])
        var bare = Credential.user(3)
        bare.refreshToken = nil
        try await manager.add(bare)
        transport.enqueue(status: 503, "busy")
        transport.enqueue(#"{"access_token":"new"}"#)
        let results = await manager.renewIdle(olderThan: .zero, timeout: .seconds(60), by: wall)
        #expect(results.count == 2)
        let failure = #expect(throws: OAuthError.self) { try results[Credential.key(1)]?.get() }
        #expect(failure?.code == .serverUnavailable)
        #expect(try results[Credential.key(2)]?.get().accessToken == "new")
        #expect(manager.accounts.count == 3)
    }

    @Test("a clock that was set, or a server that lies about the time, breaks nothing")
    func hostileTimes() async throws {
        let manager = try await manager([-400_000, 20_000])
        transport.enqueue(#"{"access_token":"new"}"#)
        let results = await manager.renewIdle(olderThan: .seconds(86_400), timeout: .seconds(60), by: wall)
        #expect(Array(results.keys) == [Credential.key(2)])
    }
}
