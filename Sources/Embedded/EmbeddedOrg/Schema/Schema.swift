// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

/// The objects an org knows.
///
/// Names are looked up without case, as the platform does.
package struct Schema: Sendable {
    /// Every object, in the order of the describe answer.
    package let objects: [SObjectSchema]
    private let positions: [String: Int]
    private let references: [String: [Reference]]

    /// A field whose ids can name records of some object.
    package struct Reference: Sendable {
        /// The object that has the field.
        package let owner: String
        package let field: FieldSchema
    }

    package init(objects: [SObjectSchema]) {
        self.objects = objects
        positions = Dictionary(uniqueKeysWithValues: objects.enumerated().map { ($1.name.lowercased(), $0) })
        var references: [String: [Reference]] = [:]
        for object in objects {
            for field in object.fields {
                for target in field.referenceTo {
                    references[target.lowercased(), default: []].append(Reference(owner: object.name, field: field))
                }
            }
        }
        self.references = references
    }

    /// The fields that can point to records of an object.
    package func references(to object: SObjectSchema) -> [Reference] { references[object.name.lowercased()] ?? [] }

    /// The object of that name, any case.
    package func object(named name: String) -> SObjectSchema? {
        positions[name.lowercased()].map { objects[$0] }
    }
}

/// One object (`Account`): its fields and the relationships that end at it.
///
/// It is stored in a table of the same name.
package struct SObjectSchema: Sendable {
    package let name: String
    package let label: String
    package let labelPlural: String
    /// The three characters every id of this object begins with.
    package let keyPrefix: String
    /// The fields in describe order; `Id` is the first.
    ///
    /// Each is stored in a column of the same name.
    package let fields: [FieldSchema]
    /// The parent-to-child relationships, usable as `(SELECT … FROM Contacts)`.
    package let childRelationships: [ChildRelationship]
    /// What callers can do with its records.
    package let abilities: ObjectAbilities
    /// The fields whose values a new record may get without being given one.
    package let defaulted: [FieldSchema]
    private let positions: [String: Int]
    private let parents: [String: Int]

    package init(
        name: String, label: String, labelPlural: String, keyPrefix: String, fields: [FieldSchema],
        childRelationships: [ChildRelationship], abilities: ObjectAbilities = .all
    ) {
        self.name = name
        self.label = label
        self.labelPlural = labelPlural
        self.keyPrefix = keyPrefix
        self.fields = fields
        self.childRelationships = childRelationships
        self.abilities = abilities
        defaulted = fields.filter { !$0.defaultValue.isNull || $0.isAutoNumber }
        positions = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.name.lowercased(), $0) })
        parents = Dictionary(
            uniqueKeysWithValues: fields.enumerated().compactMap { position, field in
                field.relationshipName.map { ($0.lowercased(), position) }
            })
    }

    /// Whether somebody has added it to the platform's own.
    package var isCustom: Bool { name.hasBytes(suffix: "__c") }

    /// The field of that name, any case.
    package func field(named name: String) -> FieldSchema? {
        positions[name.lowercased()].map { fields[$0] }
    }

    /// The reference field behind a parent relationship (`Owner` → `OwnerId`), any case.
    package func referenceField(ofRelationship name: String) -> FieldSchema? {
        parents[name.lowercased()].map { fields[$0] }
    }

    /// The child relationship of that name (`Contacts`), any case.
    package func childRelationship(named name: String) -> ChildRelationship? {
        childRelationships.first { $0.name.lowercased() == name.lowercased() }
    }
}

/// A relationship seen from its parent: `Account.Contacts` is `Contact.AccountId`.
package struct ChildRelationship: Sendable {
    package let name: String
    package let childObject: String
    package let field: String

    package init(name: String, childObject: String, field: String) {
        self.name = name
        self.childObject = childObject
        self.field = field
    }
}
