// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestBase
import RestJSON
import Synchronization

/// The schema of events, with which their bytes become what CometD sends.
struct EventSchema: Sendable {
    let id: String
    let avro: AvroSchema
    private let reader: AvroReader
    private let bitmaps: FieldBitmaps?

    /// Parses a schema.
    ///
    /// - Throws: an error with the code ``EventError/Code/response`` if the text is not a schema.
    init(_ id: String, parsing text: String) throws(WireError) {
        do throws(AvroError) {
            let avro = try AvroSchema(parsing: text)
            (self.id, self.avro, reader) = (id, avro, AvroReader(avro, timesAsText: true))
            bitmaps = FieldBitmaps(avro)
        } catch {
            throw .invalid("the schema of an event is invalid: \(error)")
        }
    }

    /// Reads an event.
    ///
    /// - Throws: an error with the code ``EventError/Code/response`` for an event that does not fit the schema.
    func event(_ event: PubSub.ConsumerEvent, of channel: String) throws(WireError) -> ReceivedEvent {
        guard let id = ReplayID(bytes: event.replayID) else {
            throw .invalid("an event has no valid replay id", channel: channel)
        }
        let content = event.event ?? PubSub.ProducerEvent()
        var payload: JSONValue
        do throws(AvroError) {
            payload = try reader.read(content.payload)
            if let bitmaps, let fields = payload.object, let header = fields["ChangeEventHeader"]?.object {
                payload = JSONValue(try Self.change(fields, header, bitmaps))
            }
        } catch {
            throw .invalid("an event does not fit its schema: \(error)", channel: channel)
        }
        return ReceivedEvent(channel: channel, replayID: id, payload: payload, schema: self.id, uuid: content.id)
    }

    /// Returns the fields of a change as CometD has them: names instead of bitmaps, and only fields that changed.
    private static func change(
        _ fields: JSONObject, _ header: JSONObject, _ bitmaps: FieldBitmaps
    ) throws(AvroError) -> JSONObject {
        var header = header
        var names: [String: [String]] = [:]
        for list in ["changedFields", "nulledFields", "diffFields"] {
            guard let texts = header[list]?.array else { continue }
            let found = try bitmaps.names(texts.compactMap(\.string))
            names[list] = found
            header[list] = JSONValue(JSONArray(found.map { JSONValue($0) }))
        }
        // A field that did not change is null, as is one that was set to null.
        let changed = Set(names["changedFields"] ?? []).union(names["nulledFields"] ?? [])
        let differences = Set(names["diffFields"] ?? [])
        func kept(_ value: JSONValue, _ name: String) -> JSONValue? {
            if value.isNull, !changed.contains(name) { return JSONValue?.none }
            return differences.contains(name) ? ["diff": value] : value
        }
        var members: [JSONObject.Element] = [(key: "ChangeEventHeader", value: JSONValue(header))]
        for (name, value) in fields where name != "ChangeEventHeader" {
            guard let parts = value.object else {
                if let value = kept(value, name) { members.append((key: name, value: value)) }
                continue
            }
            let inner = parts.compactMap { part in
                kept(part.value, "\(name).\(part.key)").map { (key: part.key, value: $0) }
            }
            if !inner.isEmpty { members.append((key: name, value: JSONValue(JSONObject(members: inner)))) }
        }
        return JSONObject(members: members)
    }
}

/// The schemas that a client has read, which never change.
final class EventSchemas: Sendable {
    /// The number of schemas at which all are dropped, which exceeds the number of an app's events.
    private static let most = 1_000

    private let schemas = Mutex<[String: EventSchema]>([:])

    /// Returns a schema, which `load` reads as text the first time.
    func schema(
        _ id: String, _ load: (String) async throws(WireError) -> String
    ) async throws(WireError) -> EventSchema {
        if let known = schemas.withLock({ $0[id] }) { return known }
        let schema = try EventSchema(id, parsing: try await load(id))
        schemas.withLock { schemas in
            if schemas.count >= Self.most { schemas = [:] }
            schemas[id] = schema
        }
        return schema
    }
}
