// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Every front delivers the same outcome, once")
@MainActor
struct FrontTests {
    private let transport = StubTransport()

    private func client(timeout: Duration = .seconds(20)) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClientConfiguration(timeout: timeout, transport: transport))
    }

    @Test("success", arguments: Front.allCases)
    func success(front: Front) async throws {
        transport.enqueue(fields: ["Content-Type": "application/json"], #"{"totalSize":0,"done":true,"records":[]}"#)
        let outcomes = await front.outcomes(of: .query("SELECT Id FROM Account"), through: try client())
        #expect(outcomes.count == 1)
        #expect(try outcomes.first?.get()["totalSize"]?.int == 0)
    }

    @Test("failure, with everything the server said", arguments: Front.allCases)
    func failure(front: Front) async throws {
        transport.enqueue(status: 400, #"[{"errorCode":"INVALID_FIELD","message":"No such column","fields":["X"]}]"#)
        let outcomes = await front.outcomes(of: .query("SELECT X FROM Account"), through: try client())
        #expect(outcomes.count == 1)
        let error = try #require(outcomes.first?.failure)
        #expect(error.code == .api)
        #expect(error.status == 400)
        #expect(error.faults == [APIFault(errorCode: "INVALID_FIELD", message: "No such column", fields: ["X"])])
        #expect(error.body.count > 60)
        #expect(error.request?.name == "query")
    }

    @Test("cancel", arguments: Front.allCases)
    func cancel(front: Front) async throws {
        transport.enqueue(.silence)
        let outcomes = await front.outcomes(of: .limits, through: try client(), cancelling: true)
        #expect(outcomes.count == 1)
        let error = try #require(outcomes.first?.failure)
        #expect(error.code == .cancelled)
    }

    @Test("timeout", arguments: Front.allCases)
    func timeout(front: Front) async throws {
        transport.enqueue(.silence)
        let outcomes = await front.outcomes(of: .limits, through: try client(timeout: .milliseconds(20)))
        #expect(outcomes.count == 1)
        let error = try #require(outcomes.first?.failure)
        #expect(error.code == .timedOut)
    }

    @Test("an argument that cannot be sent is an outcome like any other", arguments: Front.allCases)
    func invalid(front: Front) async throws {
        let outcomes = await front.outcomes(of: .query(""), through: try client())
        #expect(outcomes.count == 1)
        let error = try #require(outcomes.first?.failure)
        #expect(error.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test("a delegate that is gone loses its call-back and nothing else")
    func delegateGone() async throws {
        transport.enqueue(fields: ["Content-Type": "application/json"], "[]")
        var delegate: RecordingDelegate? = RecordingDelegate()
        weak let gone = delegate
        let task = try client().send(.versions, delegate: try #require(delegate))
        delegate = nil
        #expect(gone == nil)
        #expect(try await task.value.payload == .array([]))
    }

    /// A host without locks or `Sendable`: call-backs come on the actor it lives on.
    private final class PlainHost: RestClientDelegate {
        var loaded = 0

        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponseHead) {
            MainActor.assertIsolated()
            loaded += 1
        }
        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {}
        func requestDidCancelLoad(_ request: RestRequest) {}
        func requestDidTimeout(_ request: RestRequest) {}
    }

    @Test("a host class need not be Sendable")
    func plainHost() async throws {
        transport.enqueue(fields: ["Content-Type": "application/json"], "[]")
        let host = PlainHost()
        _ = try await client().send(.versions, delegate: host).value
        #expect(host.loaded == 1)
    }
}
