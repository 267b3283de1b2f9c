// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import EmbeddedOrg
import RestSDK
import StoneRuntime
import Testing

// Tests of the types and functions that the articles declare. snippets.awk names the blocks.

private func withOrg(_ body: (LocalOrg) async throws -> Void) async throws {
    let org = try await LocalOrg.start()
    try await body(org)
    await org.stop()
}

private func client(of org: LocalOrg, _ configuration: RestClient.Configuration) throws -> RestClient {
    try RestClient(
        loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
        configuration: configuration)
}

@Suite("Samples of the articles")
struct SampleTests {
    @Test("every request is signed with its server and token, including logins")
    func signing() async throws {
        try await withOrg { org in
            let transport = SigningTransport(inner: PlatformTransport.make(RestClient.TransportLimits())) { request in
                "\(request.url.origin) \(request.fields["Authorization"] ?? "no token")"
            }
            _ = try await client(of: org, RestClient.Configuration(transport: transport)).send(.limits)
            await transport.shutdown()
            let signatures = org.journal.entries.map { $0.field("X-Signature") }
            #expect(signatures.count == 2 && signatures.last != signatures.first)
            #expect(signatures.first == Journal.fingerprint(of: "\(org.instanceURL) no token"))
        }
    }

    @Test("the demo transport responds from memory, and rejects other requests")
    func demo() async throws {
        let transport = RestSDKWritingATransport3.DemoTransport(
            bodies: ["/services/data/v66.0/limits": #"{"DailyApiRequests": {"Max": 9, "Remaining": 5}}"#])
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))
        #expect(try await client.send(.limits).dailyAPIRequests?.remaining == 5)
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == .invalidRequest && error?.outcome == .notApplied)
    }

    @Test("equal reads are sent once until a write, and all requests that are sent are signed")
    func cachedAndSigned() async throws {
        try await withOrg { org in
            let signature = RestSDKInterceptors3.BodySignature { bytes in
                String(decoding: bytes.map { $0 == 10 ? 32 : $0 }, as: UTF8.self)
            }
            let client = try client(
                of: org,
                RestClient.Configuration(interceptors: [RestSDKInterceptors4.RecentResponses(), signature]))
            for _ in 0..<3 { _ = try await client.send(.limits) }
            _ = try await client.send(.create("Account", ["Name": "Harbour"]))
            for _ in 0..<3 { _ = try await client.send(.limits) }
            let sent = org.journal.entries.filter { $0.oauth == nil }
            let limits = "GET /services/data/v66.0/limits "
            let create = "POST /services/data/v66.0/sobjects/Account {\"Name\":\"Harbour\"}"
            #expect(
                sent.map { $0.field("X-Signature") } == [limits, create, limits].map { Journal.fingerprint(of: $0) })
        }
    }

    @Test("a user logs in to Dropbox, and reads existing and missing files")
    func dropbox() async throws {
        let server = try await LocalBox.start()
        let app = DropboxApp(key: server.appKey, hosts: DropboxHosts(all: try Origin(parsing: server.origin)))
        let accounts = try await AccountManager.open(store: InMemoryCredentialStore())
        let box = try await dropbox2().logIn(app, accounts, AgreeingBrowser())
        #expect(accounts.current?.userID == server.accountID)
        dropbox8().watch(box)
        await dropbox7().read(box)
        let writer = try DropboxClient(accessToken: Secret(server.accessToken), origin: server.origin)
        _ = try await writer.files.upload(body: .bytes([1]), path: "/plan.txt").value
        try await dropbox3().look(box)
        #expect(server.journal.entries.map(\.status).suffix(3) == [409, 200, 200])
        await server.stop()
    }

    @Test("generated calls use the routes in their names, and read all results")
    func routes() async throws {
        let box = try await LocalBox.start()
        let client = try RestClient(
            instanceURL: box.origin, accessToken: Secret(box.accessToken),
            configuration: RestClient.Configuration(services: box.services))
        try await stone1().show(client)
        await stone2().list(StoneClient(client))
        #expect(
            box.journal.entries.map { $0.target.dropFirst("/2/".count) } == [
                "users/get_current_account", "files/list_folder", "files/delete_batch", "files/delete_batch/check",
                "files/delete_batch/check", "files/list_folder",
            ])
        await box.stop()
    }
}

/// Allows access immediately, like the page of an embedded Dropbox account, and returns with the redirect.
private struct AgreeingBrowser: LoginPresenter {
    func present(
        until deadline: ContinuousClock.Instant, begin: BeginLogin
    ) async throws(OAuthError) -> PendingLogin.Redirect {
        let login = try begin("http://127.0.0.1:1/back")
        do throws(TransportError) {
            let response = try await PlatformTransport.shared.send(HTTPRequest(url: login.url), deadline: deadline)
            return PendingLogin.Redirect(of: login, url: response.head.fields["Location"] ?? "")
        } catch {
            throw OAuthError(.unreachable, error.message)
        }
    }
}
