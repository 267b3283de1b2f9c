// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestSDK

/// An event of any channel.
public struct ReceivedEvent: Sendable, Hashable {
    /// The channel that was subscribed to.
    public let channel: String
    /// The server's id of the event.
    public let replayID: ReplayID
    /// The whole data of the event, as CometD sends it.
    public var data: JSONValue {
        switch content {
        case .data(let data): data
        case .parts(let payload, let schema, let uuid):
            [
                "schema": JSONValue(schema), "payload": payload,
                "event": ["replayId": JSONValue(replayID.description), "EventUuid": JSONValue(uuid)],
            ]
        }
    }

    private enum Content: Sendable, Hashable {
        case data(JSONValue)
        /// The parts of an event of the Pub/Sub API, because most readers only use the payload.
        case parts(payload: JSONValue, schema: String, uuid: String)
    }

    private let content: Content

    package init(channel: String, replayID: ReplayID, data: JSONValue) {
        (self.channel, self.replayID, content) = (channel, replayID, .data(data))
    }

    init(channel: String, replayID: ReplayID, payload: JSONValue, schema: String, uuid: String) {
        (self.channel, self.replayID) = (channel, replayID)
        content = .parts(payload: payload, schema: schema, uuid: uuid)
    }

    private init(_ event: ReceivedEvent, channel: String) {
        (self.channel, replayID, content) = (channel, event.replayID, event.content)
    }

    /// Returns the event with the name by which its channel was subscribed to.
    func renamed(_ channel: String) -> ReceivedEvent {
        channel == self.channel ? self : ReceivedEvent(self, channel: channel)
    }

    private var payload: JSONValue? {
        switch content {
        case .data(let data): data["payload"] ?? data["sobject"]
        case .parts(let payload, _, _): payload
        }
    }

    /// The position of a subscription that has handled this event.
    public var position: EventPosition { EventPosition(channel: channel, replayID: replayID) }

    /// The fields of a platform event or change event, the record of a PushTopic, or the payload of a generic event.
    ///
    /// It is empty if a generic event has a string as its payload. See ``data``.
    public var fields: JSONObject { payload?.object ?? [:] }

    /// The field with this name, or `nil` if it is missing.
    public subscript(_ name: String) -> JSONValue? { payload?[name] }

    /// The unique id of a platform event.
    public var uuid: String? { data["event"]?["EventUuid"]?.string }
    /// The id of the event's schema.
    public var schema: String? { data["schema"]?.string }
    /// The change that a PushTopic event reports: `created`, `updated`, `deleted` or `undeleted`.
    public var change: String? { data["event"]?["type"]?.string }
    /// The header of a change event, or `nil` for other events.
    public var changeHeader: ChangeHeader? { self["ChangeEventHeader"].flatMap(ChangeHeader.init) }
}
