// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLCheck
import SOQLStore

/// `/sobjects/T/ID/NAME`: the records of a relationship, and the content of files.
struct RelationshipResources {
    let records: RecordResources
    let queries: QueryResources

    private var schema: Schema { records.store.schema }

    /// The maximum number of steps in a path, as in queries.
    private static let mostSteps = 5

    func respond(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        let id = call.rest[2]
        guard RecordID.normalized(id) != nil else {
            var fault = OrgError.noExternalID(id)
            fault.message += "; nor is it the id of a record of \(object.name)"
            throw fault
        }
        guard call.rest.count - 3 <= Self.mostSteps else { throw .notFound }
        var (owner, place) = (object, id)
        for (step, name) in call.rest.dropFirst(3).enumerated() {
            let isLast = step == call.rest.count - 4
            if isLast, let field = owner.field(named: name), field.type == .base64 {
                try call.allow("GET")
                return try records.blob(place, field, of: owner, to: call.request)
            }
            if isLast, let children = owner.childRelationship(named: name) {
                return try list(children, of: place, in: owner, call)
            }
            if !isLast, owner.childRelationship(named: name) != nil {
                throw .missing("The relationship \(name.prefix(100)) is a list, which has no relationships")
            }
            guard let field = owner.referenceField(ofRelationship: name) else {
                throw .missing("\(owner.name) has no relationship named '\(name.prefix(100))'")
            }
            let parent = try records.store.text(field, place, of: owner)
            let target = parent.flatMap { id in schema.objects.first { id.hasBytes(prefix: $0.keyPrefix) } }
            guard let parent, let target else {
                throw .missing("The relationship \(name.prefix(100)) leads to no record")
            }
            (owner, place) = (target, parent)
        }
        return try records.record(call, owner, place)
    }

    /// Returns a list of children like a query.
    private func list(
        _ children: ChildRelationship, of id: String, in owner: SObjectSchema, _ call: RESTRouter.Call
    ) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        guard let child = schema.object(named: children.object) else { throw .notFound }
        // Rejects the ID of a missing record.
        _ = try records.store.facts(id, of: owner)
        var names = child.fields.map(\.name)
        if let wanted = call.path.parameter("fields") {
            names = wanted.split(byte: ",").map { $0.split(byte: " ").joined() }
            for name in names where !name.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || "_.".utf8.contains($0) }) {
                throw .unknownColumn(name, of: child.name)
            }
        }
        let text = """
            SELECT \(names.joined(separator: ", ")) FROM \(child.name)
            WHERE \(children.field) = '\(RecordID.normalized(id) ?? "")'
            """
        return .json(200, try queries.run(text, call))
    }
}

extension Blob {
    /// Returns the content, or the requested part of it (RFC 9110 §14).
    func response(
        to request: ServerRequest, type: String, _ database: Database
    ) throws(OrgError) -> ServerResponse {
        let tag = "\"\(content)\""
        let facts = RecordFacts(modifiedSeconds: nil, entityTag: tag)
        guard try Preconditions(request.fields).isWanted(facts) else { return facts.mark(.empty(304)) }
        // Several ranges at once are ignored.
        let isFresh = request.fields["If-Range"].map { $0 == tag } ?? true
        let range = isFresh && request.method == "GET" ? request.fields["Range"] : nil
        return try .content(range, of: size, fields: [("Content-Type", type), ("ETag", tag)]) {
            (response, range) throws(OrgError) in
            try fill(&response, with: range, database)
        }
    }

    private func fill(
        _ response: inout ServerResponse, with range: Range<Int>, _ database: Database
    ) throws(OrgError) {
        if range.count > ContentStore.chunk { try database.beginLongWork() }
        let spool = Spool()
        let step = 16 * ContentStore.chunk
        for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
            let part = start..<min(start + step, range.upperBound)
            let bytes = try database.read { (connection) throws(OrgError) -> [UInt8] in
                try ContentStore.bytes(of: content, part, connection)
            }
            // Another file has replaced it meanwhile.
            guard bytes.count == part.count else { throw .notFound }
            guard spool.append(bytes) else { throw .storage }
        }
        guard let filled = spool.fill(response) else { throw .storage }
        response = filled
    }
}
