// SPDX-License-Identifier: Apache-2.0

import Combine
import RestTesting
import Testing

@testable import RestSDK

@Suite("The Combine publisher", .timeLimit(.minutes(5)))
struct CallPublisherTests {
    /// Returns a client, and its transport, which gives these responses in order.
    private static func client(
        _ responses: StubTransport.Response...
    ) throws -> (client: RestClient, transport: StubTransport) {
        let transport = StubTransport()
        for response in responses { transport.enqueue(response) }
        var configuration = RestClient.Configuration(
            transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20)))
        configuration.retryPolicy = .never
        let client = try RestClient.of(configuration)
        return (client, transport)
    }

    private static func respond(_ body: String, status: Int = 200) -> StubTransport.Response {
        .response(HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8)))
    }

    @Test("closures of a sink on the main actor run there, without receive(on:)") @MainActor
    func mainActor() async throws {
        let client = try Self.client(Self.respond("[1]")).client
        var heard: [String] = []  // used on the main actor only
        var call: AnyCancellable?
        await withCheckedContinuation { done in
            call = client.publisher(for: .versions).sink { completion in
                MainActor.assertIsolated()
                if case .finished = completion { heard.append("finished") }
                done.resume()
            } receiveValue: { response in
                MainActor.assertIsolated()
                heard.append(response.payload.array?.description ?? "")
            }
        }
        call?.cancel()
        #expect(heard == ["[1]", "finished"])
    }

    @Test("a publisher that was made on no actor delivers on the main actor when attached there") @MainActor
    func madeElsewhere() async throws {
        let client = try Self.client(Self.respond("[]")).client
        let publisher = await Self.publisher(of: client)
        var count = 0
        var call: AnyCancellable?
        await withCheckedContinuation { done in
            call = publisher.sink { _ in
                done.resume()
            } receiveValue: { _ in
                count += 1
            }
        }
        call?.cancel()
        #expect(count == 1)
    }

    @concurrent
    private static func publisher(of client: RestClient) async -> CallPublisher<RestResponse, RestError> {
        client.publisher(for: .versions)
    }

    private actor Host {
        private var count = 0
        private var call: AnyCancellable?

        func count(_ client: RestClient) async -> Int {
            await withCheckedContinuation { done in
                call = client.publisher(for: .versions).sink { _ in
                    self.assertIsolated()
                    done.resume()
                } receiveValue: { _ in
                    self.count += 1
                }
            }
            return count
        }
    }

    @Test("closures of a sink on another actor run on that actor")
    func ownActor() async throws {
        #expect(await Host().count(try Self.client(Self.respond("[]")).client) == 1)
    }

    @Test("after a cancel inside receive(value), not even the completion is delivered", arguments: [true, false])
    func cancelInside(isOnMainActor: Bool) async throws {
        let client = try Self.client(Self.respond("[]")).client
        let subscriber = Recorder<RestResponse, RestError>(asking: .unlimited) { $0.cancel() }
        if isOnMainActor {
            await MainActor.run { client.publisher(for: .versions).subscribe(subscriber) }
        } else {
            client.publisher(for: .versions).subscribe(subscriber)
        }
        await subscriber.wait { $0.values.count == 1 }
        for _ in 0..<100 { await Task.yield() }
        #expect(subscriber.heard == ["subscription", "value"])
    }

    @Test("a cancel before the response ends the call silently and releases the subscriber")
    func cancelBefore() async throws {
        let (client, transport) = try Self.client(.silence)
        weak var watched: Recorder<RestResponse, RestError>?
        do {
            let subscriber = Recorder<RestResponse, RestError>(asking: .max(1))
            watched = subscriber
            client.publisher(for: .versions).subscribe(subscriber)
            while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
            subscriber.cancel()
            #expect(subscriber.heard == ["subscription"])
        }
        #expect(watched == nil)
    }

    @Test(
        "without demand nothing is sent, and any amount of demand sends one call",
        arguments: [Subscribers.Demand.none, .max(1), .max(7), .unlimited])
    func demand(first: Subscribers.Demand) async throws {
        let (client, transport) = try Self.client(Self.respond("[]"))
        let subscriber = Recorder<RestResponse, RestError>(asking: first, further: .max(1)) { $0.request(.max(3)) }
        client.publisher(for: .versions).subscribe(subscriber)
        if first == .none {
            for _ in 0..<100 { await Task.yield() }
            #expect(transport.requests.isEmpty && subscriber.heard == ["subscription"])
            subscriber.request(.max(1))
        }
        subscriber.request(.max(2))
        await subscriber.wait { $0.isOver }
        #expect(subscriber.heard == ["subscription", "value", "finished"])
        #expect(transport.requests.count == 1)
    }

    @Test("an error is delivered as a failure, without a value")
    func failure() async throws {
        let client = try Self.client(Self.respond("[]", status: 404)).client
        let subscriber = Recorder<RestResponse, RestError>(asking: .unlimited)
        client.publisher(for: .versions).subscribe(subscriber)
        await subscriber.wait { $0.isOver }
        #expect(subscriber.heard == ["subscription", "notFound"])
    }
}
