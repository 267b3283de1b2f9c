// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

/// The samples of the article on transports, word for word.
@Suite("The article on transports", .timeLimit(.minutes(3)))
struct TransportSamples {
    // sample: docs/RestSDK.docc/WritingATransport.md 1
    struct SigningTransport: HTTPTransport {
        let inner: any HTTPTransport
        let sign: @Sendable (HTTPRequest) -> String

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            try await inner.send(signed(request), deadline: deadline, progress: progress)
        }

        func stream(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse.Stream {
            try await inner.stream(signed(request), deadline: deadline, progress: progress)
        }

        func download(
            _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            try await inner.download(signed(request), to: target, deadline: deadline, progress: progress)
        }

        func shutdown() async { await inner.shutdown() }

        private func signed(_ request: HTTPRequest) -> HTTPRequest {
            var request = request
            request.fields["X-Signature"] = sign(request)
            return request
        }
    }
    // end

    // sample: docs/RestSDK.docc/WritingATransport.md 3
    /// Responds from memory, by path.
    struct DemoTransport: HTTPTransport {
        let bodies: [String: String]

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            try request.validate()
            guard !Task.isCancelled else {
                throw TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: false)
            }
            guard let body = bodies[request.url.path] else {
                throw .invalidRequest("the demo has no response for \(request.url.path)")
            }
            let size = Int64(body.utf8.count)
            progress?(TransferProgress(received: size, receivedTotal: size))
            return HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(body.utf8))
        }

        func shutdown() async {}
    }
    // end

    // sample: docs/RestSDK.docc/WritingATransport.md 4
    @Test(arguments: TransportConformance.cases)
    func signingConforms(to testCase: TransportConformance.Case) async throws {
        let inner = PlatformTransport.make(RestClient.TransportLimits())
        let transport = SigningTransport(inner: inner) { "\($0.method.rawValue) \($0.url)" }
        try await testCase.run(on: transport)
        await transport.shutdown()
    }
    // end

    @Test("every request is signed with its server and token, logins too")
    func signing() async throws {
        let org = try await LocalOrg.start()
        // sample: docs/RestSDK.docc/WritingATransport.md 2
        let signing = SigningTransport(inner: PlatformTransport.make(RestClient.TransportLimits())) { request in
            "\(request.url.origin) \(request.fields["Authorization"] ?? "no token")"  // sign this text
        }
        let signed = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: RestClient.Configuration(transport: signing))
        _ = try await signed.send(.limits)
        await signing.shutdown()
        // end
        let signatures = org.journal.entries.map { $0.field("X-Signature") }
        try #require(signatures.count == 2)
        #expect(signatures[0] == Journal.fingerprint(of: "\(org.instanceURL) no token"))
        #expect(signatures[1] != nil && signatures[1] != signatures[0])
        await org.stop()
    }

    @Test("the demo responds from memory, and rejects what it does not have")
    func demo() async throws {
        let path = "/services/data/v66.0/limits"
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(
                transport: DemoTransport(bodies: [path: #"{"DailyApiRequests": {"Remaining": 5}}"#])))
        let limits = try await client.send(.limits)
        #expect(limits.payload["DailyApiRequests"]?["Remaining"]?.int == 5)
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.outcome == .notApplied)
    }
}
