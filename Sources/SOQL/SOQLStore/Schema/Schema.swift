// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import SOQLCheck

/// The objects of an org, whose names are compared without case, as in Salesforce.
package struct Schema: Sendable {
    /// Every object, in the order of the describe response.
    package let objects: [SObjectSchema]
    /// The descriptions that queries are checked against.
    package let queries: QuerySchema
    private let positions: [String: Int]
    private let references: [String: [Reference]]

    /// A field whose ids can refer to records of an object.
    package struct Reference: Sendable {
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

    /// Returns the fields that can point to records of an object.
    package func references(to object: SObjectSchema) -> [Reference] { references[object.name.lowercased()] ?? [] }

    package func object(named name: String) -> SObjectSchema? {
        positions[name.lowercased()].map { objects[$0] }
    }
}

/// An object (such as `Account`) with its description, stored in a table with the object's name.
package struct SObjectSchema: Sendable {
    package let description: ObjectDescription
    /// The fields in describe order, beginning with `Id`, each stored in a column with the field's name.
    package let fields: [FieldSchema]
    package let abilities: ObjectAbilities
    /// The fields that can get a value in a new record that omits them.
    package let defaulted: [FieldSchema]
    /// The time when an event is published, or `nil` for an object with records.
    package let publishing: EventPublishing?

    package init(
        name: String, label: String, labelPlural: String, keyPrefix: String, fields: [FieldSchema],
        childRelationships: [ChildRelationship], abilities: ObjectAbilities = .all, publishing: EventPublishing? = nil
    ) {
        let summary = ObjectDescription.Summary(
            name, label: label, labelPlural: labelPlural, keyPrefix: keyPrefix,
            isCreateable: abilities.contains(.create), isUpdateable: abilities.contains(.update),
            isDeletable: abilities.contains(.delete), isUndeletable: abilities.contains(.undelete))
        description = ObjectDescription(
            summary, fields: fields.map(\.described), childRelationships: childRelationships)
        (self.fields, self.abilities, self.publishing) = (fields, abilities, publishing)
        defaulted = fields.filter { !$0.defaultValue.isNull || $0.isAutoNumber }
    }

    package var name: String { description.name }
    package var label: String { description.summary.label }
    package var labelPlural: String { description.summary.labelPlural }
    /// The first three characters of the object's ids.
    package var keyPrefix: String { description.summary.keyPrefix ?? "" }
    package var childRelationships: [ChildRelationship] { description.childRelationships }
    package var isCustom: Bool { description.summary.isCustom }

    package func field(named name: String) -> FieldSchema? {
        description.position(ofField: name).map { fields[$0] }
    }

    /// Returns the reference field of a parent relationship (`OwnerId` for `Owner`), in any case.
    package func referenceField(ofRelationship name: String) -> FieldSchema? {
        description.position(ofParent: name).map { fields[$0] }
    }

    /// Returns the child relationship with this name (`Contacts`), in any case.
    package func childRelationship(named name: String) -> ChildRelationship? {
        description.childRelationship(named: name)
    }
}

package typealias ChildRelationship = ObjectDescription.ChildRelationship
package typealias PicklistValue = ObjectDescription.PicklistValue

/// The time when an event of an object is published, whose raw values are those of a metadata description.
package enum EventPublishing: String, Sendable {
    /// At the commit of the transaction.
    case afterCommit = "PublishAfterCommit"
    /// At once, even if the transaction is rolled back.
    case immediately = "PublishImmediately"
}

/// The write operations on the records of an object.
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

/// A field of an object, with its description and the way it is stored.
package struct FieldSchema: Sendable {
    /// The description, without the flags about queries.
    package var description: ObjectDescription.Field
    package let type: FieldType
    /// The rule for a record when the record that this field points to is deleted.
    package var deletion = DeletionRule.clear
    package var components: [Component] = []

    /// A component of an address or a geolocation.
    package struct Component: Sendable {
        /// The key in the value (`city`).
        package let key: String
        /// The field that contains the component (`BillingCity`).
        package let field: String

        package init(key: String, field: String) {
            self.key = key
            self.field = field
        }
    }

    package init(_ description: ObjectDescription.Field, type: FieldType) {
        (self.description, self.type) = (description, type)
        self.description.kind = .init(rawValue: type.rawValue)
    }

    /// The description with the flags about queries, which depend on the type.
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
    /// Whether the field can be used in `/sobjects/T/FIELD/VALUE`.
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
    /// Whether the field can point to records of several objects here or in Salesforce (an owner can be a queue).
    package var isPolymorphic: Bool { description.isPolymorphic }
}

extension FieldSchema {
    /// Whether the org has an index with the order of the field, so that conditions and orders by it are fast.
    ///
    /// These are the fields that Salesforce has indexes for: the name, the owner, the dates of the record's history,
    /// and e-mail addresses. Picklists have indexes too, because records are grouped by them.
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

    /// The fields that the store writes, which are the last fields of every object.
    package static let audit = [
        own("IsDeleted", .boolean, "Deleted"),
        own("CreatedDate", .datetime, "Created Date"),
        own("CreatedById", .reference, "Created By ID", length: 18, "CreatedBy"),
        own("LastModifiedDate", .datetime, "Last Modified Date"),
        own("LastModifiedById", .reference, "Last Modified By ID", length: 18, "LastModifiedBy"),
        own("SystemModstamp", .datetime, "System Modstamp"),
    ]

    /// The fields of every event that the org sets, after those of every object.
    package static let event = [
        own("ReplayId", .string, "Replay ID", length: 1_000), own("EventUuid", .string, "Event UUID", length: 36),
    ]

    private static func own(
        _ name: String, _ type: FieldType, _ label: String, length: Int = 0, _ relationship: String? = nil
    ) -> FieldSchema {
        FieldSchema(
            name: name, label: label, type: type, length: length, isNillable: false, isCreateable: false,
            isUpdateable: false, referenceTo: relationship == nil ? [] : ["User"], relationshipName: relationship)
    }
}

/// Salesforce's field types (the `type` in a describe), and the way they are stored.
package enum FieldType: String, Sendable {
    /// Stored as TEXT with 18 characters.
    case id, reference
    /// Stored as TEXT and compared without case.
    case string, picklist, multipicklist, textarea, email, phone, url, combobox, encryptedstring
    /// The bytes of a file, stored in a separate table.
    ///
    /// The column is an empty TEXT if the file exists.
    case base64
    /// Stored as INTEGER 0 or 1.
    case boolean
    /// Stored as INTEGER.
    case int
    /// Stored as REAL.
    case double, currency, percent
    /// Stored as TEXT `YYYY-MM-DD`.
    case date
    /// Stored as TEXT in UTC as sent, `2026-01-29T10:11:12.000+0000`, so that strings sort by time.
    case datetime
    /// Stored as TEXT, such as `10:11:12.000Z`.
    case time
    /// Not stored: a JSON object that is computed from the components.
    case location, address

    package var isCompound: Bool { self == .location || self == .address }
}

/// The effect of a deletion on the records that point to the deleted record.
package enum DeletionRule: String, Sendable {
    /// The reference is cleared, and restored together with the record.
    case clear
    /// The records are deleted and restored together with the record.
    case cascade
    /// The record cannot be deleted while such records exist.
    case restrict
}

/// A user's use of a record, whose raw value is the field with its time.
package enum RecordUsage: String, Sendable, CaseIterable {
    /// The user has viewed the record.
    case viewed = "LastViewedDate"
    /// The user has viewed the record or a related record.
    case referenced = "LastReferencedDate"
}

extension FieldSchema {
    /// The usage that the field reports, which is not stored in the record, or `nil`.
    package var usage: RecordUsage? { type == .datetime ? RecordUsage(rawValue: name) : nil }
}

extension SObjectSchema {
    /// Whether the store records which records of the object its users view.
    var isViewed: Bool { fields.contains { $0.usage != nil } }
}
