// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import SOQLCheck
import SOQLStore

/// `/composite/tree/T`: new records with nested new records, all or none.
struct TreeResource {
    let store: RecordStore

    /// The result of one record: its ID or its error, or neither if its parent failed.
    private typealias Outcome = (id: String?, fault: OrgError?)

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("POST")
        guard let object = store.schema.object(named: call.rest[2]) else { throw .notFound }
        let records = try TreePlan(call.request.body, of: object, store.schema).records
        let outcomes: [Outcome] = try store.database.atomically { database in
            var store = store
            store.database = database
            let outcomes = create(records, in: store)
            return (outcomes, isKept: !outcomes.contains { $0.fault != nil })
        }
        return response(records, outcomes)
    }

    /// Creates parents before their children.
    private func create(_ records: [TreePlan.Record], in store: RecordStore) -> [Outcome] {
        var outcomes: [Outcome] = []
        for record in records {
            do throws(OrgError) {
                if let fault = record.fault { throw fault }
                var members = record.members
                if let parent = record.parent {
                    guard let id = outcomes[parent.position].id else {
                        outcomes.append((nil, nil))
                        continue
                    }
                    members[parent.field] = JSONValue(id)
                }
                outcomes.append((try store.save(members, of: record.object).id, nil))
            } catch {
                outcomes.append((nil, error))
            }
        }
        return outcomes
    }

    /// Returns the IDs of all records, or the errors of rejected records.
    private func response(_ records: [TreePlan.Record], _ outcomes: [Outcome]) -> ServerResponse {
        let hasErrors = outcomes.contains { $0.fault != nil }
        return .object(hasErrors ? 400 : 201) { writer in
            writer.member("hasErrors", hasErrors)
            let told = zip(records, outcomes).filter { !hasErrors || $1.fault != nil }
            writer.member("results", list: told) { writer, item in
                writer.object { writer in
                    writer.member("referenceId", item.0.reference)
                    if item.1.fault != nil {
                        CollectionResult.write(item.1.fault, to: &writer)
                    } else {
                        writer.member("id", item.1.id ?? "")
                    }
                }
            }
        }
    }
}

/// The records of a tree in the order of their creation.
struct TreePlan {
    struct Record {
        let reference: String
        let object: SObjectSchema
        var members: JSONObject
        /// The position of the parent, and the field with its ID.
        let parent: (position: Int, field: String)?
        var fault: OrgError?
    }

    private(set) var records: [Record] = []
    private let schema: Schema

    private static let (mostRecords, mostLevels, mostTypes) = (200, 5, 5)

    init(_ body: [UInt8], of object: SObjectSchema, _ schema: Schema) throws(OrgError) {
        self.schema = schema
        let root = JSONValue(try RecordInput.members(body))
        guard let list = root["records"]?.array, !list.isEmpty else { throw .invalidInput("records must be a list.") }
        try add(list, of: object, below: nil, level: 1)
        guard Set(records.map(\.object.name)).count <= Self.mostTypes else {
            throw .invalidInput("A tree has records of at most \(Self.mostTypes) types.")
        }
        if let reference = records.map(\.reference).firstRepeated { throw .repeated("referenceId", reference) }
    }

    private mutating func add(
        _ list: JSONArray, of object: SObjectSchema, below parent: (position: Int, field: String)?, level: Int
    ) throws(OrgError) {
        guard level <= Self.mostLevels else { throw .invalidInput("A tree has at most \(Self.mostLevels) levels.") }
        for value in list {
            guard let fields = value.object, let reference = value["attributes"]?["referenceId"]?.string else {
                throw .invalidInput(
                    "records[\(records.count)], as counted over all levels, needs attributes with a type and a referenceId."
                )
            }
            guard records.count < Self.mostRecords else {
                throw .invalidInput("A tree has at most \(Self.mostRecords) records.")
            }
            let position = records.count
            let members = JSONObject(members: fields.filter { $0.value["records"]?.array == nil })
            var record = Record(reference: reference, object: object, members: members, parent: parent)
            if value["attributes"]?["type"]?.string?.lowercased() != object.name.lowercased() {
                record.fault = OrgError("INVALID_TYPE", "The record must be of type \(object.name).")
            }
            records.append(record)
            for (name, list) in fields {
                guard let children = list["records"]?.array else { continue }
                guard let relationship = object.childRelationship(named: name),
                    let child = schema.object(named: relationship.object)
                else {
                    records[position].fault = .unknownColumn(name, of: object.name)
                    continue
                }
                try add(children, of: child, below: (position, relationship.field), level: level + 1)
            }
        }
    }
}
