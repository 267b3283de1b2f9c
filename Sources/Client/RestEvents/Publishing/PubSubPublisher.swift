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
struct PubSubPublisher: Sendable {
    /// The limits of a request: the number of events, and the bytes of their payloads, below the server's 4 MB.
    static let (mostEvents, mostBytes) = (200, 3_000_000)
    /// The server's limit of an event in bytes.
    static let largestEvent = 1_000_000

    private typealias Batch = [(index: Int, event: PubSub.ProducerEvent)]

    private let transport: PubSubTransport
    private let hub: EventHub

    init(_ transport: PubSubTransport, _ hub: EventHub) { (self.transport, self.hub) = (transport, hub) }

    func publish(_ events: [JSONObject], to channel: String) async throws(WireError) -> [PublishOutcome] {
        let schema = try await trying { (connection) async throws(WireError) in
            let topic = try await connection.topic(channel)
            guard topic.canPublish else {
                throw WireError(EventError(.forbidden, "the user may not publish to the channel"), .none)
            }
            return try await connection.schema(topic.schemaID)
        }
        var outcomes = [PublishOutcome?](repeating: nil, count: events.count)
        for batch in batches(events, schema, &outcomes) {
            for (index, outcome) in await send(batch, to: channel) { outcomes[index] = outcome }
        }
        let missing = PublishOutcome.unknown(EventError(.response, "the server sent no result for the event"))
        return outcomes.map { $0 ?? missing }
    }

    /// Runs a request that can be repeated, once more on a new connection if the first was lost.
    private func trying<Value: Sendable>(
        _ body: (PubSubConnection) async throws(WireError) -> Value
    ) async throws(WireError) -> Value {
        do throws(WireError) {
            return try await body(try await hub.publisher(transport))
        } catch {
            guard error.remedy == .reopen else { throw error }
            hub.dropPublisher(transport.wire)
            return try await body(try await hub.publisher(transport))
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
        var (batches, batch, size): ([Batch], Batch, Int) = ([], [], 0)
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
            if batch.count == Self.mostEvents || size + event.payload.count > Self.mostBytes, !batch.isEmpty {
                batches.append(batch)
                (batch, size) = ([], 0)
            }
            size += event.payload.count
            batch.append((index, event))
        }
        return batch.isEmpty ? batches : batches + [batch]
    }

    /// Sends a request, and again only if the server has certainly not applied it.
    private func send(_ batch: Batch, to channel: String) async -> [(Int, PublishOutcome)] {
        var request = PubSub.PublishRequest()
        (request.topicName, request.events) = (channel, batch.map(\.event))
        let response: PubSub.PublishResponse
        do throws(WireError) {
            response = try await sendOnce(request, to: channel)
        } catch {
            let outcome: PublishOutcome = error.isUnapplied ? .notApplied(error.error) : .unknown(error.error)
            return batch.map { ($0.index, outcome) }
        }
        return zip(batch, response.results).map { sent, result in
            if let failure = result.error {
                let text = String(Substring(failure.message.utf8.prefix(1_000)))
                return (sent.index, .notApplied(EventError(.rejected, "the server said: \(text)", channel: channel)))
            }
            let id = result.correlationKey.isEmpty ? sent.event.id : result.correlationKey
            return (sent.index, .applied(id: id, replayID: ReplayID(bytes: result.replayID)))
        }
    }

    private func sendOnce(
        _ request: PubSub.PublishRequest, to channel: String
    ) async throws(WireError) -> PubSub.PublishResponse {
        do throws(WireError) {
            return try await hub.publisher(transport).call("Publish", request, channel: channel)
        } catch {
            guard error.remedy == .reopen else { throw error }
            hub.dropPublisher(transport.wire)
            guard error.isUnapplied else { throw error }
            return try await hub.publisher(transport).call("Publish", request, channel: channel)
        }
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
