// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON

/// `/sobjects` and `/sobjects/T/describe`.
struct DescribeResources: Sendable {
    let schema: Schema

    func answer(_ call: RESTRouter.Call, _ database: Database) throws(OrgFault) -> ServerResponse {
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

    /// When the catalogue was changed last: 2026-11-23.
    private static let modified: Int64 = 1_795_392_000

    func global(_ version: APIVersion) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("encoding", "UTF-8")
        writer.member("maxBatchSize", 200)
        writer.key("sobjects")
        writer.beginArray()
        for object in schema.objects {
            writer.beginObject()
            head(of: object, version, &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    /// What both describes tell about an object.
    func head(of object: SObjectSchema, _ version: APIVersion, _ writer: inout JSONWriter) {
        writer.member("name", object.name)
        writer.member("label", object.label)
        writer.member("labelPlural", object.labelPlural)
        writer.member("keyPrefix", object.keyPrefix)
        for (name, value) in [
            ("custom", object.isCustom), ("createable", object.abilities.contains(.create)),
            ("deletable", object.abilities.contains(.delete)), ("queryable", true), ("retrieveable", true),
            ("updateable", object.abilities.contains(.update)), ("searchable", false),
            ("undeletable", object.abilities.contains(.undelete)),
        ] {
            writer.member(name, value)
        }
        let path = "\(version.path)/sobjects/\(object.name)"
        writer.key("urls")
        writer.object([("sobject", path), ("describe", path + "/describe"), ("rowTemplate", path + "/{ID}")])
    }

    func describe(_ object: SObjectSchema, _ version: APIVersion, _ types: RecordTypes?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        head(of: object, version, &writer)
        writer.key("fields")
        writer.beginArray()
        for field in object.fields { describe(field, &writer) }
        writer.endArray()
        writer.key("childRelationships")
        writer.beginArray()
        for child in object.childRelationships {
            let rule = schema.object(named: child.childObject)?.field(named: child.field)?.deletion
            writer.beginObject()
            writer.member("cascadeDelete", rule == .cascade)
            writer.member("childSObject", child.childObject)
            writer.member("field", child.field)
            writer.member("relationshipName", child.name)
            writer.member("restrictedDelete", rule == .restrict)
            writer.endObject()
        }
        writer.endArray()
        types?.write(of: object, version, &writer)
        writer.endObject()
        return writer.bytes
    }

    private func describe(_ field: FieldSchema, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", field.name)
        writer.member("label", field.label)
        writer.member("type", field.type.rawValue)
        writer.member("soapType", Self.soapType(field.type))
        writer.member("length", field.length)
        for (name, value) in [
            ("nillable", field.isNillable), ("createable", field.isCreateable), ("updateable", field.isUpdateable),
            ("custom", field.name.hasBytes(suffix: "__c")), ("externalId", field.isExternalId),
            ("idLookup", field.isLookupKey),
            ("unique", field.isUnique), ("nameField", field.isNameField), ("filterable", !field.isUnindexed),
            ("sortable", !field.isUnindexed), ("groupable", field.type != .textarea && !field.isUnindexed),
            ("restrictedPicklist", field.isRestricted), ("autoNumber", field.isAutoNumber),
            ("calculated", field.isCalculated),
            ("defaultedOnCreate", field.isDefaultedOnCreate || !field.defaultValue.isNull),
            ("polymorphicForeignKey", field.referenceTo.count > 1), ("cascadeDelete", field.deletion == .cascade),
            ("restrictedDelete", field.deletion == .restrict),
        ] {
            writer.member(name, value)
        }
        writer.member("precision", field.precision)
        writer.member("scale", field.scale)
        writer.key("defaultValue")
        writer.value(field.defaultValue)
        picklist(field, &writer)
        writer.key("referenceTo")
        writer.beginArray()
        for object in field.referenceTo { writer.string(object) }
        writer.endArray()
        writer.key("relationshipName")
        if let name = field.relationshipName { writer.string(name) } else { writer.null() }
        writer.endObject()
    }

    private func picklist(_ field: FieldSchema, _ writer: inout JSONWriter) {
        writer.key("picklistValues")
        writer.beginArray()
        for value in field.picklistValues {
            writer.beginObject()
            writer.member("active", value.isActive)
            writer.member("defaultValue", value.isDefault)
            writer.member("label", value.label)
            writer.member("value", value.value)
            writer.endObject()
        }
        writer.endArray()
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
