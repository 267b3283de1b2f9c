// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import SOQLCheck

/// The objects an org knows.
///
/// Names are looked up without case, as the platform does.
package struct Schema: Sendable {
    /// Every object, in the order of the describe answer.
    package let objects: [SObjectSchema]
    /// The objects as queries see them.
    package let queries: QuerySchema
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
        queries = QuerySchema(whole: (objects + [RecentlyViewed.object]).map(\.description))
    }

    /// The fields that can point to records of an object.
    package func references(to object: SObjectSchema) -> [Reference] { references[object.name.lowercased()] ?? [] }

    /// The object of that name, any case.
    package func object(named name: String) -> SObjectSchema? {
        positions[name.lowercased()].map { objects[$0] }
    }
}

/// One object (`Account`): its description, and how the org stores it.
///
/// It is stored in a table of the same name.
package struct SObjectSchema: Sendable {
    /// The object as queries and describes see it.
    package let description: ObjectDescription
    /// The fields in describe order; `Id` is the first.
    ///
    /// Each is stored in a column of the same name.
    package let fields: [FieldSchema]
    /// What callers can do with its records.
    package let abilities: ObjectAbilities
    /// The fields whose values a new record may get without being given one.
    package let defaulted: [FieldSchema]

    package init(
        name: String, label: String, labelPlural: String, keyPrefix: String, fields: [FieldSchema],
        childRelationships: [ChildRelationship], abilities: ObjectAbilities = .all
    ) {
        let summary = ObjectDescription.Summary(
            name, label: label, labelPlural: labelPlural, keyPrefix: keyPrefix,
            isCreateable: abilities.contains(.create), isUpdateable: abilities.contains(.update),
            isDeletable: abilities.contains(.delete), isUndeletable: abilities.contains(.undelete))
        description = ObjectDescription(
            summary, fields: fields.map(\.described), childRelationships: childRelationships)
        (self.fields, self.abilities) = (fields, abilities)
        defaulted = fields.filter { !$0.defaultValue.isNull || $0.isAutoNumber }
    }

    package var name: String { description.name }
    package var label: String { description.summary.label }
    package var labelPlural: String { description.summary.labelPlural }
    /// The three characters every id of this object begins with.
    package var keyPrefix: String { description.summary.keyPrefix ?? "" }
    /// The parent-to-child relationships, usable as `(SELECT … FROM Contacts)`.
    package var childRelationships: [ChildRelationship] { description.childRelationships }
    /// Whether somebody has added it to the platform's own.
    package var isCustom: Bool { description.summary.isCustom }

    /// The field of that name, any case.
    package func field(named name: String) -> FieldSchema? {
        description.position(ofField: name).map { fields[$0] }
    }

    /// The reference field behind a parent relationship (`Owner` → `OwnerId`), any case.
    package func referenceField(ofRelationship name: String) -> FieldSchema? {
        description.position(ofParent: name).map { fields[$0] }
    }

    /// The child relationship of that name (`Contacts`), any case.
    package func childRelationship(named name: String) -> ChildRelationship? {
        description.childRelationship(named: name)
    }
}

package typealias ChildRelationship = ObjectDescription.ChildRelationship
package typealias PicklistValue = ObjectDescription.PicklistValue

/// What callers can do with the records of an object besides reading them.
package struct ObjectAbilities: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let create = ObjectAbilities(rawValue: 1)
    package static let update = ObjectAbilities(rawValue: 2)
    package static let delete = ObjectAbilities(rawValue: 4)
    package static let undelete = ObjectAbilities(rawValue: 8)
    package static let all: ObjectAbilities = [.create, .update, .delete, .undelete]
}

/// One field of an object: its description, and how the org stores it.
package struct FieldSchema: Sendable {
    /// The description, without what queries can do with it.
    package var description: ObjectDescription.Field
    package let type: FieldType
    /// What happens to a record when the one that this field points to is deleted.
    package var deletion = DeletionRule.clear
    /// The fields that it consists of, with the names that they have in its value.
    package var components: [Component] = []

    /// A part of an address or a place.
    package struct Component: Sendable {
        /// Its name in the value (`city`).
        package let key: String
        /// The field that holds it (`BillingCity`).
        package let field: String

        package init(key: String, field: String) {
            self.key = key
            self.field = field
        }
    }

    /// A field that is stored so.
    package init(_ description: ObjectDescription.Field, type: FieldType) {
        (self.description, self.type) = (description, type)
        self.description.kind = .init(rawValue: type.rawValue)
    }

    /// The field as queries and describes see it: what they can do with it follows from its type.
    fileprivate var described: ObjectDescription.Field {
        var field = description
        let isOpen = !isUnindexed
        (field.isFilterable, field.isSortable, field.isAggregatable) = (isOpen, isOpen, isOpen)
        field.isGroupable = isGroupable
        return field
    }

    package init(
        name: String, label: String, type: FieldType, length: Int = 0, isNillable: Bool = true,
        isCreateable: Bool = true, isUpdateable: Bool = true, isExternalId: Bool = false, isUnique: Bool = false,
        isNameField: Bool = false, picklistValues: [PicklistValue] = [], referenceTo: [String] = [],
        relationshipName: String? = nil
    ) {
        var field = ObjectDescription.Field(name, label: label, kind: .init(rawValue: type.rawValue))
        (field.length, field.isNillable, field.isCreateable) = (length, isNillable, isCreateable)
        (field.isUpdateable, field.isExternalID, field.isUnique) = (isUpdateable, isExternalId, isUnique)
        (field.isNameField, field.picklistValues) = (isNameField, picklistValues)
        (field.referenceTo, field.relationshipName) = (referenceTo, relationshipName)
        self.init(field, type: type)
    }
}

