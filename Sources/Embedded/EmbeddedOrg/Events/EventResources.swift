// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore

/// `/event/eventSchema/ID`, `/sobjects/T/eventSchema` and `/sobjects/StreamingChannel/ID/push`.
struct EventResources {
    let bus: EventBus
    let describes: DescribeResources
    let store: RecordStore

    private static let mostPushed = 100

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        guard call.rest.count == 3, call.rest[1].lowercased() == "eventschema" else { throw .notFound }
        return try schema(bus.schemas.schema(id: call.rest[2]), call)
    }

    /// Handles a resource of an event object below `/sobjects`, or returns `nil` for another resource.
    func object(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse? {
        let (name, resource) = (call.rest[1], call.rest.count > 2 ? call.rest[2].lowercased() : "")
        if call.rest.count == 4, name.lowercased() == "streamingchannel", call.rest[3].lowercased() == "push" {
            return try push(call)
        }
        let changed = EventChannel.object(ofChanges: name, bus.schema)
        guard call.rest.count == 3 else { return nil }
        if resource == "eventschema" {
            let topic = changed.map { EventChannel.topic(ofChangesOf: $0.name) } ?? bus.schema.object(named: name)?.name
            return try schema(topic.flatMap { bus.schemas.schema(ofTopic: $0) }, call)
        }
        guard let changed, resource == "describe", bus.schema.object(named: name) == nil else { return nil }
        try call.allow("GET")
        let event = SObjectSchema(
            name: EventChannel.topic(ofChangesOf: changed.name), label: "\(changed.label) Change Event",
            labelPlural: "\(changed.label) Change Events", keyPrefix: "",
            fields: FieldSchema.event.prefix(1) + changed.eventPaths.map(\.field), childRelationships: [],
            abilities: [])
        return .json(200, describes.describe(event, call.version, nil))
    }

    private func schema(_ found: EventSchema?, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        guard let found else { throw .notFound }
        switch call.path.parameter("payloadFormat")?.uppercased() ?? "EXPANDED" {
        case "EXPANDED": return .json(200, Array(found.expanded.utf8))
        case "COMPACT": return .json(200, Array(found.compact.utf8))
        default: throw OrgError("INVALID_FIELD", "payloadFormat is EXPANDED or COMPACT")
        }
    }

    private func push(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("POST")
        guard let channel = bus.schema.object(named: "StreamingChannel"), let name = channel.field(named: "Name"),
            let topic = try store.text(name, call.rest[2], of: channel)
        else { throw .notFound }
        guard let events = try RecordInput.members(call.request.body)["pushEvents"]?.array, !events.isEmpty else {
            throw .invalidInput("pushEvents must be a list of events.")
        }
        guard events.count <= Self.mostPushed else {
            throw .invalidInput("A request publishes at most \(Self.mostPushed) events.")
        }
        var payloads: [[UInt8]] = []
        for event in events {
            guard let payload = event["payload"] else { throw .invalidInput("An event needs a payload.") }
            payloads.append(payload.bytes())
        }
        try bus.publish(payloads, to: topic, store.database)
        return .list(payloads) { writer, _ in
            writer.object { writer in
                // Salesforce counts only the users of events that name them.
                writer.member("fanoutCount", -1)
                writer.member("userOnlineStatus", object: [])
            }
        }
    }
}

/// The response to an event that was published, which has no record.
struct EventReceipt {
    let id: String
    let uuid: String

    init(_ uuid: String, of object: SObjectSchema) {
        let number = Digest.sha256(uuid.utf8).prefix(5).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        (self.uuid, id) = (uuid, RecordID.make(prefix: object.keyPrefix, number: number))
    }

    /// Writes the list of errors, which has an entry even though the event was published.
    func write(to writer: inout JSONWriter) {
        writer.member("errors", list: [uuid]) { writer, uuid in
            writer.object { writer in
                writer.member("statusCode", "OPERATION_ENQUEUED")
                writer.member("message", uuid)
                writer.member("fields", list: [])
            }
        }
    }
}

extension ServerRequest {
    /// The API and the client of a request, as change events name them.
    var changeOrigin: String {
        guard ["POST", "PATCH", "PUT", "DELETE"].contains(method),
            let version = path.flatMap({ $0.segments.dropFirst(2).first })?.removing(prefix: "v")
        else { return "" }
        let options = (fields["Sforce-Call-Options"] ?? "").split(anyOf: ",; ")
        let client = options.compactMap { $0.removing(prefix: "client=") }.first
        return "com/salesforce/api/rest/\(version)" + (client.map { ";client=\($0)" } ?? "")
    }
}

extension RecordStore {
    /// Creates a record, or publishes an event with a receipt.
    func save(
        _ members: JSONObject, of object: SObjectSchema
    ) throws(OrgError) -> (id: String, receipt: EventReceipt?) {
        let id = try create(members, of: object)
        guard object.publishing != nil else { return (id, nil) }
        let receipt = EventReceipt(id, of: object)
        return (receipt.id, receipt)
    }
}
