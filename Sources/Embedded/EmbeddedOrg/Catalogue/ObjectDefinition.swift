// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck
import SOQLStore

struct FieldDefinition {
    private(set) var schema: FieldSchema
    /// The name of the relationship in each parent (`Contacts`).
    var children: String?
}

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
        let (first, last) = ([FieldSchema.recordID], FieldSchema.audit)
        self.fields =
            first.map { FieldDefinition(schema: $0) } + fields + last.map { FieldDefinition(schema: $0) }
            + FieldDefinition.usage(of: name)
    }
}

extension FieldDefinition {
    /// Creates a field.
    ///
    /// A derived field is written only by the org. A fixed field keeps its first value.
    private init(
        _ name: String, _ type: FieldType, _ length: Int = 0, label: String? = nil, isNillable: Bool = true,
        isName: Bool = false, fixed: Bool = false, derived: Bool = false, values: [String] = [],
        to objects: [String] = [], _ relationship: String? = nil, onDelete deletion: DeletionRule = .clear
    ) {
        schema = FieldSchema(
            name: name, label: label ?? Self.label(of: name), type: type, length: length, isNillable: isNillable,
            isCreateable: !derived, isUpdateable: !fixed && !derived, isNameField: isName,
            picklistValues: values.map { PicklistValue($0) }, referenceTo: objects, relationshipName: relationship)
        schema.deletion = deletion
    }

    /// A string with a maximum length.
    static func text(
        _ name: String, _ length: Int, _ type: FieldType = .string, required: Bool = false
    ) -> FieldDefinition {
        FieldDefinition(name, type, length, isNillable: !required)
    }

    static func name(_ name: String = "Name", _ length: Int, required: Bool = true) -> FieldDefinition {
        FieldDefinition(name, .string, length, isNillable: !required, isName: true)
    }

    /// A name that the org composes (`FirstName LastName`), or an automatic number.
    static func derivedName(_ name: String = "Name", _ length: Int) -> FieldDefinition {
        FieldDefinition(name, .string, length, isNillable: false, isName: true, derived: true)
    }

    /// A value that the org computes (`DerivedFields`).
    static func derived(_ name: String, _ type: FieldType, _ length: Int = 0) -> FieldDefinition {
        FieldDefinition(name, type, length, isNillable: type != .boolean, derived: true)
    }

    /// A picklist, which accepts other values unless it is restricted.
    static func pick(
        _ name: String, _ values: [String], required: Bool = false, restricted: Bool = false, derived: Bool = false
    ) -> FieldDefinition {
        var field = FieldDefinition(
            name, .picklist, 255, isNillable: !required, derived: derived, values: values)
        field.schema.description.isRestrictedPicklist = restricted
        return field
    }

    /// A number, a date, a Boolean or the content of a file.
    static func value(
        _ name: String, _ type: FieldType, required: Bool = false, fixed: Bool = false
    ) -> FieldDefinition {
        FieldDefinition(name, type, isNillable: !required && type != .boolean, fixed: fixed)
    }

    /// A Boolean that is true in a new record that omits it.
    static func flag(_ name: String) -> FieldDefinition {
        var field = FieldDefinition(name, .boolean, isNillable: false)
        (field.schema.description.defaultValue, field.schema.description.isDefaultedOnCreate) = (true, true)
        return field
    }

    static let externalID = FieldDefinition(
        schema: FieldSchema(
            name: "ExternalId__c", label: "External ID", type: .string, length: 80, isExternalId: true, isUnique: true))

    static let recordType = reference("RecordTypeId", to: "RecordType", "RecordType")

    /// The record that a deleted record was merged into.
    static func masterRecord(_ object: String) -> FieldDefinition {
        reference("MasterRecordId", to: object, "MasterRecord", derived: true)
    }

    /// A reference to a record of another object.
    ///
    /// The `relationship` is its name in the child, and `children` its name in the parent.
    static func reference(
        _ name: String, to object: String, _ relationship: String, children: String? = nil, required: Bool = false,
        fixed: Bool = false, derived: Bool = false, onDelete deletion: DeletionRule = .clear
    ) -> FieldDefinition {
        var field = FieldDefinition(
            name, .reference, 18, isNillable: !required, fixed: fixed, derived: derived, to: [object], relationship,
            onDelete: deletion)
        field.children = children
        return field
    }

    /// A reference to a record of one of several objects (`WhoId`).
    ///
    /// Paths through it lead to common fields such as the name. TYPEOF leads to the fields of each object.
    static func polymorphic(
        _ name: String, to objects: [String], _ relationship: String, children: String? = nil, required: Bool = false,
        fixed: Bool = false, onDelete deletion: DeletionRule = .cascade
    ) -> FieldDefinition {
        var field = FieldDefinition(
            name, .reference, 18, isNillable: !required, fixed: fixed, to: objects, relationship, onDelete: deletion)
        field.children = children
        return field
    }

    /// A postal address in five strings, its coordinates in degrees, and the compound field.
    static func address(_ prefix: String) -> [FieldDefinition] {
        let parts = [
            text(prefix + "Street", 255, .textarea), text(prefix + "City", 40), text(prefix + "State", 80),
            text(prefix + "PostalCode", 20), text(prefix + "Country", 80),
            value(prefix + "Latitude", .double), value(prefix + "Longitude", .double),
        ]
        var whole = FieldDefinition(prefix + "Address", .address, derived: true)
        whole.schema.components = parts.map { part in
            let key = part.schema.name.dropFirst(prefix.count)
            return .init(key: key.prefix(1).lowercased() + key.dropFirst(), field: part.schema.name)
        }
        return parts + [whole]
    }

    /// Converts `AnnualRevenue` to `Annual Revenue` and `OwnerId` to `Owner ID`.
    private static func label(of name: String) -> String {
        var words = ""
        // prose: a label for people
        for character in name {
            if character.isUppercase, words.last?.isLowercase == true { words.append(" ") }
            words.append(character)
        }
        return words.removing(suffix: " Id").map { "\($0) ID" } ?? words
    }

    /// The objects with record pages on Salesforce.
    private static let viewed: Set<String> = [
        "Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Product2", "Pricebook2",
        "User", "ContentVersion", "ContentDocument",
    ]

    /// The fields with the last use of a record by the user, if the object has them.
    static func usage(of object: String) -> [FieldDefinition] {
        guard viewed.contains(object) else { return [] }
        return RecordUsage.allCases.map { FieldDefinition($0.rawValue, .datetime, derived: true) }
    }
}
