// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestSDK

/// An event of any channel.
public struct ReceivedEvent: Sendable, Hashable {
    /// The channel that was subscribed to.
    public let channel: String
    /// The server's id of the event.
    public let replayID: ReplayID
    /// The whole data of the event, as received.
    public let data: JSONValue

    package init(channel: String, replayID: ReplayID, data: JSONValue) {
        (self.channel, self.replayID, self.data) = (channel, replayID, data)
    }

    /// The position of a subscription that has handled this event.
    public var position: EventPosition { EventPosition(channel: channel, replayID: replayID) }

    /// The fields of a platform event or change event, the record of a PushTopic, or the payload of a generic event.
    ///
    /// It is empty if a generic event has a string as its payload. See ``data``.
    public var fields: JSONObject { (data["payload"] ?? data["sobject"])?.object ?? [:] }

    /// The field with this name, or `nil` if it is missing.
    public subscript(_ name: String) -> JSONValue? { (data["payload"] ?? data["sobject"])?[name] }

    /// The unique id of a platform event.
    public var uuid: String? { data["event"]?["EventUuid"]?.string }
    /// The id of the event's schema.
    public var schema: String? { data["schema"]?.string }
    /// The change that a PushTopic event reports: `created`, `updated`, `deleted` or `undeleted`.
    public var change: String? { data["event"]?["type"]?.string }
    /// The header of a change event, or `nil` for other events.
    public var changeHeader: ChangeHeader? { self["ChangeEventHeader"].flatMap(ChangeHeader.init) }
}
