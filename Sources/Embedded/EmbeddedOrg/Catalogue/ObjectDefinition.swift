// SPDX-License-Identifier: Apache-2.0

import RestBase

/// One line of the catalogue: a field, and the relationships it makes.
struct FieldDefinition {
    let schema: FieldSchema
    /// The relationship's name seen from each parent (`Contacts`).
    let children: String?
}

/// One object of the catalogue.
struct ObjectDefinition {
    let name: String
    let label: String
    let plural: String
    let prefix: String
    let abilities: ObjectAbilities
    let fields: [FieldDefinition]

    init(
        _ name: String, _ label: String, _ plural: String, prefix: String, can abilities: ObjectAbilities = .all,
        _ fields: [FieldDefinition]
    ) {
        self.name = name
        self.label = label
        self.plural = plural
        self.prefix = prefix
        self.abilities = abilities
        self.fields = [.recordID] + fields + FieldDefinition.audit + FieldDefinition.usage(of: name)
    }
}

extension FieldDefinition {
    private static func make(_ schema: FieldSchema) -> FieldDefinition {
        FieldDefinition(schema: schema, children: nil)
    }

    /// `Id`, the first field of every object.
    static let recordID = make(
        FieldSchema(
            name: "Id", label: "Record ID", type: .id, length: 18, isNillable: false, isCreateable: false,
            isUpdateable: false))

    /// What the org itself writes.
    static let audit: [FieldDefinition] = [
        make(readOnly("IsDeleted", .boolean, "Deleted")),
        make(readOnly("CreatedDate", .datetime)),
        userReference("CreatedById", "CreatedBy", "Created By ID"),
        make(readOnly("LastModifiedDate", .datetime)),
        userReference("LastModifiedById", "LastModifiedBy", "Last Modified By ID"),
        make(readOnly("SystemModstamp", .datetime)),
    ]

    private static func readOnly(_ name: String, _ type: FieldType, _ label: String? = nil) -> FieldSchema {
        FieldSchema(
            name: name, label: label ?? self.label(of: name), type: type, isNillable: false, isCreateable: false,
            isUpdateable: false)
    }

    private static func userReference(_ name: String, _ relationship: String, _ label: String) -> FieldDefinition {
        make(
            FieldSchema(
                name: name, label: label, type: .reference, length: 18, isNillable: false, isCreateable: false,
                isUpdateable: false, referenceTo: ["User"], relationshipName: relationship))
    }

    /// A text of at most so many characters.
    static func text(_ name: String, _ length: Int, _ type: FieldType = .string, required: Bool = false)
        -> FieldDefinition
    {
        make(FieldSchema(name: name, label: label(of: name), type: type, length: length, isNillable: !required))
    }

    /// The field shown as the record's name.
    static func name(_ name: String = "Name", _ length: Int, required: Bool = true) -> FieldDefinition {
        make(
            FieldSchema(
                name: name, label: label(of: name), type: .string, length: length, isNillable: !required,
                isNameField: true))
    }

    /// A name that the org composes (`FirstName LastName`), or a number it counts.
    static func derivedName(_ name: String = "Name", _ length: Int) -> FieldDefinition {
        make(
            FieldSchema(
                name: name, label: label(of: name), type: .string, length: length, isNillable: false,
                isCreateable: false,
                isUpdateable: false, isNameField: true))
    }

    /// A value that the org computes from others (`DerivedFields`).
    static func derived(_ name: String, _ type: FieldType, _ length: Int = 0) -> FieldDefinition {
        make(
            FieldSchema(
                name: name, label: label(of: name), type: type, length: length, isNillable: type != .boolean,
                isCreateable: false,
                isUpdateable: false))
    }

    /// A choice; unless it is restricted, values outside the list are kept.
    static func pick(
        _ name: String, _ values: [String], required: Bool = false, restricted: Bool = false, derived: Bool = false
    ) -> FieldDefinition {
        var schema = FieldSchema(
            name: name, label: label(of: name), type: .picklist, length: 255, isNillable: !required,
            isCreateable: !derived, isUpdateable: !derived, picklistValues: values.map { PicklistValue($0) })
        schema.isRestricted = restricted
        return make(schema)
    }

