// SPDX-License-Identifier: Apache-2.0

import EventWire
import LocalServer
import RestBase
import RestJSON
import SOQLStore
import Synchronization

/// The Avro schemas of events and their codecs, each made when it is first needed.
final class EventSchemas: Sendable {
    private let schema: Schema
    private let state = Mutex((schemas: [String: EventSchema](), codecs: [String: EventCodec]()))

    init(_ schema: Schema) { self.schema = schema }

    /// Returns the schema of a topic, or `nil` for a topic without one: PushTopics and generic channels.
    func schema(ofTopic topic: String) -> EventSchema? {
        if let known = state.withLock({ $0.schemas[topic] }) { return known }
        let made =
            schema.event(named: topic).map { EventSchema(topic, ofEvent: $0) }
            ?? EventChannel.object(ofChanges: topic, schema).map { EventSchema(topic, ofChanges: $0) }
        if let made { state.withLock { $0.schemas[topic] = made } }
        return made
    }

    /// Returns the schema with an ID, or `nil` if no event has it.
    func schema(id: String) -> EventSchema? {
        for object in schema.objects {
            let topic = object.publishing == nil ? EventChannel.topic(ofChangesOf: object.name) : object.name
            if let found = schema(ofTopic: topic), found.id == id { return found }
        }
        return nil
    }

    /// Returns the codec of a topic, or `nil` if its events have no schema.
    func codec(ofTopic topic: String) -> EventCodec? {
        if let known = state.withLock({ $0.codecs[topic] }) { return known }
        guard let schema = schema(ofTopic: topic), let made = try? EventCodec(schema) else { return nil }
        state.withLock { $0.codecs[topic] = made }
        return made
    }
}

struct EventSchema: Sendable {
    /// The ID, which depends on the fields.
    let id: String
    let name: String
    /// The paths of an object's fields in its change events, by the names of the fields.
    let paths: [String: String]
    private let fields: [JSONValue]

    private static let namespace: JSONValue = "com.sforce.eventbus"

    private init(_ name: String, _ fields: [JSONValue], _ paths: [String: String]) {
        (self.name, self.fields, self.paths) = (name, fields, paths)
        let content = JSONValue(JSONArray([JSONValue(name)] + fields)).bytes()
        id = Base64.encodeForURL(Array(Digest.sha256(content).prefix(16)))
    }

    /// The schema of the payload alone, which the Pub/Sub API uses.
    var compact: JSONValue {
        [
            "name": JSONValue(name), "namespace": Self.namespace, "type": "record",
            "fields": JSONValue(JSONArray(fields)), "uuid": JSONValue(id),
        ]
    }

    /// The schema of a whole message of CometD.
    var expanded: JSONValue {
        let payload: JSONValue = [
            "type": "record", "name": "Payload", "doc": "", "fields": JSONValue(JSONArray(fields)),
        ]
        let event: JSONValue = [
            "type": "record", "name": "Event", "fields": [["name": "replayId", "type": "long"]],
        ]
        let data: JSONValue = [
            "type": "record", "name": "Data", "namespace": "",
            "fields": [
                ["name": "schema", "type": "string"], ["name": "payload", "type": payload],
                ["name": "event", "type": event],
            ],
        ]
        return [
            "name": JSONValue(name), "namespace": Self.namespace, "type": "expanded-record",
            "fields": [["name": "data", "type": data], ["name": "channel", "type": "string"]],
            "uuid": JSONValue(id),
        ]
    }

    fileprivate init(_ name: String, ofEvent object: SObjectSchema) {
        let own: Set<String> = Set((FieldSchema.audit + FieldSchema.event).map(\.name)).union(["Id"])
        let fields = object.fields.filter { !own.contains($0.name) && !$0.type.isCompound }
        let first: [JSONValue] = [
            ["name": "CreatedDate", "type": "long", "doc": "CreatedDate:DateTime"],
            ["name": "CreatedById", "type": "string", "doc": "CreatedBy:EntityId"],
        ]
        self.init(name, first + fields.map { Self.entry($0.name, $0, isNillable: $0.isNillable) }, [:])
    }

    fileprivate init(_ name: String, ofChanges object: SObjectSchema) {
        let paths = object.eventPaths
        let fields = EventFields.grouped(paths.map { (path: $0.path, value: $0.field) }).map { group -> JSONValue in
            guard group.isCompound else { return Self.entry(group.name, group.parts[0].value) }
            let record: JSONValue = [
                "type": "record", "name": JSONValue("\(object.name)_\(group.name)"),
                "fields": JSONValue(JSONArray(group.parts.map { Self.entry($0.name, $0.value) })),
            ]
            return ["name": JSONValue(group.name), "type": ["null", record], "default": nil]
        }
        self.init(
            name, [["name": "ChangeEventHeader", "type": Self.header]] + fields,
            Dictionary(paths.map { ($0.field.name, $0.path) }) { first, _ in first })
    }

