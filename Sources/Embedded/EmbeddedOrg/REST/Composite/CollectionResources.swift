// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import SOQLStore

/// `/composite/sobjects`: up to 200 records in one call, each with its own result.
struct CollectionResources {
    let store: RecordStore

    /// The maximum number of records that a call writes or reads.
    private static let (mostWritten, mostRead) = (200, 2_000)

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        switch call.rest.count {
        case 2:
            try call.allow("POST", "PATCH", "DELETE")
            return call.method == "DELETE" ? try delete(call) : try write(call)
        case 3:
            try call.allow("GET", "POST")
            return try read(call, try object(call.rest[2]))
        case 4:
            try call.allow("PATCH")
            return try upsert(call, try object(call.rest[2]))
        default: throw .notFound
        }
    }

    private func object(_ name: String) throws(OrgError) -> SObjectSchema {
        guard let object = store.schema.object(named: name) else { throw .notFound }
        return object
    }

    private func delete(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let ids = (call.path.parameter("ids") ?? "").split(byte: ",").map(String.init)
        let isAllOrNone = call.path.parameter("allOrNone")?.lowercased() == "true"
        return try save(ids, isAllOrNone: isAllOrNone) { (id, store) throws(OrgError) in
            guard let object = store.schema.objects.first(where: { id.hasBytes(prefix: $0.keyPrefix) }) else {
                throw .malformedID(id)
            }
            try store.delete(id, of: object)
            return .init(id: id)
        }
    }

    private func write(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let input = try Input(call.request.body)
        let isCreate = call.method == "POST"
        return try save(input.records, isAllOrNone: input.isAllOrNone) { (record, store) throws(OrgError) in
            guard let type = record["attributes"]?["type"]?.string, let object = store.schema.object(named: type) else {
                throw OrgError("INVALID_TYPE", "A record needs attributes with the type of an object.")
            }
            let (members, id) = Self.split(record, at: "Id")
            if isCreate, id == nil {
                let saved = try store.save(members, of: object)
                return .init(id: saved.id, receipt: saved.receipt)
            }
            guard !isCreate, let id = id?.string else {
                throw isCreate
                    ? OrgError("INVALID_FIELD", "cannot specify Id in an insert call")
                    : OrgError("MISSING_ARGUMENT", "Id not specified in an update call")
            }
            try store.update(id, with: members, of: object)
            return .init(id: id)
        }
    }

    private func upsert(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        guard let key = object.field(named: call.rest[3]), key.isExternalId || key.type == .id else { throw .notFound }
        let input = try Input(call.request.body)
        return try save(input.records, isAllOrNone: input.isAllOrNone) { (record, store) throws(OrgError) in
            let (members, value) = Self.split(record, at: key.name)
            guard let value, !value.isNull else {
                throw OrgError("MISSING_ARGUMENT", "\(key.name) not specified")
            }
            let saved = try store.upsert(key, value, with: members, of: object)
            return .init(id: saved.id, isNew: saved.isNew)
        }
    }

    /// Returns a record's members without one of them, ignoring case, and that member.
    private static func split(_ record: JSONValue, at name: String) -> (JSONObject, JSONValue?) {
        let members = record.object ?? [:]
        let wanted = name.lowercased()
        return (
            JSONObject(members: members.filter { $0.key.lowercased() != wanted }),
            members.first { $0.key.lowercased() == wanted }?.value
        )
    }

    private struct Input {
        let isAllOrNone: Bool
        let records: [JSONValue]

        init(_ body: [UInt8]) throws(OrgError) {
            let root = JSONValue(try RecordInput.members(body))
            guard let records = root["records"]?.array else { throw .invalidInput("records must be a list.") }
            self.records = Array(records)
            isAllOrNone = try root.flag("allOrNone")
        }
    }

    /// Saves the items, all or none of them on request.
    private func save<Item>(
        _ items: [Item], isAllOrNone: Bool, _ body: (Item, RecordStore) throws(OrgError) -> CollectionResult.Saved
    ) throws(OrgError) -> ServerResponse {
        guard items.count <= Self.mostWritten else {
            throw OrgError(
                "EXCEEDED_ID_LIMIT",
                "record limit reached. cannot submit more than \(Self.mostWritten) records into this call")
        }
        func results(_ store: RecordStore) -> [CollectionResult] {
            items.map { item in
                do throws(OrgError) { return .saved(try body(item, store)) } catch { return .failed(error) }
            }
        }
        guard isAllOrNone else { return CollectionResult.response(results(store)) }
        let all = try store.database.atomically { database in
            var store = store
            store.database = database
            let all = results(store)
            return (all, isKept: !all.contains { $0.isFailure })
        }
        guard all.contains(where: { $0.isFailure }) else { return CollectionResult.response(all) }
        return CollectionResult.response(all.map { $0.isFailure ? $0 : .failed(.rolledBack) })
    }

    /// Returns the records in the requested order, with null for missing records.
    private func read(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        let (ids, names) = try wishes(call)
        guard ids.count <= Self.mostRead else {
            throw OrgError("EXCEEDED_ID_LIMIT", "A call reads at most \(Self.mostRead) records.")
        }
        var fields: [FieldSchema] = []
        for name in names {
            guard let field = object.field(named: name) else { throw .unknownColumn(name, of: object.name) }
            fields.append(field)
        }
        var writer = JSONWriter()
        writer.beginArray()
        for id in ids {
            do throws(OrgError) {
                writer.raw(try store.read(id, fields, of: object, below: call.version.path))
            } catch {
                guard error.status == 404 else { throw error }
                writer.null()
            }
        }
        writer.endArray()
        return .json(200, writer.bytes)
    }

    private func wishes(_ call: RESTRouter.Call) throws(OrgError) -> (ids: [String], fields: [String]) {
        func list(_ name: String) -> [String] {
            (call.path.parameter(name) ?? "").split(byte: ",").map(String.init)
        }
        guard call.method == "POST" else { return (list("ids"), list("fields")) }
        let root = JSONValue(try RecordInput.members(call.request.body))
        guard let ids = root["ids"]?.array, let fields = root["fields"]?.array else {
            throw .invalidInput("ids and fields must be lists.")
        }
        return (ids.map { $0.string ?? "" }, fields.map { $0.string ?? "" })
    }
}

enum CollectionResult: Sendable {
    case saved(Saved)
    case failed(OrgError)

    struct Saved: Sendable {
        let id: String
        /// Whether an upsert created the record, or `nil` for other calls.
        var isNew: Bool?
        /// The receipt of an event.
        var receipt: EventReceipt?
    }

    var fault: OrgError? { if case .failed(let fault) = self { fault } else { nil } }
    var isFailure: Bool { fault != nil }

    static func response(_ results: [CollectionResult]) -> ServerResponse {
        .list(results) { writer, result in
            writer.object { writer in
                if case .saved(let saved) = result { writer.member("id", saved.id) }
                writer.member("success", !result.isFailure)
                if case .saved(let saved) = result, let receipt = saved.receipt {
                    receipt.write(to: &writer)
                } else {
                    write(result.fault, to: &writer)
                }
                if case .saved(let saved) = result, let isNew = saved.isNew { writer.member("created", isNew) }
            }
        }
    }

    static func write(_ fault: OrgError?, to writer: inout JSONWriter) {
        writer.member("errors", list: [fault].compactMap(\.self)) { writer, fault in
            writer.object { writer in
                writer.member("statusCode", fault.code)
                writer.member("message", fault.message)
                writer.member("fields", list: fault.fields)
            }
        }
    }
}
