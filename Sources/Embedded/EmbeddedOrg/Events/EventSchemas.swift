// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
package import RestJSON
import SOQLStore
import Synchronization

/// The Avro schemas of events, each made when it is first needed.
package final class EventSchemas: Sendable {
    private let schema: Schema
    private let state = Mutex(State())

    private struct State {
        var schemas: [String: EventSchema] = [:]
        var paths: [String: [String: String]] = [:]
    }

    init(_ schema: Schema) {
        self.schema = schema
    }

    /// Returns the schema of a topic, or `nil` for a topic without one: PushTopics and generic channels.
    package func schema(ofTopic topic: String) -> EventSchema? {
        if let known = state.withLock({ $0.schemas[topic] }) { return known }
        let made: EventSchema
        if let object = schema.object(named: topic), object.publishing != nil {
            made = EventSchema(topic, fields: EventSchema.fields(ofEvent: object))
        } else if let object = EventChannel.object(ofChanges: topic, schema) {
            made = EventSchema(topic, fields: EventSchema.fields(ofChanges: object))
        } else {
            return nil
        }
        state.withLock { $0.schemas[topic] = made }
        return made
    }

    /// Returns the schema with an ID, or `nil` if no event has it.
    package func schema(id: String) -> EventSchema? {
        for object in schema.objects {
            let topic = object.publishing == nil ? EventChannel.topic(ofChangesOf: object.name) : object.name
            if let found = schema(ofTopic: topic), found.id == id { return found }
        }
        return nil
    }

    /// Returns the paths of an object's fields in its change events, by the names of the fields.
    func paths(of object: SObjectSchema) -> [String: String] {
        if let known = state.withLock({ $0.paths[object.name] }) { return known }
        let made = Dictionary(object.eventPaths.map { ($0.field.name, $0.path) }) { first, _ in first }
        state.withLock { $0.paths[object.name] = made }
        return made
    }
}

/// The Avro schema of an event.
package struct EventSchema: Sendable {
    /// The ID, which depends on the fields.
    package let id: String
    /// The topic of the events.
    package let name: String
    private let fields: [JSONValue]

    private static let namespace: JSONValue = "com.sforce.eventbus"

    init(_ name: String, fields: [JSONValue]) {
        (self.name, self.fields) = (name, fields)
        let content = JSONValue(JSONArray([JSONValue(name)] + fields)).bytes()
        id = Base64.encodeForURL(Array(Digest.sha256(content).prefix(16)))
    }

    /// The schema of the payload alone, which the Pub/Sub API uses.
    package var compact: JSONValue {
        [
            "name": JSONValue(name), "namespace": Self.namespace, "type": "record",
            "fields": JSONValue(JSONArray(fields)), "uuid": JSONValue(id),
        ]
    }

    /// The schema of a whole message of CometD.
    package var expanded: JSONValue {
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

    static func fields(ofEvent object: SObjectSchema) -> [JSONValue] {
        let own: Set<String> = Set((FieldSchema.audit + FieldSchema.event).map(\.name)).union(["Id"])
        var fields: [JSONValue] = [
            ["name": "CreatedDate", "type": "long", "doc": "CreatedDate:DateTime"],
            ["name": "CreatedById", "type": "string", "doc": "CreatedBy:EntityId"],
        ]
        for field in object.fields where !own.contains(field.name) && !field.type.isCompound {
            let required: JSONValue = ["name": JSONValue(field.name), "type": type(of: field), "doc": doc(of: field)]
            fields.append(field.isNillable ? nillable(field.name, type(of: field), doc: field) : required)
        }
        return fields
    }

    static func fields(ofChanges object: SObjectSchema) -> [JSONValue] {
        var fields: [JSONValue] = [["name": "ChangeEventHeader", "type": header]]
        var compounds: [(name: Substring, fields: [JSONValue])] = []
        var places: [(position: Int, compound: Int)] = []
        for (field, path) in object.eventPaths {
            guard let (parent, name) = path.cut(byte: ".") else {
                fields.append(nillable(path, type(of: field), doc: field))
                continue
            }
            let index = compounds.firstIndex { $0.name == parent } ?? compounds.count
            if index == compounds.count {
                compounds.append((parent, []))
                places.append((fields.count, index))
                fields.append(.null)
            }
            compounds[index].fields.append(nillable(String(name), type(of: field), doc: field))
        }
        for (position, index) in places {
            let compound = compounds[index]
            let record: JSONValue = [
                "type": "record", "name": JSONValue("\(object.name)_\(compound.name)"),
                "fields": JSONValue(JSONArray(compound.fields)),
            ]
            fields[position] = ["name": JSONValue(String(compound.name)), "type": ["null", record], "default": nil]
        }
        return fields
    }

    private static func nillable(_ name: String, _ type: JSONValue, doc field: FieldSchema) -> JSONValue {
        ["name": JSONValue(name), "type": ["null", type], "doc": doc(of: field), "default": nil]
    }

    private static func doc(of field: FieldSchema) -> JSONValue {
        JSONValue("Data:\(field.type.rawValue):\(field.name)")
    }

    /// Returns the Avro type of a field, in which dates and times are milliseconds.
    private static func type(of field: FieldSchema) -> JSONValue {
        switch field.type {
        case .boolean: "boolean"
        case .int: "int"
        case .double, .currency, .percent: "double"
        case .date, .datetime, .time: "long"
        case .id, .reference, .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox,
            .encryptedstring, .base64, .location, .address:
            "string"
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
