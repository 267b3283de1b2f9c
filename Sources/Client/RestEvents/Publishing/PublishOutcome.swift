// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// The outcome of publishing one event.
public enum PublishOutcome: Sendable {
    /// The server has accepted the event.
    ///
    /// `id` is the id that its subscribers see as ``ReceivedEvent/uuid``. The Pub/Sub API also reports its replay id.
    case applied(id: String, replayID: ReplayID?)
    /// The server has not accepted the event, so it can be published again.
    case notApplied(EventError)
    /// The response was lost, so the server may have accepted the event.
    case unknown(EventError)

    /// Whether the server has accepted the event.
    public var isApplied: Bool { if case .applied = self { true } else { false } }
}

extension RestClient {
    /// Publishes events, and returns an outcome for each.
    ///
    /// ```swift
    /// let outcomes = try await client.publish([["Total__c": 7]], to: "/event/Order_Placed__e")
    /// ```
    /// Events are sent in order, and none is sent twice. One that cannot be published does not stop the others.
    ///
    /// - Parameters:
    ///   - events: the fields of each event. `CreatedDate` and `CreatedById` are added.
    ///   - channel: the channel of a platform event, such as `/event/Order_Placed__e`.
    ///   - wire: the protocol. With ``EventOptions/Wire/cometD``, which cannot publish, each event is a REST call.
    /// - Returns: the outcomes, in the order of the events.
    /// - Throws: ``EventError`` if nothing was sent.
    public func publish(
        _ events: [JSONObject], to channel: String, over wire: EventOptions.Wire = .cometD
    ) async throws(EventError) -> [PublishOutcome] {
        guard let name = channel.removing(prefix: "/event/").map({ String($0) }), !name.isEmpty, !name.hasBytes("/")
        else { throw EventError(.argument, "channel: must be the path of a platform event, such as /event/Name__e") }
        guard !events.isEmpty else { return [] }
        #if !canImport(Darwin)
        if let endpoint = wire.endpoint {
            let hub = EventHub.of(self)
            let publisher = PubSubPublisher(PubSubTransport(self, endpoint, hub.schemas), hub, channel)
            do throws(WireError) { return try await publisher.publish(events) } catch {
                throw error.error.about(channel)
            }
        }
        #endif
        var outcomes: [PublishOutcome] = []
        for event in events { outcomes.append(await create(name, event)) }
        return outcomes
    }

    private func create(_ name: String, _ event: JSONObject) async -> PublishOutcome {
        do throws(RestError) {
            let payload = try await send(.create(name, event)).payload
            // The list of errors holds the UUID. The id is that of a record, which an event does not have.
            let receipt = payload["errors"]?.array?.first { $0["statusCode"]?.string == "OPERATION_ENQUEUED" }
            return .applied(id: (receipt?["message"] ?? payload["id"])?.string ?? "", replayID: nil)
        } catch {
            let converted = EventError(error)
            return error.outcome == .unknown ? .unknown(converted) : .notApplied(converted)
        }
    }
}
