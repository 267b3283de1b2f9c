// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestAuth
import RestSDK
import RestTesting
import RestTransport
import Testing

@Suite("Clients of accounts", .serialized)
struct AccountClientTests {
    private let transport = StubTransport()
    private let store = InMemoryCredentialStore()
    private var configuration: RestClient.Configuration { RestClient.Configuration(transport: transport) }

    private func credential(_ name: String) -> Credential {
        let instance = Origin(scheme: .https, host: "\(name).my.salesforce.com")
        return Credential(
            accessToken: Secret("\(name)-token"), refreshToken: Secret("\(name)-refresh"), instance: instance,
            login: Credential.Login(server: instance, clientID: "id"))
    }

    private func accounts(_ names: String...) async throws -> AccountManager {
        let accounts = try await AccountManager.open(store: store, configuration: configuration)
        for name in names { try await accounts.add(credential(name), id: name) }
        return accounts
    }

    private func signatures() -> [String] {
        transport.requests.map { "\($0.url.origin.host): \($0.fields["Authorization"] ?? "-")" }
    }

    @Test("A47: a client stays with its account; a switch changes what the shared client is, and nothing else")
    func switching() async throws {
        let accounts = try await accounts("alpha", "beta")
        RestClient.share(accounts, configuration: configuration)
        defer { RestClient.share(nil) }
        let alpha = try RestClient.shared
        #expect(try RestClient.shared === alpha)
        try await accounts.switch(to: "beta")
        let beta = try RestClient.shared
        #expect(beta !== alpha)
        for _ in 1...2 { transport.enqueue("{}") }
        _ = try await alpha.send(.limits)
        _ = try await beta.send(.limits)
        #expect(
            signatures() == [
                "alpha.my.salesforce.com: Bearer alpha-token", "beta.my.salesforce.com: Bearer beta-token",
            ])
    }

    @Test("A47: a request whose account is switched away while it waits for a token goes on as that account")
    func switchDuringRequest() async throws {
        let accounts = try await accounts("alpha", "beta")
        RestClient.share(accounts, configuration: configuration)
        defer { RestClient.share(nil) }
        let switching = SwitchingTransport(transport) { try await accounts.switch(to: "beta") }
        let alpha = try RestClient(
            account: "alpha", of: accounts, configuration: RestClient.Configuration(transport: switching))
        transport.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired"}]"#)
        transport.enqueue(#"{"access_token":"alpha-2"}"#)
        transport.enqueue("{}")
        _ = try await alpha.send(.limits)
        #expect(accounts.current?.id == "beta")
        #expect(
            signatures() == [
                "alpha.my.salesforce.com: Bearer alpha-token", "alpha.my.salesforce.com: -",
                "alpha.my.salesforce.com: Bearer alpha-2",
            ])
        var beta = credential("beta")
        beta.mark = try await store.load("beta")?.credential.mark
        #expect(try await store.load("beta")?.credential == beta)
    }

    @Test("a write that is refused is not replayed as the user who has the key meanwhile", arguments: [false, true])
    func otherUserMeanwhile(isNamed: Bool) async throws {
        var (alpha, second) = (credential("alpha"), credential("beta"))
        if isNamed {
            alpha.identityURL = "https://login.salesforce.com/id/00D/1"
            second.identityURL = "https://login.salesforce.com/id/00D/2"
        }
        let beta = second
        let accounts = try await accounts()
        try await accounts.add(alpha, id: "work")
        let other = try await self.accounts()
        let relinking = SwitchingTransport(transport) {
            try await other.unlink("work", isRevoking: false)
            try await other.add(beta, id: "work")
        }
        let client = try RestClient(
            account: "work", of: accounts, configuration: RestClient.Configuration(transport: relinking))
        transport.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired"}]"#)
        for _ in 1...2 {
            let error = await #expect(throws: RestError.self) {
                try await client.send(.create("Account", ["Name": "x"]))
            }
            #expect(error?.code == .noAccount && error?.outcome == .notApplied)
        }
        #expect(signatures() == ["alpha.my.salesforce.com: Bearer alpha-token"])
        try await accounts.reload()
        transport.enqueue("{}")
        _ = try await RestClient(account: "work", of: accounts, configuration: configuration).send(.limits)
        #expect(signatures().last == "beta.my.salesforce.com: Bearer beta-token")
    }

    /// Does something before its first request.
    private actor SwitchingTransport: HTTPTransport {
        private let transport: any HTTPTransport
        private var action: (@Sendable () async throws -> Void)?

        init(_ transport: any HTTPTransport, _ action: @escaping @Sendable () async throws -> Void) {
            self.transport = transport
            self.action = action
        }

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let action = action.take()
            try? await action?()
            return try await transport.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async {}
    }

    @Test("without a current account the shared client is a typed error")
    func nobody() async throws {
        RestClient.share(nil)
        #expect(throws: RestError.self) { try RestClient.shared }
        let accounts = try await accounts()
        RestClient.share(accounts, configuration: configuration)
        defer { RestClient.share(nil) }
        let error = #expect(throws: RestError.self) { try RestClient.shared }
        #expect(error?.code == .noAccount && error?.code.needsLogin == true)
        let unknown = #expect(throws: RestError.self) { try RestClient(account: "x", of: accounts) }
        #expect(unknown?.code == .noAccount)
        try await accounts.add(credential("alpha"), id: "alpha")
        _ = try RestClient.shared
    }

    @Test("A48: a client that outlives its account fails with a typed error, before anything is sent")
    func loggedOut() async throws {
        let accounts = try await accounts("alpha")
        RestClient.share(accounts, configuration: configuration)
        defer { RestClient.share(nil) }
        let client = try RestClient.shared
        try await accounts.unlink("alpha", isRevoking: false)
        let read = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(read?.code == .noAccount)
        let write = await #expect(throws: RestError.self) {
            try await client.send(.create("Account", ["Name": "x"]))
        }
        #expect(write?.code == .noAccount && write?.outcome == .notApplied)
        #expect(throws: RestError.self) { try RestClient.shared }
        #expect(transport.requests.isEmpty)
        try await accounts.add(credential("alpha"), id: "alpha")
        #expect(try RestClient.shared !== client)
    }

    @Test("A48: on a real org a request in flight is logged out, later ones fail, and the login is dead at the server")
    func logoutOnOrg() async throws {
        let org = try await LocalOrg.start()
        let issued = org.issueCredential()
        let instance = try HTTPURL(parsing: org.instanceURL).origin
        let login = Credential.Login(server: instance, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let credential = Credential(
            accessToken: Secret(issued.accessToken), refreshToken: Secret(issued.refreshToken), instance: instance,
            login: login)
        let accounts = try await AccountManager.open(store: store)
        let account = try await accounts.add(credential)
        let client = try RestClient(account: account.id, of: accounts)
        org.faults.add(.delay(.milliseconds(300)), matching: "/limits")
        let inFlight = Task { try await client.send(.limits) }
        while !org.journal.entries.contains(where: { $0.pathHasSuffix("/limits") }) {
            await Task.yield()
        }
        let report = try await accounts.unlink(account.id)
        guard case .revoked = report.revocation else { Issue.record("\(report)"); return }
        let ended = await #expect(throws: RestError.self) { try await inFlight.value }
        #expect(ended?.code == .loggedOut)
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .noAccount)
        #expect(try await store.accounts().isEmpty)
        let copy = TokenManager(
            credential: credential,
            renewal: TokenManager.Renewal(
                client: OAuthClient(
                    login: instance, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                    transport: PlatformTransport.shared)))
        let refused = await #expect(throws: RestError.self) { try await RestClient(tokens: copy).send(.limits) }
        #expect(refused?.code == .refreshFailed)
        await org.stop()
    }
}