extension FieldSchema {
    package var name: String { description.name }
    package var label: String { description.label }
    package var length: Int { description.length }
    package var precision: Int { description.precision }
    package var scale: Int { description.scale }
    package var isNillable: Bool { description.isNillable }
    package var isCreateable: Bool { description.isCreateable }
    package var isUpdateable: Bool { description.isUpdateable }
    /// Usable in `/sobjects/T/FIELD/VALUE`.
    package var isExternalId: Bool { description.isExternalID }
    package var isUnique: Bool { description.isUnique }
    package var isNameField: Bool { description.isNameField }
    package var picklistValues: [PicklistValue] { description.picklistValues }
    package var isRestricted: Bool { description.isRestrictedPicklist }
    package var defaultValue: JSONValue { description.defaultValue }
    package var isDefaultedOnCreate: Bool { description.isDefaultedOnCreate }
    package var isCalculated: Bool { description.isCalculated }
    package var isAutoNumber: Bool { description.isAutoNumber }
    package var referenceTo: [String] { description.referenceTo }
    package var relationshipName: String? { description.relationshipName }
    /// Whether it can point to records of several objects, here or on the platform, where a queue can own a record too.
    package var isPolymorphic: Bool { description.isPolymorphic }
}

extension FieldSchema {
    /// Whether the org keeps its records in the order of the field, so that conditions and orders by it are quick.
    ///
    /// These are the fields that the platform has indexes for: the name, the owner, dates of the record's own history,
    /// and addresses for mail. Picklists are here too, because records are grouped by them.
    package var isOrdered: Bool {
        switch type {
        case .picklist, .email: true
        case .string: isNameField
        case .datetime: ["CreatedDate", "LastModifiedDate", "SystemModstamp"].contains(name)
        case .reference: name == "OwnerId"
        default: false
        }
    }
}

extension FieldSchema {
    /// `Id`, the first field of every object.
    package static let recordID = own("Id", .id, "Record ID", length: 18)

    /// The fields that the store itself writes, the last ones of every object.
    package static let audit = [
        own("IsDeleted", .boolean, "Deleted"),
        own("CreatedDate", .datetime, "Created Date"),
        own("CreatedById", .reference, "Created By ID", length: 18, "CreatedBy"),
        own("LastModifiedDate", .datetime, "Last Modified Date"),
        own("LastModifiedById", .reference, "Last Modified By ID", length: 18, "LastModifiedBy"),
        own("SystemModstamp", .datetime, "System Modstamp"),
    ]

    private static func own(
        _ name: String, _ type: FieldType, _ label: String, length: Int = 0, _ relationship: String? = nil
    ) -> FieldSchema {
        FieldSchema(
            name: name, label: label, type: type, length: length, isNillable: false, isCreateable: false,
            isUpdateable: false, referenceTo: relationship == nil ? [] : ["User"], relationshipName: relationship)
    }
}

/// The platform's field types (the `type` of a describe answer) and how each is stored.
package enum FieldType: String, Sendable {
    /// Stored as TEXT, 18 characters.
    case id, reference
    /// Stored as TEXT, compared without case.
    case string, picklist, multipicklist, textarea, email, phone, url, combobox, encryptedstring
    /// The bytes of a file, in a table of their own; here stands an empty TEXT where there are some.
    case base64
    /// Stored as INTEGER 0 or 1.
    case boolean
    /// Stored as INTEGER.
    case int
    /// Stored as REAL.
    case double, currency, percent
    /// Stored as TEXT `YYYY-MM-DD`.
    case date
    /// Stored as TEXT in UTC exactly as it goes on the wire, `2026-01-29T10:11:12.000+0000`, so that text order is time
    /// order.
    case datetime
    /// Stored as TEXT, `10:11:12.000Z`.
    case time
    /// Stored nowhere: a JSON text that is made of the fields that it consists of.
    case location, address

    /// Whether it consists of other fields.
    package var isCompound: Bool { self == .location || self == .address }
}

/// What the deletion of a record does to those that point to it.
package enum DeletionRule: String, Sendable {
    /// The field becomes empty; a restored record gets it back.
    case clear
    /// They are deleted with it, and restored with it.
    case cascade
    /// As long as there are any, the record cannot be deleted.
    case restrict
}

/// What the asking user has done with a record; the raw value is the field that tells when.
package enum RecordUsage: String, Sendable, CaseIterable {
    /// The user has looked at it.
    case viewed = "LastViewedDate"
    /// The user has looked at it, or at a record beside it.
    case referenced = "LastReferencedDate"
}

extension FieldSchema {
    /// What of the user's doings the field tells; such a field is stored nowhere in the record itself.
    package var usage: RecordUsage? { type == .datetime ? RecordUsage(rawValue: name) : nil }
}

extension SObjectSchema {
    /// Whether the store keeps which records of the object its users look at.
    var isViewed: Bool { fields.contains { $0.usage != nil } }
}
