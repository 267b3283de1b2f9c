// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestAuth
import RestSDK
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("Secrets in what is printed")
struct CanaryTests {
    private static let canary = "caNAry0123456789"
    private let log = Log()

    /// Everything that was printed.
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
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            log.show(request)
            log.write(request.curlCommand)
            return try await stub.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async {}
    }

    @Test("A59: clients, requests, tokens, errors, events and accounts print none of their secrets")
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

    @Test("A60: a server whose certificate is refused is asked once, and the error says why")
    func untrusted() async throws {
        let transport = StubTransport()
        let reason = "the certificate has expired"
        for _ in 1...3 {
            transport.enqueue(.failure(TransportError(.tls, reason, mayHaveReachedServer: false)))
        }
        let client = try RestClient(
            instanceURL: "https://canary.my.salesforce.com", accessToken: "x",
            configuration: RestClient.Configuration(transport: transport))
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .tls && error?.message.contains(reason) == true)
        #expect(transport.requests.count == 1)
    }
}
