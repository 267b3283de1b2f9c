// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("A delegate that implements what it needs")
@MainActor
struct DelegateDefaultsTests {
    /// Knows success and failure only.
    private final class SmallHost: RestClientDelegate {
        var loaded = 0
        var failures: [RestError] = []

        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            loaded += 1
        }
        func request(_ request: RestRequest, didFailLoadWithError error: RestError) { failures.append(error) }
    }

    private let transport = StubTransport()
    private let host = SmallHost()

    private func client(timeout: Duration = .seconds(60)) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(
                timeout: timeout, transport: transport, clock: ManualClock(alarmsBeyond: .zero)))
    }

    @Test("hears of a timeout as of a failure; it is not lost")
    func timeout() async throws {
        transport.enqueue(.silence)
        let task = try client(timeout: .milliseconds(20)).send(.create("Account", [:]), delegate: host)
        await #expect(throws: RestError.self) { try await task.value }
        #expect(host.failures.map(\.code) == [.timedOut])
        #expect(host.failures.first?.outcome == .unknown)
        #expect(host.loaded == 0)
    }

    @Test("hears nothing of a call that it cancelled")
    func cancel() async throws {
        transport.enqueue(.silence)
        let task = try client().send(.limits, delegate: host)
        while transport.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: RestError.self) { try await task.value }
        #expect(host.failures.isEmpty && host.loaded == 0)
    }
}
