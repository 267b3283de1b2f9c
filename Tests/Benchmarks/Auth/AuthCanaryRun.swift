// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Simulation

/// Passes one set of secrets through the SDK, with scripts and a real org, and prints everything.
struct CanaryRun {
    let canaries: CanarySet
    let log: CanaryLog

    private var instance: Origin { Origin(scheme: .https, host: "canary.my.salesforce.com") }

    private var credential: Credential {
        Credential(
            accessToken: canaries.access.secret, refreshToken: canaries.refresh.secret, instance: instance,
            identityURL: "\(instance)/id/00D/005",
            login: Credential.Login(server: instance, clientID: "id", clientSecret: canaries.clientSecret.secret))
    }

    func run() async throws {
        values()
        try await calls()
        try await accounts()
        try await org()
    }

    /// Prints values that contain secrets.
    private func values() {
        log.show(credential)
        log.show(Credential.Stored(credential: credential, version: 1))
        log.show(PasswordGrant(username: "user", password: canaries.password.secret))
        log.show(RefreshTokenGrant(refreshToken: canaries.refresh.secret))
        log.show([canaries.access.secret: [canaries.password.secret]])
        log.show(Optional(canaries.refresh.secret) as Any)
    }

    /// Makes calls with every kind of result, with all events.
    private func calls() async throws {
        let transport = CanaryTransport(log: log)
        let configuration = RestClient.Configuration(
            interceptors: [CanaryInterceptor(log: log)], eventSink: RestEvent.TextSink { log.write($0) },
            transport: transport)
        let server = OAuthClient(
            login: instance, clientID: "id", clientSecret: canaries.clientSecret.secret, transport: transport)
        let store = InMemoryCredentialStore()
        let renewal = TokenManager.Renewal(
            client: server, grant: PasswordGrant(username: "user", password: canaries.password.secret), store: store)
        let tokens = TokenManager(credential: credential, renewal: renewal) { log.show($0) }
        let client = RestClient(tokens: tokens, configuration: configuration)
        script(transport)
        for _ in 0..<12 { await show { try await client.send(request) } }
        for object in [server, renewal, tokens, client, store, configuration] as [Any] { log.show(object) }
        log.show(try await store.load("default") as Any)
    }

    private var request: RestRequest {
        RestRequest.create("Account", ["Name": "x"])
            .field("Proxy-Authorization", canaries.header.secret.reveal())
            .field("Cookie", canaries.cookie.secret.reveal())
    }

    private func script(_ transport: CanaryTransport) {
        let stub = transport.stub
        let ended = #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#
        let cookie: HTTPFields = ["Set-Cookie": canaries.cookie.secret.reveal(), "Content-Type": "application/json"]
        stub.enqueue(status: 401, fields: cookie, ended)
        stub.enqueue(
            #"{"access_token":"\#(canaries.nextAccess.secret.reveal())","#
                + #""refresh_token":"\#(canaries.nextRefresh.secret.reveal())"}"#)
        stub.enqueue(status: 201, fields: cookie, #"{"id":"001","success":true,"errors":[]}"#)
        stub.enqueue(status: 500, fields: cookie, "<html>broken</html>")
        stub.enqueue(status: 400, fields: cookie, #"[{"errorCode":"MALFORMED_QUERY","message":"no"}]"#)
        stub.enqueue(status: 307, fields: ["Location": "https://elsewhere.example/"], "")
        stub.enqueue(.failure(TransportError(.connectionLost, "reset", mayHaveReachedServer: true)))
        stub.enqueue(status: 200, fields: cookie, "{broken")
        stub.enqueue(status: 401, ended)
        stub.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
    }

    /// Adds and removes accounts, with their events, and a logout that the server rejects.
    private func accounts() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("canary-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let transport = CanaryTransport(log: log)
        let store = FileCredentialStore(directory: folder) { log.show($0) }
        let manager = try await AccountManager.open(store: store, transport: transport)
        var events = manager.events.makeAsyncIterator()
        let account = try await manager.add(credential)
        for object in [account, manager, store, try manager.tokens(of: account.id)] as [Any] { log.show(object) }
        await show { try await manager.add(credentialOfAnother, id: account.id) }
        log.show(try RestClient(account: account.id, of: manager))
        transport.stub.enqueue(status: 503, "busy")
        log.show(try await manager.unlink(account.id))
        for _ in 0..<4 { if let event = await events.next() { log.show(event) } }
        await show { try manager.tokens(of: account.id) }
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/a-damaged.json"))
        await show { try await store.load("damaged") }
    }

    private var credentialOfAnother: Credential {
        var other = credential
        other.identityURL = "\(instance)/id/00D/006"
        return other
    }

    /// Uses wrong secrets with a real org, and prints its journal.
    private func org() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(refreshRotation: .strict))
        let sink = RestEvent.TextSink { log.write($0) }
        let configuration = RestClient.Configuration(eventSink: sink)
        for grant in [
            ClientCredentialsGrant(), PasswordGrant(username: "user", password: canaries.password.secret),
            RefreshTokenGrant(refreshToken: canaries.refresh.secret),
        ] as [any OAuthGrant] {
            let server = OAuthClient(
                login: try HTTPURL(parsing: org.instanceURL).origin, clientID: org.clientID,
                clientSecret: canaries.clientSecret.secret, transport: PlatformTransport.shared)
            let tokens = TokenManager(credential: nil, renewal: TokenManager.Renewal(client: server, grant: grant))
            await show { try await RestClient(tokens: tokens, configuration: configuration).send(.plainLimits) }
        }
        let pasted = try RestClient(
            instanceURL: org.instanceURL, accessToken: canaries.access.secret, configuration: configuration)
        await show { try await pasted.send(request) }
        log.show(org.journal.entries)
        for entry in org.journal.entries { log.write(String(decoding: entry.body, as: UTF8.self)) }
        await org.stop()
    }

    private func show<Value>(_ body: () async throws -> Value) async {
        do {
            log.show(try await body())
        } catch {
            log.show(error)
        }
    }
}

/// A scripted transport that prints requests, as a user's debugging transport would.
private struct CanaryTransport: HTTPTransport {
    let log: CanaryLog
    let stub = StubTransport()

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        log.show(request)
        log.write(request.curlCommand)
        let response = try await stub.send(request, deadline: deadline, progress: progress)
        log.show(response.head)
        return response
    }

    func shutdown() async {}
}

/// A user's interceptor that prints everything.
private struct CanaryInterceptor: Interceptor {
    let log: CanaryLog

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        log.show(request)
        log.show(context)
        do {
            return try await next(request)
        } catch {
            log.show(error)
            throw error
        }
    }
}
