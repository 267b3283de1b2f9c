// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestBase
import RestJSON
import SOQLStore
import Synchronization

/// Converts the payloads of one schema between JSON and Avro.
struct EventCodec: Sendable {
    let id: String
    /// The schema as JSON text.
    let text: String
    private let schema: AvroSchema
    private let reader: AvroReader
    private let writer: AvroWriter
    private let bitmaps: FieldBitmaps?

    init(_ event: EventSchema) throws(AvroError) {
        (id, text) = (event.id, String(decoding: event.compact.bytes(), as: UTF8.self))
        schema = try AvroSchema(parsing: text)
        (reader, writer, bitmaps) = (AvroReader(schema), AvroWriter(schema), FieldBitmaps(schema))
    }

    /// Returns the payload of an event in Avro, or `nil` if it does not fit the schema.
    func payload(of event: StoredEvent) -> [UInt8]? {
        guard var value = try? JSONValue(parsing: event.payload) else { return nil }
        if let members = value.object, let header = members["ChangeEventHeader"]?.object {
            guard let header = converted(header, event.detail) else { return nil }
            value = JSONValue(
                JSONObject(
                    members: members.map { (key: $0.key, value: $0.key == "ChangeEventHeader" ? header : $0.value) }))
        }
        return try? writer.bytes(of: fitted(value, schema.root))
    }

    /// Returns the header of a change event with all its lists, as bitmaps.
    private func converted(_ header: JSONObject, _ detail: String) -> JSONValue? {
        let more = (try? JSONValue(parsing: detail))?.object
        var members = header.filter { $0.key != "changedFields" }.map { (key: $0.key, value: $0.value) }
        for (name, names) in [
            ("changedFields", header["changedFields"]), ("nulledFields", more?["nulledFields"]),
            ("diffFields", more?["diffFields"]),
        ] {
            let names = names?.array?.compactMap(\.string) ?? []
            guard let texts = try? bitmaps?.bitmaps(names) else { return nil }
            members.append((key: name, value: JSONValue(JSONArray(texts.map { JSONValue($0) }))))
        }
        return JSONValue(JSONObject(members: members))
    }

    /// Returns a value in which times are milliseconds, as in the schema.
    private func fitted(_ value: JSONValue, _ type: AvroSchema.ID) -> JSONValue {
        switch schema.types[type] {
        case .union(let branches):
            guard !value.isNull, let branch = branches.last else { return value }
            return fitted(value, branch)
        case .record(let record):
            guard let members = value.object else { return value }
            return JSONValue(
                JSONObject(
                    members: members.map { member in
                        let field = record.positions[member.key].map { record.fields[$0] }
                        return (key: member.key, value: field.map { fitted(member.value, $0.type) } ?? member.value)
                    }))
        case .primitive(.long, _):
            guard let text = value.string else { return value }
            let isTime = text.utf8.dropFirst(2).first == UInt8(ascii: ":")
            guard let time = JSONTimestamp(isTime ? "1970-01-01T\(text)" : text) else { return value }
            return JSONValue(time.seconds * 1_000 + Int64(time.nanoseconds / 1_000_000))
        default: return value
        }
    }

    /// Returns the members of a record for a payload in Avro.
    func members(of payload: [UInt8], _ object: SObjectSchema) throws(AvroError) -> JSONObject {
        let value = try reader.read(payload)
        let given = (value.object ?? JSONObject(members: [])).filter { member in
            // The org sets both.
            !member.value.isNull && member.key != "CreatedDate" && member.key != "CreatedById"
        }
        return JSONObject(
            members: given.map { member in
                let type = object.field(named: member.key)?.type
                return (key: member.key, value: type.map { Self.wireValue(member.value, $0) } ?? member.value)
            })
    }

    /// The end of the year 9999, in milliseconds since 1970.
    private static let mostMilliseconds: Int64 = 253_402_300_799_999

    /// Returns a value as the API takes it, in which times are strings.
    private static func wireValue(_ value: JSONValue, _ type: FieldType) -> JSONValue {
        // The org rejects a number that is not a time of these years.
        guard let number = value.integer(as: Int64.self),
            (-Self.mostMilliseconds...Self.mostMilliseconds).contains(number)
        else {
            return value
        }
        switch type {
        case .date: return JSONValue(WireTime.date(days: Int64(Int(number).floorDivided(by: 86_400_000))))
        case .datetime: return JSONValue(WireTime.datetime(milliseconds: number))
        case .time:
            let text = WireTime.datetime(milliseconds: number)
            return JSONValue((text.cut(byte: "T")?.after.removing(suffix: "+0000")).map { "\($0)Z" } ?? text)
        default: return value
        }
    }
}

/// The codecs of an org's events, each made when it is first needed.
final class EventCodecs: Sendable {
    private let schemas: EventSchemas
    private let codecs = Mutex<[String: EventCodec]>([:])

    init(_ schemas: EventSchemas) { self.schemas = schemas }

    /// Returns the codec of a topic, or `nil` if its events have no schema.
    func codec(ofTopic topic: String) -> EventCodec? {
        if let known = codecs.withLock({ $0[topic] }) { return known }
        guard let schema = schemas.schema(ofTopic: topic), let made = try? EventCodec(schema) else { return nil }
        codecs.withLock { $0[topic] = made }
        return made
    }

    /// Returns the codec of a schema, or `nil` if no event has it.
    func codec(id: String) -> EventCodec? {
        schemas.schema(id: id).flatMap { codec(ofTopic: $0.name) }
    }
}
