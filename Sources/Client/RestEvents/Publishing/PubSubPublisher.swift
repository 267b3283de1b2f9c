// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import EventWire
import RestAuth
import RestBase
import RestHTTP2
import RestJSON
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Publishes events over the Pub/Sub API, on a connection that the client's publishers share.
///
/// One request uses Publish. Several share a stream of PublishStream, on which the next ones follow before the results
/// of the first.
struct PubSubPublisher: Sendable {
    /// The limits of a request: the number of events, and the bytes of their payloads, below the server's 4 MB.
    static let (mostEvents, mostBytes) = (200, 3_000_000)
    /// The server's limit of an event in bytes.
    static let largestEvent = 1_000_000
    /// The number of requests that a stream has sent before their results.
    static let mostInFlight = 4

    private typealias Batch = [(index: Int, event: PubSub.ProducerEvent)]

    private let transport: PubSubTransport
    private let hub: EventHub
    private let channel: String

    init(_ transport: PubSubTransport, _ hub: EventHub, _ channel: String) {
        (self.transport, self.hub, self.channel) = (transport, hub, channel)
    }

    func publish(_ events: [JSONObject]) async throws(WireError) -> [PublishOutcome] {
        let schema: EventSchema
        do throws(WireError) { schema = try await self.schema() } catch {
            // Nothing was published yet, so a lost connection changes nothing.
            guard error.remedy == .reopen else { throw error }
            schema = try await self.schema()
        }
        var outcomes = [PublishOutcome?](repeating: nil, count: events.count)
        var rest = batches(events, schema, &outcomes)[...]
        var attempts = 0
        while !rest.isEmpty {
            let (results, sent, error) = await send(rest)
            for (batch, results) in zip(rest, results) {
                for (one, result) in zip(batch, results) { outcomes[one.index] = outcome(result, of: one.event) }
            }
            rest = rest.dropFirst(results.count)
            guard let error, !rest.isEmpty else { break }
            attempts = results.isEmpty ? attempts + 1 : 1
            var failed = error.isUnapplied ? 0 : sent - results.count
            // What was certainly not applied is sent once more, for example with a renewed token.
            if error.remedy != .reopen || attempts > 1 { failed = rest.count }
            for (number, batch) in rest.prefix(failed).enumerated() {
                let isUnapplied = error.isUnapplied || number >= sent - results.count
                let outcome: PublishOutcome = isUnapplied ? .notApplied(error.error) : .unknown(error.error)
                for one in batch { outcomes[one.index] = outcome }
            }
            rest = rest.dropFirst(failed)
        }
        let missing = PublishOutcome.unknown(EventError(.response, "the server sent no result for the event"))
        return outcomes.map { $0 ?? missing }
    }

    private func schema() async throws(WireError) -> EventSchema {
        let calls = try await hub.publisher(transport)
        do throws(WireError) {
            let topic = try await calls.topic(channel)
            guard topic.canPublish else {
                throw WireError(EventError(.forbidden, "the user may not publish to the channel"), .none)
            }
            return try await calls.schema(topic.schemaID)
        } catch {
            if error.remedy != .none { hub.drop(calls) }
            throw error
        }
    }

    /// Encodes the events, and divides them into requests.
    ///
    /// Events that do not fit the schema get their outcome.
    private func batches(
        _ events: [JSONObject], _ schema: EventSchema, _ outcomes: inout [PublishOutcome?]
    ) -> [Batch] {
        let writer = AvroWriter(schema.avro)
        // bounded: the time of this machine
        let now = JSONValue(Int(Date().timeIntervalSince1970 * 1_000))
        let user = JSONValue(transport.client.credentialAtHand?.credential.platformUserID ?? "")
        let names = schema.avro.record(of: schema.avro.root)?.positions ?? [:]
        var (batches, size): ([Batch], Int) = ([], 0)
        for (index, fields) in events.enumerated() {
            var fields = fields
            for (name, value) in [("CreatedDate", now), ("CreatedById", user)]
            where fields[name] == nil && names[name] != nil { fields[name] = value }
            var event = PubSub.ProducerEvent()
            (event.id, event.schemaID) = (UUID().uuidString.lowercased(), schema.id)
            do throws(AvroError) {
                event.payload = try writer.bytes(of: JSONValue(fields))
                guard event.payload.count <= Self.largestEvent else { throw AvroError(.tooLarge) }
            } catch {
                outcomes[index] = .notApplied(EventError(.argument, "the event does not fit its schema: \(error)"))
                continue
            }
            size += event.payload.count
            if batches.last?.count ?? Self.mostEvents == Self.mostEvents || size > Self.mostBytes {
                batches.append([])
                size = event.payload.count
            }
            batches[batches.count - 1].append((index, event))
        }
        return batches
    }

    /// Sends requests, and returns the results of the first ones, the number of those that were sent, and the error.
    private func send(
        _ batches: ArraySlice<Batch>
    ) async -> (results: [[PubSub.PublishResult]], sent: Int, error: WireError?) {
        var (results, sent): ([[PubSub.PublishResult]], Int) = ([], 0)
        do throws(WireError) {
            let calls = try await hub.publisher(transport)
            let access = calls.access
            do throws(GRPCError) {
                let deadline = transport.client.clock.now + PubSubTransport.timeout * batches.count
                let method = batches.count == 1 ? "Publish" : "PublishStream"
                let call = try calls.start(method, access, deadline: deadline)
                while results.count < batches.count {
                    if sent < min(batches.count, results.count + Self.mostInFlight) {
                        var request = PubSub.PublishRequest()
                        request.topicName = channel
                        request.events = batches[batches.startIndex + sent].map(\.event)
                        sent += 1
                        // The server's status says more than the end of the stream, and follows the results.
                        try? await call.send(request.encoded, isEnd: sent == batches.count)
                    } else {
                        guard let bytes = try await call.next() else {
                            throw GRPCError(.unavailable, "the server ended the stream")
                        }
                        let response = try? PubSub.PublishResponse(reading: bytes)
                        guard let response else { throw GRPCError(.internal, "the response is not a message") }
                        results.append(response.results)
                    }
                }
                return (results, sent, nil)
            } catch {
                if error.cause != nil { hub.drop(calls) }
                let failure = calls.error(error, access.generation, channel)
                if failure.error.code == .unauthorized { _ = await calls.renew(access.generation) }
                throw failure
            }
        } catch {
            return (results, sent, error)
        }
    }

    private func outcome(_ result: PubSub.PublishResult, of event: PubSub.ProducerEvent) -> PublishOutcome {
        if let failure = result.error {
            return .notApplied(EventError(.rejected, EventError.said(failure.message), channel: channel))
        }
        let id = result.correlationKey.isEmpty ? event.id : result.correlationKey
        return .applied(id: id, replayID: ReplayID(bytes: result.replayID))
    }
}

extension WireError {
    /// Whether the server has certainly not applied a request that failed with the error.
    fileprivate var isUnapplied: Bool {
        guard let failure = error.underlying as? GRPCError else { return false }
        guard failure.cause == nil else { return failure.isUnprocessed }
        return [.unauthorized, .forbidden, .unknownChannel, .limit, .rejected].contains(error.code)
    }
}
#endif
