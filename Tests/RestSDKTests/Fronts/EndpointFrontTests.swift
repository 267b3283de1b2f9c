// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestTesting
import Synchronization
import Testing

@testable import RestSDK

#if canImport(Combine)
import Combine
#endif

@Suite("Endpoints in every calling style")
@MainActor
struct EndpointFrontTests {
    private nonisolated struct Total: JSONEndpoint {
        struct Root: Decodable { let total: Int }
        struct Refused: Error, Equatable { let reason: String }
        typealias RouteError = Refused
        typealias Content = Int

        func makeRequest() -> RestRequest { RestRequest(resource: .data(["total"])) }
        func content(from root: Root) -> Int { root.total }
        func routeError(from error: RestError) -> Refused? {
            error.faults.first.map { Refused(reason: $0.message) }
        }
    }

    private typealias Outcome = Result<Int, CallError<Total.Refused>>

    private final class Listener: EndpointDelegate, Sendable {
        let outcomes = Mutex<[String]>([])

        func endpoint(_ endpoint: Total, didLoad content: Int) { outcomes.withLock { $0.append("\(content)") } }
        func endpoint(_ endpoint: Total, didFailWith error: CallError<Total.Refused>) {
            outcomes.withLock { $0.append(EndpointFrontTests.text(.failure(error))) }
        }
    }

    private nonisolated static func text(_ outcome: Outcome) -> String {
        switch outcome {
        case .success(let total): "\(total)"
        case .failure(.route(let refused, _)): refused.reason
        case .failure(.rest(let error)): error.code.rawValue
        }
    }

    private let transport = StubTransport()
    private let client: RestClient

    init() throws {
        client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
    }

    private func play() -> [String] {
        transport.enqueue(#"{"total":7}"#)
        transport.enqueue(status: 400, #"[{"errorCode":"A","message":"too many"}]"#)
        transport.enqueue(status: 404)
        return ["7", "too many", "notFound"]
    }

    @Test("closures, on an actor and on a queue")
    func closures() async throws {
        let expected = play()
        var told: [String] = []
        for _ in expected {
            _ = try? await client.send(Total()) { told.append(Self.text($0)) }.value
        }
        #expect(told == expected)
        _ = play()
        let queued = Mutex<[String]>([])
        for _ in expected {
            let call = client.send(Total(), on: .global()) { outcome in
                queued.withLock { $0.append(Self.text(outcome)) }
            }
            _ = try? await call.value
        }
        #expect(queued.withLock { $0 } == expected)
    }

    @Test("delegates, on an actor and on a queue; a cancelled call is told once, as cancelled")
    func delegates() async throws {
        let expected = play() + play()
        let listener = Listener()
        for _ in 0..<3 { _ = try? await client.send(Total(), delegate: listener).value }
        for _ in 0..<3 { _ = try? await client.send(Total(), delegate: listener, on: .global()).value }
        #expect(listener.outcomes.withLock { $0 } == expected)
        transport.enqueue(.silence)
        let call = client.send(Total(), delegate: listener)
        while transport.requests.count < 7 { await Task.yield() }
        call.cancel()
        _ = try? await call.value
        #expect(listener.outcomes.withLock { $0 } == expected + ["cancelled"])
    }

    #if canImport(Combine)
    @Test("publishers")
    func publishers() async throws {
        let expected = play()
        var told: [String] = []
        for _ in expected {
            let (outcomes, heard) = AsyncStream.makeStream(of: Outcome.self)
            let call = client.publisher(for: Total()).sink { completion in
                if case .failure(let error) = completion { heard.yield(.failure(error)) }
            } receiveValue: {
                heard.yield(.success($0))
            }
            for await outcome in outcomes.prefix(1) { told.append(Self.text(outcome)) }
            call.cancel()
        }
        #expect(told == expected)
    }
    #endif
}
