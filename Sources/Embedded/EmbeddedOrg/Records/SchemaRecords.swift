// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLStore

/// Writes the org's objects and fields as records for queries.
struct SchemaRecords {
    private let connection: SQLiteConnection
    private let user: String

    /// Replaces the records by those of this schema in the caller's transaction.
    static func write(_ schema: Schema, on connection: SQLiteConnection) throws(DatabaseError) {
        let user = try connection.list("SELECT \"Id\" FROM \"User\" ORDER BY rowid LIMIT 1") { $0.text(0) }.first ?? ""
        let records = SchemaRecords(connection: connection, user: user)
        for name in ["EntityDefinition", "FieldDefinition"] { try connection.execute("DELETE FROM \"\(name)\"") }
        var number: Int64 = 0
        for (position, object) in schema.objects.enumerated() {
            let entity = RecordID.make(entityAt: position)
            try records.add("EntityDefinition", Int64(position) + 1, entity, records.values(of: object))
            for field in object.fields {
                number += 1
                let id = RecordID.make(prefix: "4fe", number: number)
                try records.add("FieldDefinition", number, id, records.values(of: field, object, entity))
            }
        }
    }

    /// Inserts a record, with the same prepared statement for all records of an object.
    private func add(
        _ object: String, _ number: Int64, _ id: String, _ values: [(name: String, value: SQLValue)]
    ) throws(DatabaseError) {
        let names = values.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = values.indices.map { "?\($0 + 5)" }.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO "\(object)" (rowid, "Id", "IsDeleted", "CreatedDate", "CreatedById", "LastModifiedDate",
            "LastModifiedById", "SystemModstamp", \(names)) VALUES (?1, ?2, 0, ?3, ?4, ?3, ?4, ?3, \(places))
            """,
            [.integer(number), .text(id), .text("2026-01-01T00:00:00.000+0000"), .text(user)] + values.map(\.value))
    }

    private func values(of object: SObjectSchema) -> [(name: String, value: SQLValue)] {
        let isData = !object.abilities.isEmpty
        let (namespace, name) = Self.parts(of: object.name)
        let texts: [(String, SQLValue)] = [
            ("QualifiedApiName", .text(object.name)), ("DurableId", .text(object.name)), ("DeveloperName", .text(name)),
            ("NamespacePrefix", namespace.map { .text($0) } ?? .null), ("MasterLabel", .text(object.label)),
            ("Label", .text(object.label)), ("PluralLabel", .text(object.labelPlural)),
            ("KeyPrefix", .text(object.keyPrefix)),
        ]
        let flags: [(String, Bool)] = [
            ("IsCustomizable", isData), ("IsCustomSetting", false), ("IsQueryable", true), ("IsRetrieveable", true),
            ("IsSearchable", isData), ("IsLayoutable", isData), ("IsCompactLayoutable", isData),
            ("IsTriggerable", isData), ("IsApexTriggerable", isData), ("IsWorkflowEnabled", isData),
            ("IsIdEnabled", true), ("IsReplicateable", isData), ("IsDeprecatedAndHidden", false),
            ("IsEverCreatable", object.abilities.contains(.create)),
            ("IsEverUpdatable", object.abilities.contains(.update)),
            ("IsEverDeletable", object.abilities.contains(.delete)),
        ]
        return texts + flags.map { ($0, .integer($1 ? 1 : 0)) }
    }

    private func values(
        of field: FieldSchema, _ object: SObjectSchema, _ entity: String
    ) -> [(name: String, value: SQLValue)] {
        let (namespace, name) = Self.parts(of: field.name)
        let texts: [(String, SQLValue)] = [
            ("QualifiedApiName", .text(field.name)), ("EntityDefinitionId", .text(entity)),
            ("DurableId", .text("\(object.name).\(field.name)")), ("DeveloperName", .text(name)),
            ("NamespacePrefix", namespace.map { .text($0) } ?? .null), ("MasterLabel", .text(field.label)),
            ("Label", .text(field.label)), ("DataType", .text(field.displayType)),
            ("ValueTypeId", .text(field.type.rawValue)),
            ("RelationshipName", field.relationshipName.map { .text($0) } ?? .null),
            ("Length", .integer(Int64(field.length))), ("Precision", .integer(Int64(field.precision))),
            ("Scale", .integer(Int64(field.scale))),
        ]
        let flags: [(String, Bool)] = [
            ("IsNillable", field.isNillable), ("IsCalculated", field.isCalculated),
            ("IsCompound", field.type.isCompound), ("IsNameField", field.isNameField),
            ("IsIndexed", field.isUnique || field.isExternalId || field.type == .id || field.type == .reference),
            ("IsApiFilterable", !field.isUnindexed), ("IsApiSortable", !field.isUnindexed),
            ("IsApiGroupable", field.type != .textarea && !field.isUnindexed),
            ("IsPolymorphicForeignKey", field.referenceTo.count > 1), ("IsHtmlFormatted", false),
            ("IsHighScaleNumber", field.scale > 9), ("IsFieldHistoryTracked", false),
        ]
        return texts + flags.map { ($0, .integer($1 ? 1 : 0)) }
    }

    /// Splits `app__Invoice__c` into `app` and `Invoice`.
    private static func parts(of name: String) -> (namespace: String?, name: String) {
        let marks = name.ranges(bytes: "__")
        guard let first = marks.first else { return (nil, name) }
        let start = String(name[..<first.lowerBound])
        return marks.count > 1 ? (start, String(name[first.upperBound..<marks[1].lowerBound])) : (nil, start)
    }
}

extension FieldSchema {
    /// The name of the type in Salesforce's setup.
    fileprivate var displayType: String {
        let numbers = "(\(precision - scale), \(scale))"
        return switch type {
        case _ where isCalculated: "Formula (\(Self.words[type] ?? type.rawValue))"
        case _ where isAutoNumber: "Auto Number"
        case .id: "Lookup()"
        case .reference:
            "\(deletion == .cascade && !isNillable ? "Master-Detail" : "Lookup")(\(referenceTo.joined(separator: ",")))"
        case .string where isNameField && !isCreateable: "Name"
        case .string: "Text(\(length))"
        case .textarea: length > 255 ? "Long Text Area(\(length))" : "Text Area(\(length))"
        case .encryptedstring: "Text (Encrypted)(\(length))"
        case .url: "URL(\(length))"
        case .int: "Number(9, 0)"
        case .double where precision > 0: "Number\(numbers)"
        case .currency where precision > 0: "Currency\(numbers)"
        case .percent where precision > 0: "Percent\(numbers)"
        default: Self.words[type] ?? type.rawValue
        }
    }

    private static let words: [FieldType: String] = [
        .boolean: "Checkbox", .picklist: "Picklist", .multipicklist: "Picklist (Multi-Select)", .combobox: "Picklist",
        .double: "Number(18, 0)", .currency: "Currency(16, 2)", .percent: "Percent(16, 2)", .date: "Date",
        .datetime: "Date/Time", .time: "Time", .email: "Email", .phone: "Phone", .base64: "Base64",
        .location: "Geolocation", .address: "Address", .string: "Text",
    ]
}
