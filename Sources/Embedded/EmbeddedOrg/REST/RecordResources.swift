// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore
import SOQLSyntax

/// `/sobjects/T`, `/sobjects/T/ID` and `/sobjects/T/FIELD/VALUE`.
struct RecordResources: Sendable {
    var store: RecordStore
    let describes: DescribeResources

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        guard let object = store.schema.object(named: call.rest[1]) else { throw .notFound }
        switch call.rest.count {
        case 2: return try collection(call, object)
        case 3 where call.method == "POST" && object.externalID(named: call.rest[2]) != nil:
            // An upsert without a value creates a record.
            try beginUse(call)
            let id = try store.create(try RecordInput.members(call.request.body), of: object)
            return note(saved(201, id, isNew: true), call)
        case 3: return try record(call, object, call.rest[2])
        case 4: return try byExternalID(call, object)
        default: throw .notFound
        }
    }

    private func collection(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        try call.allow("GET", "POST")
        guard call.method == "POST" else { return try basics(object, call) }
        try beginUse(call)
        let (id, receipt) = try store.save(try members(call.request), of: object)
        if let receipt {
            return .object(201) { writer in
                writer.member("id", id)
                writer.member("success", true)
                receipt.write(to: &writer)
            }
        }
        return note(created(id, object, call.version), call)
    }

    /// Returns the members of a record, including the file of a multipart body.
    private func members(_ request: ServerRequest) throws(OrgError) -> JSONObject {
        request.mediaType == "multipart/form-data"
            ? try MultipartRecord(request).members : try RecordInput.members(request.body)
    }

    private func basics(_ object: SObjectSchema, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let items = try recentItems(call, limit: RecentRecords.capacity) { $0.name == object.name }
        return .object { writer in
            writer.member("objectDescribe") { describes.head(of: object, call.version, &$0) }
            writer.member("recentItems", json: items)
        }
    }

    private func created(_ id: String, _ object: SObjectSchema, _ version: APIVersion) -> ServerResponse {
        var response = saved(201, id)
        response.fields.append(("Location", "\(version.path)/sobjects/\(object.name)/\(id)"))
        return response
    }

    private func saved(_ status: Int, _ id: String, isNew: Bool? = nil) -> ServerResponse {
        .object(status) { writer in
            writer.member("id", id)
            writer.member("success", true)
            writer.member("errors", list: [])
            if let isNew { writer.member("created", isNew) }
        }
    }

    func record(
        _ call: RESTRouter.Call, _ object: SObjectSchema, _ id: String
    ) throws(OrgError) -> ServerResponse {
        try call.allow("GET", "PATCH", "DELETE")
        switch call.method {
        case "PATCH":
            try beginUse(call)
            let conditions = try Preconditions(call.request.fields)
            try store.update(
                id, with: try members(call.request), of: object, if: conditions.write(of: object, in: store))
            noteUse(of: id, call)
            return .empty(204)
        case "DELETE":
            let conditions = try Preconditions(call.request.fields)
            guard object.abilities.contains(.delete) else {
                throw .methodNotAllowed(
                    "DELETE", ["GET", "HEAD"] + (object.abilities.contains(.update) ? ["PATCH"] : []))
            }
            try store.delete(id, of: object, if: conditions.write(of: object, in: store))
            return .empty(204)
        default: return try read(call, object, id)
        }
    }

    private func read(_ call: RESTRouter.Call, _ object: SObjectSchema, _ id: String) throws(OrgError) -> ServerResponse
    {
        var fields = object.fields
        if let names = call.path.parameter("fields") {
            fields = []
            for name in names.split(byte: ",") {
                let name = name.split(byte: " ").joined(separator: " ")
                guard let field = object.field(named: name) else { throw .unknownColumn(name, of: object.name) }
                fields.append(field)
            }
        }
        let facts = try store.facts(id, of: object)
        guard try Preconditions(call.request.fields).isWanted(facts) else {
            return facts.mark(.empty(304))
        }
        return facts.mark(.json(200, try store.read(id, fields, of: object, below: call.version.path)))
    }

    func blob(
        _ id: String, _ field: FieldSchema, of object: SObjectSchema, to request: ServerRequest
    ) throws(OrgError) -> ServerResponse {
        guard let blob = try store.blob(id, field, of: object) else { throw .notFound }
        return try blob.response(to: request, type: "application/octetstream", store.database)
    }

    private func byExternalID(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        let (name, value) = (call.rest[2], call.rest[3])
        // An empty value is not an external ID.
        guard !value.isEmpty else { throw .notFound }
        guard let key = object.externalID(named: name) else { throw .noExternalID(name) }
        try call.allow("GET", "PATCH", "DELETE")
        do throws(OrgError) {
            return try byExternalID(call, object, key, value)
        } catch {
            guard error.code == "DUPLICATE_EXTERNAL_ID" else { throw error }
            let paths = error.choices.map { JSONValue("\(call.version.path)/sobjects/\(object.name)/\($0)") }
            return .json(300, value: JSONValue(JSONArray(paths)))
        }
    }

    private func byExternalID(
        _ call: RESTRouter.Call, _ object: SObjectSchema, _ key: FieldSchema, _ value: String
    ) throws(OrgError) -> ServerResponse {
        guard call.method == "PATCH" else {
            return try record(call, object, try store.id(key, value, of: object))
        }
        try beginUse(call)
        let (id, isNew) = try store.upsert(
            key, key.value(of: value), with: try members(call.request), of: object,
            isUpdateOnly: call.path.parameter("updateOnly")?.lowercased() == "true",
            if: try Preconditions(call.request.fields).write(of: object, in: store))
        noteUse(of: id, call)
        if !isNew, !call.version.has(.upsertBody) { return .empty(204) }
        return saved(isNew ? 201 : 200, id, isNew: isNew)
    }

    /// Moves a write to another thread if its record is then marked as viewed.
    private func beginUse(_ call: RESTRouter.Call) throws(OrgError) {
        if call.countsUse { try store.database.beginLongWork() }
    }

    /// Marks a record as viewed if the caller asked for it.
    ///
    /// The write is finished, so an error does not change the response.
    private func noteUse(of id: String, _ call: RESTRouter.Call) {
        guard call.countsUse, let id = RecordID.normalized(id) else { return }
        try? RecentRecords(database: store.database).note([id], .view, by: call.userID)
    }

    private func note(_ response: ServerResponse, _ call: RESTRouter.Call) -> ServerResponse {
        if let id = (try? JSONValue(parsing: response.body))?["id"]?.string { noteUse(of: id, call) }
        return response
    }
}