    /// A number, a date, a boolean or the contents of a file.
    static func value(_ name: String, _ type: FieldType, required: Bool = false, fixed: Bool = false)
        -> FieldDefinition
    {
        make(
            FieldSchema(
                name: name, label: label(of: name), type: type, isNillable: !required && type != .boolean,
                isUpdateable: !fixed))
    }

    /// The external id of a record, unique, for upserts.
    static let externalID = make(
        FieldSchema(
            name: "ExternalId__c", label: "External ID", type: .string, length: 80, isExternalId: true, isUnique: true))

    /// Which of its object's record types a record has; null for the master's.
    static let recordType = reference("RecordTypeId", to: "RecordType", "RecordType")

    /// The record that a deleted one was merged into.
    static func masterRecord(_ object: String) -> FieldDefinition {
        reference("MasterRecordId", to: object, "MasterRecord", derived: true)
    }

    /// An id of another object's record.
    ///
    /// The `relationship` is the parent relationship's name, and `children` its name seen from the parent.
    static func reference(
        _ name: String, to object: String, _ relationship: String, children: String? = nil, required: Bool = false,
        fixed: Bool = false, derived: Bool = false, onDelete deletion: DeletionRule = .clear
    ) -> FieldDefinition {
        var schema = FieldSchema(
            name: name, label: label(of: name), type: .reference, length: 18, isNillable: !required,
            isCreateable: !derived, isUpdateable: !fixed && !derived, referenceTo: [object],
            relationshipName: relationship)
        schema.deletion = deletion
        return FieldDefinition(schema: schema, children: children)
    }

    /// An id of a record of one of several objects (`WhoId`).
    ///
    /// Paths through it lead to what all records have, such as a name; TYPEOF leads to the fields of each object.
    static func polymorphic(
        _ name: String, to objects: [String], _ relationship: String, children: String? = nil, required: Bool = false,
        fixed: Bool = false, onDelete deletion: DeletionRule = .cascade
    ) -> FieldDefinition {
        var schema = FieldSchema(
            name: name, label: label(of: name), type: .reference, length: 18, isNillable: !required,
            isUpdateable: !fixed, referenceTo: objects, relationshipName: relationship)
        schema.deletion = deletion
        return FieldDefinition(schema: schema, children: children)
    }

    /// A postal address in five texts, where it is in degrees, and the field that shows all of them as one value.
    static func address(_ prefix: String) -> [FieldDefinition] {
        let parts = [
            text(prefix + "Street", 255, .textarea), text(prefix + "City", 40), text(prefix + "State", 80),
            text(prefix + "PostalCode", 20), text(prefix + "Country", 80),
            value(prefix + "Latitude", .double), value(prefix + "Longitude", .double),
        ]
        let name = prefix + "Address"
        var whole = FieldSchema(
            name: name, label: label(of: name), type: .address, isCreateable: false, isUpdateable: false)
        whole.components = parts.map { part in
            let key = part.schema.name.dropFirst(prefix.count)
            return .init(key: key.prefix(1).lowercased() + key.dropFirst(), field: part.schema.name)
        }
        return parts + [make(whole)]
    }

    /// `AnnualRevenue` → `Annual Revenue`, `OwnerId` → `Owner ID`.
    private static func label(of name: String) -> String {
        var words = ""
        // prose: a label for people
        for character in name {
            if character.isUppercase, words.last?.isLowercase == true { words.append(" ") }
            words.append(character)
        }
        return words.removing(suffix: " Id").map { "\($0) ID" } ?? words
    }
}

extension FieldDefinition {
    /// The objects of the catalogue whose records have pages of their own on the platform.
    private static let viewed: Set<String> = [
        "Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Product2", "Pricebook2",
        "User", "ContentVersion", "ContentDocument",
    ]

    /// The fields that tell when the user has looked at a record, of the objects that have them.
    static func usage(of object: String) -> [FieldDefinition] {
        guard viewed.contains(object) else { return [] }
        return RecordUsage.allCases.map { usage in
            let label = usage == .viewed ? "Last Viewed Date" : "Last Referenced Date"
            return FieldDefinition(
                schema: FieldSchema(
                    name: usage.rawValue, label: label, type: .datetime, isCreateable: false, isUpdateable: false),
                children: nil)
        }
    }
}
