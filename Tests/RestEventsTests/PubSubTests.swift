// SPDX-License-Identifier: Apache-2.0

import EventServers
import EventWire
import RestAuth
import RestHTTP2
import RestJSON
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestEvents

@Suite("Subscriptions and publishing over the Pub/Sub API", .timeLimit(.minutes(2)))
struct PubSubTests {
    private func withServer(
        _ model: ModelEventServer = ModelEventServer(), keepsExpired: Bool = false,
        cut: @escaping @Sendable () -> ModelPubSubServer.Cut? = { nil },
        _ body: (ModelPubSubServer) async throws -> Void
    ) async throws {
        let server = try ModelPubSubServer(
            model, schemas: EventModel.schemas, keepsExpired: keepsExpired, cut: cut)
        do { try await body(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test("a renewed token reaches a stream with its next request, and the stream goes on")
    func renewal() async throws {
        try await withServer(keepsExpired: true) { server in
            let client = try client(of: server.model)
            server.model.publish(EventModel.channel, numbers: 0..<40)
            let status = AwaitedStatus()
            let sequence = client.events(EventModel.channel, from: .earliest, options: server.options(status.options))
            var events = sequence.makeAsyncIterator()
            for number in 0..<40 { #expect(try await events.next()?["n"]?.int == number) }
            server.model.expireToken()
            // A call for another subscription is rejected, and renews the token for both.
            let other = client.events("/event/A__e", from: .earliest, options: server.options())
            server.model.publish("/event/A__e", ["n": 1])
            #expect(try await numbers(1, of: other) == [1])
            server.model.publish(EventModel.channel, numbers: 40..<300)
            for number in 40..<300 { #expect(try await events.next()?["n"]?.int == number) }
            #expect(server.model.state.withLock(\.renewals) == 1 && server.log.value.refreshed == ["t2"])
            #expect(!status.all.contains { if case .disconnected = $0 { true } else { false } })
        }
    }

    @Test("an expired token ends a stream, which resumes with a new one without a loss")
    func expiry() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            let status = AwaitedStatus()
            let sequence = client.events(EventModel.channel, from: .earliest, options: server.options(status.options))
            var events = sequence.makeAsyncIterator()
            server.model.publish(EventModel.channel, numbers: 0..<5)
            for number in 0..<5 { #expect(try await events.next()?["n"]?.int == number) }
            server.model.expireToken()
            server.model.publish(EventModel.channel, numbers: 5..<10)
            for number in 5..<10 { #expect(try await events.next()?["n"]?.int == number) }
            #expect(status.gaps.isEmpty && server.model.state.withLock(\.renewals) == 1)
            #expect(server.log.value.calls.filter { $0 == "GetSchema" }.count == 1)
        }
    }

    @Test("a slow reader gets no more events than it has requested")
    func backPressure() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            server.model.publish(EventModel.channel, numbers: 0..<1_000)
            var options = server.options()
            options.bufferSize = 10
            var events = client.events(EventModel.channel, from: .earliest, options: options).makeAsyncIterator()
            for number in 0..<1_000 {
                #expect(try await events.next()?["n"]?.int == number)
                let requested = server.log.value.requested
                #expect(requested.allSatisfy { (1...100).contains($0) })
                // The buffer, and two windows each in it, before it and at the server.
                #expect(requested.reduce(0, +) <= number + 430)
            }
        }
    }

    @Test("a silent stream is dead after the server's limit, and an open one ends with its iterator")
    func silence() async throws {
        try await withServer { server in
            let clock = ManualClock(alarmsBeyond: .seconds(45))
            let client = try client(of: server.model, clock: clock)
            let status = AwaitedStatus()
            let events = client.events(EventModel.channel, from: .earliest, options: server.options(status.options))
            let reader = Task { try await numbers(1, of: events) }
            await status.wait { if case .caughtUp = $0 { true } else { false } }
            clock.advance(by: PubSubFlow.silence + .seconds(1))
            await status.wait { if case .resumed = $0 { true } else { false } }
            server.model.publish(EventModel.channel, ["n": 1])
            #expect(try await reader.value == [1])
            await until { server.log.value.open == 0 }
        }
    }

    @Test("a server that leaves loses nothing")
    func leaving() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            let sequence = client.events(EventModel.channel, from: .earliest, options: server.options())
            var events = sequence.makeAsyncIterator()
            for number in 0..<50 {
                server.model.publish(EventModel.channel, ["n": JSONValue(number)])
                if number % 10 == 5 {
                    server.leave()
                    // A channel that is added needs a new connection.
                    server.model.publish("/event/A__e", ["n": JSONValue(number)])
                    let other = client.events("/event/A__e", from: .earliest, options: server.options())
                    #expect(try await numbers(1, of: other) == [5])
                }
                #expect(try await events.next()?["n"]?.int == number)
            }
        }
    }

    @Test("unknown channels, missing rights, limits and broken messages are typed errors")
    func errors() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            for (channel, code) in [
                ("/event/Nothing__e", EventError.Code.unknownChannel), ("/event/Secret__e", .forbidden),
            ] {
                let error = await ending(of: client.events(channel, options: server.options()))
                #expect(error?.code == code && error?.channel == channel)
            }
        }
        let reason = PubSubErrorCode(.deliveryLimit)
        let limit = GRPCError(.resourceExhausted, "limit", trailers: ["error-code": "\(reason)"])
        try await withServer(cut: { .status(limit) }) { server in
            let client = try client(of: server.model)
            let error = await ending(of: client.events(EventModel.channel, options: server.options()))
            #expect(error?.code == .limit && error?.message.contains("subscription.limit.exceeded") == true)
        }
        var options = EventOptions()
        options.wire = .pubSub(at: Origin(scheme: .http, host: "example.com", port: 80))
        let other = try client(of: ModelEventServer())
        #expect(await ending(of: other.events(EventModel.channel, options: options))?.code == .argument)
    }

    @Test("the server's own error code decides, and not the status of gRPC")
    func errorCodes() {
        let codes: [(String, EventError.Code, WireError.Remedy)] = [
            ("service.unavailable", .unavailable, .retry), ("service.auth.error", .unauthorized, .reopen),
            ("subscription.fetch.replayid.corrupted", .invalidPosition, .position),
            ("subscription.limit.exceeded", .limit, .none), ("topic.not.found", .unknownChannel, .none),
            ("managed.subscription.already.active", .held, .retry), ("publish.event.count.invalid", .rejected, .none),
        ]
        for (tail, code, remedy) in codes {
            for status in [GRPCError.Code.internal, .unavailable, .unauthenticated] {
                let trailers: HTTPFields = ["error-code": "sfdc.platform.eventbus.grpc.\(tail)"]
                let error = WireError(GRPCError(status, "x", trailers: trailers), channel: "/a")
                #expect(error.error.code == code && error.remedy == remedy && error.error.channel == "/a", "\(tail)")
            }
        }
    }

    @Test("each published event has an outcome, and only a certain rejection is repeated")
    func publishing() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            server.model.expireToken()
            let events: [JSONObject] = (0..<450).map { ["n": JSONValue($0)] } + [["n": "text"], ["other": 1]]
            let outcomes = try await client.publish(events, to: EventModel.channel, over: server.wire)
            #expect(outcomes.count == 452)
            for (index, outcome) in outcomes.enumerated() {
                switch outcome {
                case .applied(let id, let position):
                    #expect(index < 450 && index != 13 && !id.isEmpty && position != nil)
                case .notApplied(let error): #expect(error.code == (index == 13 ? .rejected : .argument))
                case .unknown: Issue.record("event \(index) has no outcome")
                }
            }
            #expect(server.model.state.withLock { $0.channels[EventModel.channel]?.count } == 449)
            #expect(server.log.value.calls.count { $0 == "PublishStream" } == 1)
            await #expect(throws: EventError.self) { try await client.publish([[:]], to: "/data/AccountChangeEvent") }
        }
        try await withServer(cut: { .connection }) { server in
            let client = try client(of: server.model)
            let outcomes = try await client.publish([["n": 1]], to: EventModel.channel, over: server.wire)
            guard case .unknown? = outcomes.first else {
                Issue.record("the outcome is known")
                return
            }
        }
    }

    @Test("a stream that breaks leaves the requests in flight unknown, and the others are sent on the next one")
    func brokenPublishStream() async throws {
        let requests = Watched(0)
        let cut = { @Sendable () -> ModelPubSubServer.Cut? in
            requests.update { $0 += 1 }
            return requests.value == 3 ? .connection : nil
        }
        try await withServer(cut: cut) { server in
            let client = try client(of: server.model)
            let events: [JSONObject] = (1_000..<3_000).map { ["n": JSONValue($0)] }
            let outcomes = try await client.publish(events, to: EventModel.channel, over: server.wire)
            let published = server.model.state.withLock { state in
                Set((state.channels[EventModel.channel] ?? []).compactMap { $0.payload["n"]?.int })
            }
            var unknown = 0
            for (index, outcome) in outcomes.enumerated() {
                switch outcome {
                case .applied: #expect(published.contains(1_000 + index))
                case .notApplied: #expect(!published.contains(1_000 + index))
                case .unknown: unknown += 1
                }
            }
            #expect((1...PubSubPublisher.mostInFlight).contains(unknown / PubSubPublisher.mostEvents))
            #expect(outcomes.last?.isApplied == true)
            let count = server.model.state.withLock { $0.channels[EventModel.channel]?.count }
            #expect(count == published.count)
        }
    }

    @Test("a managed subscription continues after the last committed event, and has one client at a time")
    func managed() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            server.model.publish(EventModel.channel, numbers: 0..<300)
            let managed = EventSubscription(managed: "Orders")
            let sequence = client.events(EventModel.channel, as: managed, options: server.options())
            var events: EventSequence<ReceivedEvent>.AsyncIterator? = sequence.makeAsyncIterator()
            for number in 0..<250 { #expect(try await events?.next()?["n"]?.int == number) }
            #expect(await ending(of: sequence)?.code == .held)
            // The handler of the last event has not returned.
            events = nil
            let last = server.model.state.withLock { $0.channels[EventModel.channel]?[248].id ?? 0 }
            await until {
                server.log.value.committed["Orders"] == ModelPubSubServer.id(last) && server.log.value.open == 0
            }
            #expect(try await numbers(51, of: sequence) == Array(249..<300))
            #expect(server.log.value.calls.count { $0 == "ManagedSubscribe" } > 2)
        }
    }

    @Test("a commit that the server rejects, and a managed subscription that is misused, are typed errors")
    func managedErrors() async throws {
        try await withServer { server in
            let client = try client(of: server.model)
            server.model.publish(EventModel.channel, numbers: 0..<3)
            server.log.update { $0.rejectsCommits = true }
            let (orders, other) = (EventSubscription(managed: "Orders"), EventSubscription(managed: "Other"))
            let options = server.options()
            let rejected = await ending(of: client.events(EventModel.channel, as: orders, options: options))
            #expect(rejected?.code == .store && rejected?.channel == EventModel.channel)
            let unknown = await ending(of: client.events(EventModel.channel, as: other, options: options))
            #expect(unknown?.code == .unknownChannel)
            let several = client.events(EventModel.channel, "/event/A__e", as: orders, options: options)
            #expect(await ending(of: several)?.code == .argument)
            #expect(await ending(of: client.events(EventModel.channel, as: orders))?.code == .argument)
        }
    }
}
