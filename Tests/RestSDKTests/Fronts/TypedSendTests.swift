// SPDX-License-Identifier: Apache-2.0

import Combine
import Dispatch
import RestTesting
import Synchronization
import Testing

@testable import RestSDK

@Suite("Answers as values, in every style", .timeLimit(.minutes(5)))
struct TypedSendTests {
    private struct Left: Decodable, Sendable, Equatable { let left: Int }

    /// A type that only the main actor can decode.
    @MainActor private struct Shown: @MainActor Decodable, Equatable { let left: Int }

    private static let good = #"{"left":5}"#

    private func client(_ answers: String...) throws -> RestClient {
        let transport = StubTransport()
        for answer in answers { transport.enqueue(answer) }
        return try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
    }

    @Test("async: the value, or a RestError that names the place")
    func asynchronous() async throws {
        let client = try client(Self.good, #"{"left":"x"}"#)
        #expect(try await client.send(.limits, as: Left.self) == Left(left: 5))
        do throws(RestError) {
            _ = try await client.send(.limits, as: Left.self)
            Issue.record("decoded")
        } catch {
            #expect(error.code == .decoding && error.message.contains("at left"))
            #expect(error.request?.name == "limits")
        }
    }

    @Test("async, of a type of one actor") @MainActor
    func onActor() async throws {
        let client = try client(Self.good, "[]")
        #expect(try await client.send(.limits, as: Shown.self) == Shown(left: 5))
        let error = await #expect(throws: RestError.self) { try await client.send(.limits, as: Shown.self) }
        #expect(error?.code == .decoding && error?.request?.name == "limits")
    }

    @Test("closures on the caller's actor") @MainActor
    func closures() async throws {
        let client = try client(Self.good, Self.good, "[]")
        var heard: [Left] = []  // of the main actor, as the closures are
        var failures: [RestError.Code] = []
        _ = await client.send(.limits, as: Left.self) { heard.append((try? $0.get()) ?? Left(left: 0)) }.outcome
        for _ in 0..<2 {
            _ = await client.send(
                .limits, as: Left.self, success: { heard.append($0) }, failure: { failures.append($0.code) }
            ).outcome
        }
        #expect(heard == [Left(left: 5), Left(left: 5)])
        #expect(failures == [.decoding])
    }

    @Test("closures on a queue, for requests and endpoints")
    func queues() async throws {
        struct Limits: JSONEndpoint {
            typealias Root = Left
            typealias Content = Left
            func makeRequest() -> RestRequest { .limits }
        }
        let client = try client(Self.good, Self.good, "[]", Self.good, "[]")
        let queue = DispatchQueue(label: "hears")
        let heard = Mutex<[String]>([])
        let success = { @Sendable (left: Left) in
            dispatchPrecondition(condition: .onQueue(queue))
            heard.withLock { $0.append("\(left.left)") }
        }
        _ = await client.send(.limits, as: Left.self, on: queue) { (try? $0.get()).map(success) }.outcome
        for _ in 0..<2 {
            _ = await client.send(
                .limits, as: Left.self, on: queue, success: success,
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

    /// No actor is around a function like this one, as in a command-line program.
    private nonisolated func start(_ client: RestClient, _ heard: @escaping @Sendable (String) -> Void) -> [CallTask<
        RestResponse, RestError
    >] {
        [
            client.send(.limits) { heard("\((try? $0.get().payload["left"]?.int) ?? 0)") },
            client.send(.limits, success: { _ in heard("5") }, failure: { heard($0.code.rawValue) }),
        ]
    }

    @Test("closures off every actor compile, and are called once")
    func offActors() async throws {
        let client = try client(Self.good, Self.good)
        let heard = Mutex<[String]>([])
        let tasks = start(client) { text in heard.withLock { $0.append(text) } }
        for task in tasks { _ = try await task.value }
        #expect(heard.withLock { $0 } == ["5", "5"])
    }

    @Test("a publisher") @MainActor
    func publisher() async throws {
        let client = try client(Self.good)
        var heard: [Left] = []
        var call: AnyCancellable?
        await withCheckedContinuation { done in
            call = client.publisher(for: .limits, as: Left.self).sink { _ in
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
    /// How the call ended, once its call-back has returned.
    fileprivate var outcome: Result<Value, Failure> {
        get async {
            do throws(Failure) { return .success(try await value) } catch { return .failure(error) }
        }
    }
}
