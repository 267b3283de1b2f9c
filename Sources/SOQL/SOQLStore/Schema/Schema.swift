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
        queries = QuerySchema(whole: (objects + [RecentlyViewed.object]).map(QuerySchema.Object.init))
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

/// One field of an object.
package struct FieldSchema: Sendable {
    package let name: String
    package var label: String
    package let type: FieldType
    /// Characters, for text; 0 elsewhere.
    package var length: Int
    package let isNillable: Bool
    package let isCreateable: Bool
    package let isUpdateable: Bool
    /// Usable in `/sobjects/T/FIELD/VALUE`.
    package let isExternalId: Bool
    package let isUnique: Bool
    package let isNameField: Bool
    package var picklistValues: [PicklistValue]
    /// Whether values outside the list are refused.
    package var isRestricted = false
    /// The digits of a number in all, and behind its point; 0 where there is no limit.
    package var precision = 0
    package var scale = 0
    /// What a new record gets that is given no value; null for nothing.
    package var defaultValue = JSONValue.null
    /// Whether a new record may leave it out although it is never null.
    package var isDefaultedOnCreate = false
    /// Whether it has a formula, which the org does not compute.
    package var isCalculated = false
    /// Whether the org counts its values.
    package var isAutoNumber = false
    /// What happens to a record when the one that this field points to is deleted.
    package var deletion = DeletionRule.clear
    /// The fields that it consists of, with the names that they have in its value.
    package var components: [Component] = []
    /// The objects an id in this field can point to; one for all objects of the embedded org except polymorphic fields.
    package var referenceTo: [String]
    /// The name of the parent relationship (`Owner` for `OwnerId`).
    package let relationshipName: String?

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

    /// Whether it can point to records of several objects, here or on the platform, where a queue can own a record too.
    package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }

    package init(
        name: String, label: String, type: FieldType, length: Int = 0, isNillable: Bool = true,
        isCreateable: Bool = true, isUpdateable: Bool = true, isExternalId: Bool = false, isUnique: Bool = false,
        isNameField: Bool = false, picklistValues: [PicklistValue] = [], referenceTo: [String] = [],
        relationshipName: String? = nil
    ) {
        self.name = name
        self.label = label
        self.type = type
        self.length = length
        self.isNillable = isNillable
        self.isCreateable = isCreateable
        self.isUpdateable = isUpdateable
        self.isExternalId = isExternalId
        self.isUnique = isUnique
        self.isNameField = isNameField
        self.picklistValues = picklistValues
        self.referenceTo = referenceTo
        self.relationshipName = relationshipName
    }
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

/// One choice of a picklist.
package struct PicklistValue: Sendable, Hashable {
    package let value: String
    package let label: String
    package let isActive: Bool
    /// Whether a new record that is given no value gets this one.
    package let isDefault: Bool

    package init(_ value: String, label: String? = nil, isActive: Bool = true, isDefault: Bool = false) {
        self.value = value
        self.label = label ?? value
        self.isActive = isActive
        self.isDefault = isDefault
    }
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

extension QuerySchema.Object {
    fileprivate init(_ object: SObjectSchema) {
        self.init(
            name: object.name, label: object.label, fields: object.fields.map(QuerySchema.Field.init),
            childRelationships: object.childRelationships.map {
                .init(name: $0.name, childObject: $0.childObject, field: $0.field)
            })
    }
}

extension QuerySchema.Field {
    fileprivate init(_ field: FieldSchema) {
        self.init(
            name: field.name, label: field.label, type: field.type.rawValue, isNillable: field.isNillable,
            isFilterable: !field.isUnindexed, isSortable: !field.isUnindexed, isGroupable: field.isGroupable,
            isAggregatable: !field.isUnindexed,
            picklistValues: field.picklistValues.map {
                .init(value: $0.value, label: $0.label, isActive: $0.isActive, isDefault: $0.isDefault)
            }, referenceTo: field.referenceTo, relationshipName: field.relationshipName)
    }
}
