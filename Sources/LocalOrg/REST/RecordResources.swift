// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/sobjects/T`, `/sobjects/T/ID` and `/sobjects/T/FIELD/VALUE`.
struct RecordResources: Sendable {
    var store: RecordStore
    let describes: DescribeResources
    let recents: RecentRecords

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard let object = store.schema.object(named: call.rest[1]) else { throw .notFound }
        switch call.rest.count {
        case 2: return try collection(call, object)
        case 3 where call.method == "POST" && call.rest[2] == "Id":
            let id = try store.create(call.request.body, of: object)
            return saved(201, id, isNew: true)
        case 3: return try record(call, object, call.rest[2])
        case 4: return try byExternalID(call, object)
        default: throw .notFound
        }
    }

    private func collection(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "POST")
        guard call.method == "POST" else { return basics(object, call) }
        return created(try store.create(try members(call.request), of: object), object, call.version)
    }

    /// The members of a record, with a file in one of them if the body has several parts.
    private func members(_ request: ServerRequest) throws(OrgFault) -> JSONObject {
        request.mediaType == "multipart/form-data"
            ? try MultipartRecord(request).members : try RecordInput.members(request.body)
    }

    private func basics(_ object: SObjectSchema, _ call: RESTRouter.Call) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("objectDescribe")
        writer.beginObject()
        describes.head(of: object, call.version, &writer)
        writer.endObject()
        writer.endObject()
        let items = recentItems(call, limit: RecentRecords.capacity) { $0.name == object.name }
        return .json(200, writer.bytes.dropLast() + Array(#","recentItems":"#.utf8) + items + Array("}".utf8))
    }

    private func created(_ id: String, _ object: SObjectSchema, _ version: APIVersion) -> ServerResponse {
        var response = saved(201, id)
        response.fields.append(("Location", "\(version.path)/sobjects/\(object.name)/\(id)"))
        return response
    }

    private func saved(_ status: Int, _ id: String, isNew: Bool? = nil) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("success", true)
        writer.key("errors")
        writer.beginArray()
        writer.endArray()
        if let isNew { writer.member("created", isNew) }
        writer.endObject()
        return .json(status, writer.bytes)
    }

    func record(
        _ call: RESTRouter.Call, _ object: SObjectSchema, _ id: String
    ) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "PATCH", "DELETE")
        switch call.method {
        case "PATCH":
            try store.update(id, with: try members(call.request), of: object, if: Preconditions(call.request.fields))
            return .empty(204)
        case "DELETE":
            try store.delete(id, of: object)
            return .empty(204)
        default: return try read(call, object, id)
        }
    }

    private func read(_ call: RESTRouter.Call, _ object: SObjectSchema, _ id: String) throws(OrgFault) -> ServerResponse
    {
        var fields = object.fields
        if let names = call.path.parameter("fields") {
            fields = []
            for name in names.split(separator: ",") {
                let name = name.split(separator: " ").joined(separator: " ")
                guard let field = object.field(named: name) else { throw .unknownColumn(name, of: object.name) }
                fields.append(field)
            }
        }
        let facts = try store.facts(id, of: object)
        guard try Preconditions(call.request.fields).isWanted(facts) else {
            return facts.mark(.empty(304))
        }
        return facts.mark(.json(200, try store.read(id, fields, of: object, version: call.version)))
    }

    /// The bytes of a file.
    func blob(_ id: String, _ field: FieldSchema, of object: SObjectSchema) throws(OrgFault) -> ServerResponse {
        guard let bytes = try store.blob(id, field, of: object) else { throw .notFound }
        return ServerResponse(status: 200, fields: [("Content-Type", "application/octetstream")], body: bytes)
    }

    private func byExternalID(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgFault) -> ServerResponse {
        let (name, value) = (call.rest[2], call.rest[3])
        // An empty value is no external id.
        guard !value.isEmpty else { throw .notFound }
        guard let key = object.field(named: name), key.isExternalId || key.type == .id else {
            throw OrgFault(
                404, "NOT_FOUND",
                "Provided external ID field does not exist or is not accessible: \(name.prefix(100))")
        }
        try call.allow("GET", "PATCH", "DELETE")
        guard call.method == "PATCH" else {
            return try record(call, object, try store.id(key, value, of: object))
        }
        // Throws where there is none, which would be created otherwise.
        if call.path.parameter("updateOnly") == "true" { _ = try store.id(key, value, of: object) }
        let (id, isNew) = try store.upsert(key, value, with: call.request.body, of: object)
        if !isNew, call.version.number < 46 { return .empty(204) }
        return isNew
            ? saved(201, id, isNew: true) : saved(200, id, isNew: false)
    }
}

extension RecordFacts {
    /// The answer with what the next condition needs.
    func mark(_ response: ServerResponse) -> ServerResponse {
        var response = response
        if let date = HTTPDate(secondsSince1970: modifiedSeconds).text {
            response.fields.append(("Last-Modified", date))
        }
        if let entityTag { response.fields.append(("ETag", entityTag)) }
        return response
    }
}
