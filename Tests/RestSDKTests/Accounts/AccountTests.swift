// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestAuth
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Synchronization
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

    @Test("A47: a client keeps its account, and switching the account changes only the shared client")
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
        _ = try await alpha.send(.plainLimits)
        _ = try await beta.send(.plainLimits)
        #expect(
            signatures() == [
                "alpha.my.salesforce.com: Bearer alpha-token", "beta.my.salesforce.com: Bearer beta-token",
            ])
    }

    @Test("A47: a request that waits for a token keeps its account when the user switches to another account")
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
        _ = try await alpha.send(.plainLimits)
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

    @Test(
        "a rejected write is not replayed as the user who has been linked to the key in the meantime",
        arguments: [false, true])
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
            await expectFailure(.noAccount, outcome: .notApplied) {
                try await client.send(.create("Account", ["Name": "x"]))
            }
        }
        #expect(signatures() == ["alpha.my.salesforce.com: Bearer alpha-token"])
        try await accounts.reload()
        transport.enqueue("{}")
        _ = try await RestClient(account: "work", of: accounts, configuration: configuration).send(.plainLimits)
        #expect(signatures().last == "beta.my.salesforce.com: Bearer beta-token")
    }

    private actor SwitchingTransport: HTTPTransport {
        private let transport: any HTTPTransport
        private var action: (@Sendable () async throws -> Void)?

        init(_ transport: any HTTPTransport, _ action: @escaping @Sendable () async throws -> Void) {
            self.transport = transport
            self.action = action
        }

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let action = action.take()
            try? await action?()
            return try await transport.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async {}
    }

    @Test("without a current account, the shared client throws a typed error")
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

    @Test("A48: a client of an unlinked account fails with a typed error before anything is sent")
    func loggedOut() async throws {
        let accounts = try await accounts("alpha")
        RestClient.share(accounts, configuration: configuration)
        defer { RestClient.share(nil) }
        let client = try RestClient.shared
        try await accounts.unlink("alpha", isRevoking: false)
        await expectFailure(.noAccount) { try await client.send(.plainLimits) }
        await expectFailure(.noAccount, outcome: .notApplied) {
            try await client.send(.create("Account", ["Name": "x"]))
        }
        #expect(throws: RestError.self) { try RestClient.shared }
        #expect(transport.requests.isEmpty)
        try await accounts.add(credential("alpha"), id: "alpha")
        #expect(try RestClient.shared !== client)
    }

    @Test("A48: with a real org, logging out ends a request in flight, rejects later requests and revokes the login")
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
        let inFlight = Task { try await client.send(.plainLimits) }
        while !org.journal.entries.contains(where: { $0.pathHasSuffix("/limits") }) {
            await Task.yield()
        }
        let report = try await accounts.unlink(account.id)
        guard case .revoked = report.revocation else { Issue.record("\(report)"); return }
        await expectFailure(.loggedOut) { try await inFlight.value }
        await expectFailure(.noAccount) { try await client.send(.plainLimits) }
        #expect(try await store.accounts().isEmpty)
        let copy = TokenManager(
            credential: credential,
            renewal: TokenManager.Renewal(
                client: OAuthClient(
                    login: instance, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                    transport: PlatformTransport.shared)))
        await expectFailure(.refreshFailed) { try await RestClient(tokens: copy).send(.plainLimits) }
        await org.stop()
    }
}

@Suite("Logging out while calls are in flight")
struct LogoutTests {
    private let store = InMemoryCredentialStore()

    /// Starts an org, and creates its accounts with one login and a client of that login.
    private func start() async throws -> (LocalOrg, AccountManager, String, RestClient) {
        let org = try await LocalOrg.start()
        let login = try Origin(orgURL: org.instanceURL, argument: "org")
        let client = OAuthClient(
            login: login, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            transport: PlatformTransport.shared)
        var credential = try await client.token(
            for: PasswordGrant(
                username: org.username, password: Secret(org.password), scopes: ["api", "refresh_token"]),
            deadline: .now + .seconds(30))
        credential.login = Credential.Login(
            server: login, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let accounts = try await AccountManager.open(store: store)
        let account = try await accounts.add(credential)
        return (org, accounts, account.id, try RestClient(account: account.id, of: accounts))
    }

    /// Waits until the org has received `count` requests for a path.
    private func reached(_ org: LocalOrg, _ path: String, _ count: Int) async {
        while org.journal.entries.count(where: { $0.target.contains(path) }) < count { await Task.yield() }
    }

    @Test("calls in flight end as logged out, each once, later calls have no account, and the server is notified")
    func drained() async throws {
        let (org, accounts, id, client) = try await start()
        org.faults.add(.delay(.seconds(600)), next: 8, matching: "/limits")
        let codes = await withTaskGroup(of: RestError.Code?.self) { group in
            for _ in 1...8 {
                group.addTask {
                    do throws(RestError) {
                        _ = try await client.send(.plainLimits)
                        return nil
                    } catch { return error.code }
                }
            }
            await reached(org, "/limits", 8)
            _ = try? await accounts.unlink(id)
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .loggedOut, count: 8))
        let later = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(later?.code == .noAccount && later?.code.needsLogin == true)
        #expect(org.journal.entries.last?.target.contains("/revoke") == true)
        await org.stop()
    }

