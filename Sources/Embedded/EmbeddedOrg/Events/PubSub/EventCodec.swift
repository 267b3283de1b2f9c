// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestJSON

/// Converts the payloads of one schema between JSON and Avro.
struct EventCodec: Sendable {
    let id: String
    /// The schema as JSON text.
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
        guard var members = (try? JSONValue(parsing: event.payload))?.object else { return nil }
        if var header = members["ChangeEventHeader"]?.object {
            let more = try? JSONValue(parsing: event.detail)
            for name in ["changedFields", "nulledFields", "diffFields"] {
                let names = (header[name] ?? more?[name])?.array?.compactMap(\.string) ?? []
                guard let texts = try? bitmaps?.bitmaps(names) else { return nil }
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