extension RESTRouter.Call {
    /// Whether written records become the user's recent records.
    fileprivate var countsUse: Bool {
        request.fields["Sforce-Mru"].map { $0.split(byte: " ").joined().lowercased() } == "updatemru=true"
    }
}

extension SObjectSchema {
    /// Returns the field that may identify records in a path: an external ID or the ID.
    func externalID(named name: String) -> FieldSchema? {
        field(named: name).flatMap { $0.isExternalId || $0.type == .id ? $0 : nil }
    }
}

extension OrgError {
    static func noExternalID(_ name: String) -> OrgError {
        OrgError(
            "NOT_FOUND", "Provided external ID field does not exist or is not accessible: \(name.prefix(100))")
    }
}

extension RecordFacts {
    func mark(_ response: ServerResponse) -> ServerResponse {
        var response = response
        if let date = modifiedSeconds.flatMap({ HTTPDate(secondsSince1970: $0).text }) {
            response.fields.append(("Last-Modified", date))
        }
        if let entityTag { response.fields.append(("ETag", entityTag)) }
        return response
    }
}

extension RecordResources {
    /// `/recent`: the user's recently viewed records of all objects.
    func recent(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let text = call.path.parameter("limit")
        let limit = text.map { Int(outside: $0, in: .count) } ?? RecentRecords.capacity
        guard let limit, (1...RecentRecords.capacity).contains(limit) else {
            throw OrgError("INVALID_QUERY_SCOPE", "limit is a number from 1 to \(RecentRecords.capacity)")
        }
        return .json(200, try recentItems(call, limit: limit) { _ in true })
    }

    /// Returns a JSON array of recently viewed records with ID and name, without deleted records.
    func recentItems(
        _ call: RESTRouter.Call, limit: Int, _ isWanted: (SObjectSchema) -> Bool
    ) throws(OrgError) -> [UInt8] {
        var items: [[UInt8]] = []
        for id in try RecentRecords(database: store.database).ids(of: call.userID) where items.count < limit {
            guard let object = store.schema.objects.first(where: { id.hasBytes(prefix: $0.keyPrefix) }),
                isWanted(object)
            else { continue }
            let fields = object.fields.filter { $0.name == "Id" || $0.isNameField }
            guard let item = try? store.read(id, fields, of: object, below: call.version.path) else { continue }
            items.append(item)
        }
        return Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    }
}