    private static func entry(_ name: String, _ field: FieldSchema, isNillable: Bool = true) -> JSONValue {
        let (type, doc) = Self.type(of: field)
        var entry: JSONObject = [
            "name": JSONValue(name), "type": isNillable ? ["null", type] : type, "doc": JSONValue("Data:\(doc)"),
        ]
        if isNillable { entry["default"] = .null }
        return JSONValue(entry)
    }

    /// Returns the Avro type of a field, and the type for its documentation, which distinguishes dates from numbers.
    private static func type(of field: FieldSchema) -> (avro: JSONValue, doc: String) {
        switch field.type {
        case .boolean: ("boolean", "Boolean")
        case .int: ("int", "Integer")
        case .double: ("double", "Double")
        case .currency: ("double", "Currency")
        case .percent: ("double", "Percent")
        case .date: ("long", "DateOnly")
        case .datetime: ("long", "DateTime")
        case .time: ("long", "TimeOnly")
        case .id, .reference: ("string", "EntityId")
        case .picklist: ("string", "DynamicEnum")
        case .multipicklist: ("string", "MultiEnum")
        case .email: ("string", "Email")
        case .phone: ("string", "Phone")
        case .url: ("string", "Url")
        case .textarea: ("string", "StringPlusClob")
        case .string, .combobox, .encryptedstring, .base64, .location, .address: ("string", "Text")
        }
    }

    private static let header: JSONValue = {
        let text = """
            {"type":"record","name":"ChangeEventHeader","fields":[
            {"name":"entityName","type":"string"},
            {"name":"recordIds","type":{"type":"array","items":"string"}},
            {"name":"changeType","type":{"type":"enum","name":"ChangeType","symbols":["CREATE","UPDATE","DELETE",
            "UNDELETE","GAP_CREATE","GAP_UPDATE","GAP_DELETE","GAP_UNDELETE","GAP_OVERFLOW"]}},
            {"name":"changeOrigin","type":"string"},{"name":"transactionKey","type":"string"},
            {"name":"sequenceNumber","type":"int"},{"name":"commitTimestamp","type":"long"},
            {"name":"commitNumber","type":"long"},{"name":"commitUser","type":"string"},
            {"name":"nulledFields","type":{"type":"array","items":"string"}},
            {"name":"diffFields","type":{"type":"array","items":"string"}},
            {"name":"changedFields","type":{"type":"array","items":"string"}}]}
            """
        return (try? JSONValue(parsing: text)) ?? .null
    }()
}

/// Converts the payloads of one schema between JSON and Avro.
struct EventCodec: Sendable {
    let id: String
    let text: String
    private let reader: AvroReader
    private let writer: AvroWriter
    private let bitmaps: FieldBitmaps?

    init(_ event: EventSchema) throws(AvroError) {
        (id, text) = (event.id, String(decoding: event.compact.bytes(), as: UTF8.self))
        let schema = try AvroSchema(parsing: text)
        (reader, writer) = (AvroReader(schema, timesAsText: true), AvroWriter(schema))
        bitmaps = FieldBitmaps(schema)
    }

    /// Returns the payload of an event in Avro, or `nil` if it does not fit the schema.
    func payload(of event: StoredEvent) -> [UInt8]? {
        guard let payload = try? JSONValue(parsing: event.payload) else { return nil }
        guard bitmaps != nil else { return try? writer.bytes(of: payload) }
        guard var members = payload.object else { return nil }
        if var header = members["ChangeEventHeader"]?.object {
            let more = try? JSONValue(parsing: event.detail)
            for name in ["changedFields", "nulledFields", "diffFields"] {
                let names = (header[name] ?? more?[name])?.array?.compactMap(\.string) ?? []
                guard let texts = try? bitmaps?.bitmaps(names) else { return nil }
                // The text of a difference is the value itself.
                if name == "diffFields" { for name in names { members[name] = members[name]?["diff"] } }
                header[name] = JSONValue(JSONArray(texts.map { JSONValue($0) }))
            }
            members["ChangeEventHeader"] = JSONValue(header)
        }
        return try? writer.bytes(of: JSONValue(members))
    }

    /// Returns the members of a record for a payload in Avro.
    func members(of payload: [UInt8]) throws(AvroError) -> JSONObject {
        // The org sets the first two fields.
        let own = ["CreatedDate", "CreatedById"]
        let given = try reader.read(payload).object ?? JSONObject(members: [])
        return JSONObject(members: given.filter { !$0.value.isNull && !own.contains($0.key) })
    }
}
