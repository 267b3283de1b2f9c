// SPDX-License-Identifier: Apache-2.0

import Combine
import Dispatch
import RestTesting
import Simulation
import Synchronization
import Testing

@testable import RestSDK

#if canImport(Combine)
import Combine
#endif

@Suite("Typed responses in every calling style", .timeLimit(.minutes(5)))
struct TypedSendTests {
    private struct Left: Decodable, Sendable, Equatable { let left: Int }

    @MainActor private struct Shown: @MainActor Decodable, Equatable { let left: Int }

    private static let good = #"{"left":5}"#

    private func client(_ responses: String...) throws -> RestClient {
        let transport = StubTransport()
        for response in responses { transport.enqueue(response) }
        return try RestClient.of(transport, retryPolicy: .never)
    }

    @Test("with async, a call returns the value or throws a RestError with the path")
    func asynchronous() async throws {
        let client = try client(Self.good, #"{"left":"x"}"#)
        #expect(try await client.send(.plainLimits, as: Left.self) == Left(left: 5))
        do throws(RestError) {
            _ = try await client.send(.plainLimits, as: Left.self)
            Issue.record("decoded")
        } catch {
            #expect(error.code == .decoding && error.message.contains("at left"))
            #expect(error.request?.name == "limits")
        }
    }

    @Test("with async, a type of one actor is decoded on that actor") @MainActor
    func onActor() async throws {
        let client = try client(Self.good, "[]")
        #expect(try await client.send(.plainLimits, as: Shown.self) == Shown(left: 5))
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits, as: Shown.self) }
        #expect(error?.code == .decoding && error?.request?.name == "limits")
    }

    @Test("closures run on the caller's actor") @MainActor
    func closures() async throws {
        let client = try client(Self.good, Self.good, "[]")
        var heard: [Left] = []  // used on the main actor only
        var failures: [RestError.Code] = []
        _ = await client.send(.plainLimits.as(Left.self)) { heard.append((try? $0.get()) ?? Left(left: 0)) }.outcome
        for _ in 0..<2 {
            _ = await client.send(
                .plainLimits.as(Left.self), success: { heard.append($0) }, failure: { failures.append($0.code) }
            ).outcome
        }
        #expect(heard == [Left(left: 5), Left(left: 5)])
        #expect(failures == [.decoding])
    }

    @Test("closures run on a queue, for requests and endpoints")
    func queues() async throws {
        struct Limits: JSONEndpoint {
            typealias Root = Left
            typealias Content = Left
            func makeRequest() -> RestRequest { .plainLimits }
        }
        let client = try client(Self.good, Self.good, "[]", Self.good, "[]")
        let queue = DispatchQueue(label: "hears")
        let heard = Mutex<[String]>([])
        let success = { @Sendable (left: Left) in
            dispatchPrecondition(condition: .onQueue(queue))
            heard.withLock { $0.append("\(left.left)") }
        }
        _ = await client.send(.plainLimits.as(Left.self), on: queue) { (try? $0.get()).map(success) }.outcome
        for _ in 0..<2 {
            _ = await client.send(
                .plainLimits.as(Left.self), on: queue, success: success,
                failure: { error in heard.withLock { $0.append(error.code.rawValue) } }
            ).outcome
        }
        for _ in 0..<2 {
            _ = await client.send(
                Limits(), on: queue, success: success,
                failure: { error in heard.withLock { $0.append(error.description.prefix(8) + "") } }
            ).outcome
        }
        #expect(heard.withLock { $0 } == ["5", "5", "decoding", "5", "decoding"])
    }

    /// Starts calls outside any actor, as a command-line program does.
    private nonisolated func start(_ client: RestClient, _ heard: @escaping @Sendable (String) -> Void) -> [CallTask<
        RestResponse, RestError
    >] {
        [
            client.send(.plainLimits) { heard("\((try? $0.get().payload["left"]?.int) ?? 0)") },
            client.send(.plainLimits, success: { _ in heard("5") }, failure: { heard($0.code.rawValue) }),
        ]
    }

    @Test("closures outside any actor compile, and are called once")
    func offActors() async throws {
        let client = try client(Self.good, Self.good)
        let heard = Mutex<[String]>([])
        let tasks = start(client) { text in heard.withLock { $0.append(text) } }
        for task in tasks { _ = try await task.value }
        #expect(heard.withLock { $0 } == ["5", "5"])
    }

    @Test("a publisher delivers the typed value") @MainActor
    func publisher() async throws {
        let client = try client(Self.good)
        var heard: [Left] = []
        var call: AnyCancellable?
        await withCheckedContinuation { done in
            call = client.publisher(for: .plainLimits.as(Left.self)).sink { _ in
                done.resume()
            } receiveValue: {
                heard.append($0)
            }
        }
        call?.cancel()
        #expect(heard == [Left(left: 5)])
    }
}

extension CallTask {
    fileprivate var outcome: Result<Value, Failure> {
        get async {
            do throws(Failure) { return .success(try await value) } catch { return .failure(error) }
        }
    }
}

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
        client = try RestClient.of(transport, retryPolicy: .never)
    }

    private func play() -> [String] {
        transport.enqueue(#"{"total":7}"#)
        transport.enqueue(status: 400, #"[{"errorCode":"A","message":"too many"}]"#)
        transport.enqueue(status: 404)
        return ["7", "too many", "notFound"]
    }

    @Test("closures get the outcomes, on an actor and on a queue")
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

    @Test("delegates get the outcomes, on an actor and on a queue, and a cancelled call is reported once")
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
    @Test("publishers deliver the outcomes")
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
