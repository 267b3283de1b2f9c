// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Simulation
import Synchronization
import Testing

@Suite("Error handlers for all calls")
struct ErrorHandlerTests {
    private enum LookupError: Error, Equatable { case notFound }
    private enum DeleteError: CompoundError, Equatable {
        case lookup(LookupError)

        var innerErrors: [any Error] {
            switch self {
            case .lookup(let error): [error]
            }
        }
    }

    private struct Delete: Endpoint {
        func makeRequest() throws(RestError) -> RestRequest { .delete("Account", id: "001000000000001") }
        func content(from response: RestResponse) throws(RestError) {}
        func routeError(from error: RestError) -> DeleteError? {
            error.code == .notFound ? .lookup(.notFound) : nil
        }
    }

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .seconds(20))
    private let log = Log()

    private func client(_ policy: RetryPolicy = RetryPolicy()) throws -> RestClient {
        try RestClient.of(transport, retryPolicy: policy, clock: clock)
    }

    @Test("a handler runs in addition to the call's own handling, until it is removed")
    func addition() async throws {
        let (client, log) = (try client(.never), log)
        for _ in 0..<2 { transport.enqueue(status: 500) }
        let registration = client.onError(of: RestError.self) { error, call in
            log.add("\(error.code.rawValue) of \(call.request.name)")
            return .propagate
        }
        for _ in 0..<2 {
            await expectFailure(.server) { try await client.send(.plainLimits) }
            registration.remove()
        }
        #expect(log.all == ["server of limits"])
    }

    @Test("an endpoint's own error reaches handlers of its type and of its inner errors, but not of RestError")
    func nested() async throws {
        let (client, log) = (try client(), log)
        client.onError(of: RestError.self) { _, _ in
            log.add("rest")
            return .propagate
        }
        client.onError(of: LookupError.self) { error, call in
            log.add("lookup \(error) \(call.error.status ?? 0)")
            return .propagate
        }
        client.onError(of: DeleteError.self) { _, _ in
            log.add("delete")
            return .propagate
        }
        transport.enqueue(status: 404)
        transport.enqueue(status: 500)
        for _ in 0..<2 {
            await #expect(throws: CallError<DeleteError>.self) { try await client.send(Delete()) }
        }
        #expect(log.all == ["lookup notFound 404", "delete", "rest"])
    }

    @Test("handlers of API errors and of underlying errors are called too")
    func carried() async throws {
        let (client, log) = (try client(), log)
        client.onError(of: APIFault.self) { fault, _ in
            log.add(fault.errorCode.rawValue)
            return .propagate
        }
        client.onError(of: TransportError.self) { error, _ in
            log.add(error.code.rawValue)
            return .propagate
        }
        transport.enqueue(status: 400, #"[{"errorCode":"INVALID_FIELD","message":"m"}]"#)
        transport.enqueue(.failure(TransportError(.tls, "expired", mayHaveReachedServer: false)))
        for _ in 0..<2 { await #expect(throws: RestError.self) { try await client.send(.plainLimits) } }
        #expect(log.all == ["INVALID_FIELD", "tls"])
    }

    @Test(
        "a retry waits and sends the same call again, the caller gets its result, and errors list the attempts"
    )
    func retry() async throws {
        let client = try client()
        client.onError(of: RestError.self) { _, _ in .retry(after: .seconds(3)) }
        transport.enqueue(status: 409)
        transport.enqueue(#"{"ok":true}"#)
        #expect(try await client.send(.plainLimits).payload["ok"]?.bool == true)
        #expect(clock.sleeps == [.seconds(3)])
        #expect(transport.requests[0] == transport.requests[1])
        for _ in 0..<5 { transport.enqueue(status: 409) }
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.attempts.map(\.status) == [409, 409])
        #expect(transport.requests.count == 2 + 3)
    }

    @Test("a retry is rejected if it could apply a write twice, has no body left, or would be too late")
    func refusedRetries() async throws {
        let client = try client()
        client.onError(of: RestError.self) { error, _ in
            .retry(after: error.status == 409 ? .seconds(61) : .zero)
        }
        var streamed = RestRequest.create("Account", [:])
        streamed.body = .stream(HTTPBody.Source.once { nil })
        transport.enqueue(.failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: true)))
        transport.enqueue(status: 400)
        transport.enqueue(status: 409)
        for request in [.create("Account", [:]), streamed, .plainLimits] {
            await #expect(throws: RestError.self) { try await client.send(request) }
        }
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("the first handler that does not propagate decides, and the caller gets its replacement")
    func replace() async throws {
        let (client, log) = (try client(), log)
        client.onError(of: RestError.self) { error, _ in
            log.add("first")
            return .replace(with: RestError(.shutDown, "maintenance", underlying: error))
        }
        client.onError(of: RestError.self) { _, _ in
            log.add("second")
            return .propagate
        }
        transport.enqueue(status: 503)
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.message == "maintenance")
        #expect(log.all == ["first"])
    }

    @Test("handlers that fail in their own calls are nested at most four deep, and cyclic errors end")
    func depth() async throws {
        struct Endless: CompoundError {
            var innerErrors: [any Error] { [self, self] }
        }
        let (client, log) = (try client(.never), log)
        client.onError(of: RestError.self) { [weak client] _, _ in
            log.add("handler")
            _ = try? await client?.send(.plainLimits)
            return .propagate
        }
        client.onError(of: LookupError.self) { _, _ in .propagate }
        await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(log.all.count == 4)
        #expect(transport.requests.count == 5)
        struct Cyclic: Endpoint {
            func makeRequest() throws(RestError) -> RestRequest { .plainLimits }
            func content(from response: RestResponse) throws(RestError) {}
            func routeError(from error: RestError) -> Endless? { Endless() }
        }
        await #expect(throws: CallError<Endless>.self) { try await client.send(Cyclic()) }
    }

    @Test("a cancelled call calls no handlers")
    func cancelled() async throws {
        let (client, log) = (try client(), log)
        client.onError(of: RestError.self) { error, _ in
            log.add(error.code.rawValue)
            return .propagate
        }
        transport.enqueue(.silence)
        let call = Task { await Result { () async throws(RestError) in try await client.send(.plainLimits) } }
        call.cancel()
        #expect(await call.value.failure?.code == .cancelled)
        #expect(log.all.isEmpty)
    }

    @Test("a response that an endpoint cannot decode is an error like any other")
    func reading() async throws {
        struct Strict: JSONEndpoint {
            struct Root: Decodable { let left: Int }
            typealias Content = Root
            func makeRequest() throws(RestError) -> RestRequest { .plainLimits }
        }
        let (client, log) = (try client(), log)
        client.onError(of: RestError.self) { error, _ in
            log.add(error.code.rawValue)
            return .propagate
        }
        transport.enqueue(#"{"right":1}"#)
        await #expect(throws: CallError<Never>.self) { try await client.send(Strict()) }
        #expect(log.all == ["decoding"])
    }
}