    @Test("a write that is in flight when the account is logged out has an unknown outcome")
    func write() async throws {
        let (org, accounts, id, client) = try await start()
        org.faults.add(.delay(.seconds(600)), matching: "/sobjects/Account")
        async let created = client.send(.create("Account", ["Name": "Harbour"]))
        await reached(org, "/sobjects/Account", 1)
        try await accounts.unlink(id)
        do {
            _ = try await created
            Issue.record("the call was not ended")
        } catch let error as RestError {
            #expect(error.code == .loggedOut && error.outcome == .unknown)
        }
        await org.stop()
    }

    @Test("a client of another account continues")
    func others() async throws {
        let (org, accounts, id, client) = try await start()
        let issued = try await accounts.tokens(of: id).credential(deadline: .now + .seconds(30))
        let other = RestClient(credential: issued.credential)
        try await accounts.unlink(id, isRevoking: false)
        _ = try await other.send(.plainLimits)
        await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        await org.stop()
    }
}

@Suite("Secrets in descriptions and logs")
struct CanaryTests {
    private static let canary = "caNAry0123456789"
    private let log = Log()

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
        func write(_ line: String) { lines.withLock { $0.append(line) } }

        func show(_ value: some Any) {
            var dumped = ""
            dump(value, to: &dumped)
            for line in [dumped, "\(value)", String(reflecting: value)] { write(line) }
            if let error = value as? any Error { write("\(error.localizedDescription) \((error as NSError).userInfo)") }
        }
    }

    private struct Printing: HTTPTransport {
        let log: Log
        let stub = StubTransport()

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            log.show(request)
            log.write(request.curlCommand)
            return try await stub.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async {}
    }

    @Test("A59: clients, requests, tokens, errors, events and accounts print no secrets")
    func everything() async throws {
        let transport = Printing(log: log)
        let instance = Origin(scheme: .https, host: "canary.my.salesforce.com")
        let secret = Secret("00Dxx!\(Self.canary)")
        let credential = Credential(
            accessToken: secret, refreshToken: secret, instance: instance,
            login: Credential.Login(server: instance, clientID: "id", clientSecret: secret))
        let store = InMemoryCredentialStore()
        let configuration = RestClient.Configuration(
            eventSink: RestEvent.TextSink { [log] in log.write($0) }, transport: transport)
        let accounts = try await AccountManager.open(store: store, configuration: configuration)
        var events = accounts.events.makeAsyncIterator()
        let account = try await accounts.add(credential)
        let client = try RestClient(account: account.id, of: accounts, configuration: configuration)
        transport.stub.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired"}]"#)
        transport.stub.enqueue(#"{"access_token":"00D!\#(Self.canary)2","refresh_token":"5Aep861\#(Self.canary)"}"#)
        transport.stub.enqueue(status: 500, "broken")
        transport.stub.enqueue(status: 503, "busy")
        let request = RestRequest.create("Account", ["Name": "x"]).field("Cookie", "sid=\(Self.canary)")
        for _ in 1...2 {
            do { log.show(try await client.send(request)) } catch { log.show(error) }
        }
        for value in [credential, store, accounts, account, client, configuration, request] as [Any] { log.show(value) }
        log.show(PasswordGrant(username: "u", password: secret))
        log.show(try await accounts.unlink(account.id))
        for _ in 1...3 { if let event = await events.next() { log.show(event) } }
        #expect(transport.stub.requests.contains { $0.fields["Authorization"]?.contains(Self.canary) == true })
        #expect(log.text.contains("«redacted»"))
        #expect(!log.text.contains(Self.canary))
    }

    @Test("A60: a request is not retried if the server's certificate is rejected, and the error gives the reason")
    func untrusted() async throws {
        let transport = StubTransport()
        let reason = "the certificate has expired"
        for _ in 1...3 {
            transport.enqueue(.failure(TransportError(.tls, reason, mayHaveReachedServer: false)))
        }
        let client = try RestClient(
            instanceURL: "https://canary.my.salesforce.com", accessToken: "x",
            configuration: RestClient.Configuration(transport: transport))
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.code == .tls && error?.message.contains(reason) == true)
        #expect(transport.requests.count == 1)
    }
}
