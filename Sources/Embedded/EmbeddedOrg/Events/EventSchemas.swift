// SPDX-License-Identifier: Apache-2.0

import EventWire
import LocalServer
import RestBase
import RestJSON
import SOQLStore
import Synchronization

/// The schemas of events, each made when it is first needed.
final class EventSchemas: Sendable {
    private let schema: Schema
    private let known = Mutex<[String: EventSchema]>([:])

    init(_ schema: Schema) { self.schema = schema }

    /// Returns the schema of a topic, or `nil` for a topic without one: PushTopics and generic channels.
    func schema(ofTopic topic: String) -> EventSchema? {
        if let known = known.withLock({ $0[topic] }) { return known }
        let made =
            schema.event(named: topic).map { EventSchema(topic, ofEvent: $0) }
            ?? EventChannel.object(ofChanges: topic, schema).map { EventSchema(topic, ofChanges: $0) }
        if let made { known.withLock { $0[topic] = made } }
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
}

/// The Avro schema of the events of a topic, and the conversion of their payloads between JSON and Avro.
final class EventSchema: Sendable {
    /// The ID, which depends on the fields.
    let id: String
    let name: String
    /// The paths of an object's fields in its change events, by the names of the fields.
    let paths: [String: String]
    /// The JSON of the schema of the payload alone, which the Pub/Sub API uses.
    let compact: String
    /// The JSON of the fields.
    private let fields: String
    /// The codec, or `nil` if Avro does not allow the schema.
    private let avro: (reader: AvroReader, writer: AvroWriter, bitmaps: FieldBitmaps?)?

    private static let header = "ChangeEventHeader"

    private init(_ name: String, _ fields: [JSONValue], _ paths: [String: String]) {
        (self.name, self.paths) = (name, paths)
        self.fields = String(decoding: JSONValue(JSONArray(fields)).bytes(), as: UTF8.self)
        let content = JSONValue(JSONArray([JSONValue(name)] + fields)).bytes()
        id = Base64.encodeForURL(Array(Digest.sha256(content).prefix(16)))
        compact = """
            {"name":"\(name)","namespace":"com.sforce.eventbus","type":"record","fields":\(self.fields),"uuid":"\(id)"}
            """
        let isOfChanges = fields.first?["name"]?.string == Self.header
        avro = (try? AvroSchema(parsing: compact)).map { schema in
            (AvroReader(schema, timesAsText: true), AvroWriter(schema), isOfChanges ? FieldBitmaps(schema) : nil)
        }
    }

    /// The JSON of the schema of a whole message of CometD.
    var expanded: String {
        """
        {"name":"\(name)","namespace":"com.sforce.eventbus","type":"expanded-record","fields":[
        {"name":"data","type":{"type":"record","name":"Data","namespace":"","fields":[
        {"name":"schema","type":"string"},
        {"name":"payload","type":{"type":"record","name":"Payload","doc":"","fields":\(fields)}},
        {"name":"event","type":{"type":"record","name":"Event","fields":[{"name":"replayId","type":"long"}]}}]}},
        {"name":"channel","type":"string"}],"uuid":"\(id)"}
        """
    }

    fileprivate convenience init(_ name: String, ofEvent object: SObjectSchema) {
        let own: Set<String> = Set((FieldSchema.audit + FieldSchema.event).map(\.name)).union(["Id"])
        let fields = object.fields.filter { !own.contains($0.name) && !$0.type.isCompound }
        let first: [JSONValue] = [
            ["name": "CreatedDate", "type": "long", "doc": "CreatedDate:DateTime"],
            ["name": "CreatedById", "type": "string", "doc": "CreatedBy:EntityId"],
        ]
        self.init(name, first + fields.map { Self.entry($0.name, $0, isNillable: $0.isNillable) }, [:])
    }

    fileprivate convenience init(_ name: String, ofChanges object: SObjectSchema) {
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
            name, [["name": JSONValue(Self.header), "type": Self.headerType]] + fields,
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

    private static let headerType: JSONValue = {
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

extension EventSchema {
    /// Returns a payload in Avro, or `nil` if it does not fit the schema.
    func encoded(_ payload: [UInt8]) -> [UInt8]? {
        guard let payload = try? JSONValue(parsing: payload) else { return nil }
        guard let bitmaps = avro?.bitmaps, var members = payload.object, var header = members[Self.header]?.object
        else { return try? avro?.writer.bytes(of: payload) }
        var lists: [String: [String]] = [:]
        lists["changedFields"] = header["changedFields"]?.array?.compactMap(\.string)
        for (name, value) in members where name != Self.header {
            if let difference = value["diff"] {
                // The text of a difference is the value itself.
                members[name] = difference
                lists["diffFields", default: []].append(name)
            }
            if value.isNull { lists["nulledFields", default: []].append(name) }
            let parts = value.object?.filter { $0.value.isNull } ?? []
            lists["nulledFields", default: []] += parts.map { "\(name).\($0.key)" }
        }
        for list in ["changedFields", "nulledFields", "diffFields"] {
            guard let texts = try? bitmaps.bitmaps(lists[list] ?? []) else { return nil }
            header[list] = JSONValue(JSONArray(texts.map { JSONValue($0) }))
        }
        members[Self.header] = JSONValue(header)
        return try? avro?.writer.bytes(of: JSONValue(members))
    }

    /// Returns the members of a record for a payload in Avro.
    func members(of payload: [UInt8]) throws(AvroError) -> JSONObject {
        guard let avro else { throw AvroError(.invalidSchema) }
        // The org sets these two fields.
        let (own, given) = (["CreatedDate", "CreatedById"], try avro.reader.read(payload).object ?? JSONObject())
        return JSONObject(members: given.filter { !$0.value.isNull && !own.contains($0.key) })
    }
}
