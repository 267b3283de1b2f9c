// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import SOQLCheck
import SOQLStore

/// `/sobjects` and `/sobjects/T/describe`.
struct DescribeResources: Sendable {
    let schema: Schema

    func respond(_ call: RESTRouter.Call, _ database: Database) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let types = try RecordTypes(database)
        let modified = max(Self.modified, types.modified)
        let facts = RecordFacts(
            modifiedSeconds: modified, entityTag: "\"\(call.version.number)-\(modified)-\(types.count)\"")
        guard try Preconditions(call.request.fields).isWanted(facts) else { return facts.mark(.empty(304)) }
        guard call.rest.count == 3 else { return facts.mark(.json(200, global(call.version))) }
        guard let object = schema.object(named: call.rest[1]) else { throw .unknownObject(call.rest[1]) }
        return facts.mark(.json(200, describe(object, call.version, types)))
    }

    /// The fields of events that the org sets.
    private static let eventFields: Set<String> = ["ReplayId", "EventUuid", "CreatedDate", "CreatedById"]

    /// The last change of the catalogue: 2026-11-26.
    private static let modified: Int64 = 1_795_651_200

    func global(_ version: APIVersion) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("encoding", "UTF-8")
            writer.member("maxBatchSize", 200)
            writer.member("sobjects", list: schema.objects) { writer, object in
                writer.object { head(of: object, version, &$0) }
            }
        }
        return writer.bytes
    }

    /// Writes the members that both describes have.
    func head(of object: SObjectSchema, _ version: APIVersion, _ writer: inout JSONWriter) {
        writer.member("name", object.name)
        writer.member("label", object.label)
        writer.member("labelPlural", object.labelPlural)
        writer.member("keyPrefix", object.keyPrefix)
        let isData = object.publishing == nil
        for (name, value) in [
            ("custom", object.isCustom || !isData), ("createable", object.abilities.contains(.create)),
            ("deletable", object.abilities.contains(.delete)), ("queryable", isData), ("retrieveable", isData),
            ("updateable", object.abilities.contains(.update)), ("searchable", false),
            ("undeletable", object.abilities.contains(.undelete)),
        ] {
            writer.member(name, value)
        }
        let path = "\(version.path)/sobjects/\(object.name)"
        writer.member(
            "urls", object: [("sobject", path), ("describe", path + "/describe"), ("rowTemplate", path + "/{ID}")])
    }

    func describe(_ object: SObjectSchema, _ version: APIVersion, _ types: RecordTypes?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            head(of: object, version, &writer)
            let fields = zip(object.description.fields, object.fields).filter { _, field in
                // An event has no record, although its table has these columns.
                object.publishing == nil || field.isCreateable || Self.eventFields.contains(field.name)
            }
            writer.member("fields", list: fields) { writer, field in
                writer.value(describe(field.0, field.1))
            }
            writer.member("childRelationships", list: object.childRelationships) { writer, child in
                let rule = schema.object(named: child.object)?.field(named: child.field)?.deletion
                var members = child.members(isComplete: true)
                members.add("cascadeDelete", JSONValue(rule == .cascade))
                members.add("restrictedDelete", JSONValue(rule == .restrict))
                writer.value(members.value)
            }
            types?.write(of: object, version, &writer)
        }
        return writer.bytes
    }

    private func describe(_ description: ObjectDescription.Field, _ field: FieldSchema) -> JSONValue {
        var description = description
        description.isDefaultedOnCreate = field.isDefaultedOnCreate || !field.defaultValue.isNull
        var members = description.members(isComplete: true)
        members.add("soapType", JSONValue(Self.soapType(field.type)))
        for (name, value) in [
            ("idLookup", field.isLookupKey), ("polymorphicForeignKey", field.referenceTo.count > 1),
            ("cascadeDelete", field.deletion == .cascade), ("restrictedDelete", field.deletion == .restrict),
        ] {
            members.add(name, JSONValue(value))
        }
        return members.value
    }

    private static func soapType(_ type: FieldType) -> String {
        switch type {
        case .id, .reference: "tns:ID"
        case .boolean: "xsd:boolean"
        case .int: "xsd:int"
        case .double, .currency, .percent: "xsd:double"
        case .date: "xsd:date"
        case .datetime: "xsd:dateTime"
        case .time: "xsd:time"
        case .base64: "xsd:base64Binary"
        case .location: "urn:location"
        case .address: "urn:address"
        case .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring:
            "xsd:string"
        }
    }
}

struct RecordTypes: Sendable {
    private struct Info: Sendable {
        let id: String
        let name: String
        let developerName: String
        let isActive: Bool
    }

    private var infos: [String: [Info]] = [:]
    /// The last change of a record type, in seconds since 1970.
    private(set) var modified: Int64 = 0

    var count: Int { infos.values.reduce(0) { $0 + $1.count } }

    /// The record type of records without one, which has no record itself.
    private static let master = Info(
        id: RecordID.masterRecordType, name: "Master", developerName: "Master", isActive: true)

    init(_ database: Database) throws(OrgError) {
        let rows = try database.fetch(
            """
            SELECT "SobjectType", "Id", "Name", "DeveloperName", "IsActive", "SystemModstamp" FROM "RecordType"
            WHERE "IsDeleted" = 0 ORDER BY rowid
            """
        ) { row in
            let info = Info(
                id: row.text(1), name: row.text(2), developerName: row.text(3), isActive: row.integer(4) == 1)
            return (object: row.text(0).lowercased(), info: info, time: row.text(5))
        }
        infos = Dictionary(grouping: rows, by: \.object).mapValues { $0.map(\.info) }
        let latest = rows.map(\.time).max() ?? ""
        modified = JSONTimestamp(latest)?.seconds ?? 0
    }

    /// Writes `recordTypeInfos`, with the master record type as the default of every object.
    func write(of object: SObjectSchema, _ version: APIVersion, _ writer: inout JSONWriter) {
        let layout = "\(version.path)/sobjects/\(object.name)/describe/layouts/\(Self.master.id)"
        writer.member("recordTypeInfos", list: (infos[object.name.lowercased()] ?? []) + [Self.master]) {
            writer, info in
            let isMaster = info.id == Self.master.id
            writer.object { writer in
                writer.member("active", info.isActive)
                writer.member("available", info.isActive)
                writer.member("defaultRecordTypeMapping", isMaster)
                writer.member("developerName", info.developerName)
                writer.member("master", isMaster)
                writer.member("name", info.name)
                writer.member("recordTypeId", info.id)
                writer.member("urls", object: [("layout", layout)])
            }
        }
    }
}
