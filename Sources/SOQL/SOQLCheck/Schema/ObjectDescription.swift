// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

/// The description of an object: its fields, picklists, relationships and record types.
///
/// Names are compared without case, as Salesforce does.
public struct ObjectDescription: Sendable {
    /// A relationship from a parent to its children, such as `Account.Contacts` for `Contact.AccountId`.
    public struct ChildRelationship: Sendable, Hashable {
        /// The name in child queries, such as `Contacts`, or `nil` if queries cannot use the relationship.
        public let name: String?
        /// The object of the children.
        public let object: String
        /// The children's field that holds the parent's id.
        public let field: String
        /// Whether deleting the parent deletes the children.
        public let isCascadeDelete: Bool
        /// Whether a parent with children cannot be deleted.
        public let isRestrictedDelete: Bool

        package init(
            name: String?, object: String, field: String, isCascadeDelete: Bool = false,
            isRestrictedDelete: Bool = false
        ) {
            (self.name, self.object, self.field) = (name, object, field)
            (self.isCascadeDelete, self.isRestrictedDelete) = (isCascadeDelete, isRestrictedDelete)
        }
    }

    /// A record type that is visible to the user.
    public struct RecordType: Sendable, Hashable {
        /// The id of the record type.
        public let id: String
        /// The display name.
        public let name: String
        /// The API name, which is `Master` for the record type that every object has.
        public let developerName: String
        /// Whether the record type is active.
        public let isActive: Bool
        /// Whether the user can create records with this record type.
        public let isAvailable: Bool
        /// Whether this is the user's default record type.
        public let isDefault: Bool
        /// Whether this is the record type that every object has.
        public let isMaster: Bool
    }

    /// The part of a description that is also in the list of all objects.
    public struct Summary: Sendable, Hashable {
        /// The API name, such as `Account`.
        public let name: String
        /// The display names for one record and for several records.
        public let label: String, labelPlural: String
        /// The first three characters of each record id, or `nil` for objects without their own ids.
        public let keyPrefix: String?
        /// Whether the object was added by the org or a package.
        public let isCustom: Bool
        /// Whether the user can create, update, delete and undelete records.
        public let isCreateable: Bool, isUpdateable: Bool, isDeletable: Bool, isUndeletable: Bool
        /// Whether records can be read by queries, by searches and by id.
        public let isQueryable: Bool, isSearchable: Bool, isRetrieveable: Bool

        /// Creates a summary of an object that queries can read and searches cannot.
        package init(
            _ name: String, label: String, labelPlural: String, keyPrefix: String?, isCreateable: Bool,
            isUpdateable: Bool, isDeletable: Bool, isUndeletable: Bool
        ) {
            (self.name, self.label, self.labelPlural, self.keyPrefix) = (name, label, labelPlural, keyPrefix)
            (self.isCreateable, self.isUpdateable) = (isCreateable, isUpdateable)
            (self.isDeletable, self.isUndeletable) = (isDeletable, isUndeletable)
            (isCustom, isQueryable, isSearchable, isRetrieveable) = (name.hasBytes(suffix: "__c"), true, false, true)
        }
    }

    /// The description of a field.
    public struct Field: Sendable, Hashable {
        /// The type of a field, which is an open set.
        public struct Kind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
            /// Salesforce's name of the type, such as `string` or `reference`.
            public let rawValue: String

            /// Creates a kind from Salesforce's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Creates a kind from a literal.
            public init(stringLiteral value: String) { rawValue = value }

            /// The record's own id, and the id of another record.
            public static let id: Kind = "id", reference: Kind = "reference"
            /// Text in one line, in several lines, and in special formats.
            public static let string: Kind = "string", textarea: Kind = "textarea", email: Kind = "email",
                phone: Kind = "phone", url: Kind = "url", encrypted: Kind = "encryptedstring"
            /// Single-select picklist, multi-select picklist, and combobox (picklist or free text).
            public static let picklist: Kind = "picklist", multipicklist: Kind = "multipicklist",
                combobox: Kind = "combobox"
            /// A Boolean.
            public static let boolean: Kind = "boolean"
            /// Numbers.
            public static let int: Kind = "int", double: Kind = "double", currency: Kind = "currency",
                percent: Kind = "percent"
            /// Dates and times.
            public static let date: Kind = "date", datetime: Kind = "datetime", time: Kind = "time"
            /// The bytes of a file.
            public static let base64: Kind = "base64"
            /// Compound fields.
            public static let address: Kind = "address", location: Kind = "location"
        }

        /// The API name.
        public let name: String
        /// The display name.
        public package(set) var label: String
        /// The help text that the org shows to users, or `nil` if there is none.
        public package(set) var help: String?
        /// The type of the field.
        public package(set) var kind: Kind
        /// The maximum length of a string in characters, or 0 if the field is not a string.
        public package(set) var length = 0
        /// The maximum number of digits of a number, in total and after the decimal point, or 0 for no limit.
        public package(set) var precision = 0, scale = 0
        /// Whether the field can be null.
        public package(set) var isNillable = true
        /// Whether the user can set the field in new records and in existing records.
        public package(set) var isCreateable = true, isUpdateable = true
        /// Whether the org sets a value if a new record omits the field.
        public package(set) var isDefaultedOnCreate = false
        /// Whether queries can filter, sort, group and aggregate by the field.
        public package(set) var isFilterable = true, isSortable = true, isGroupable = true, isAggregatable = true
        /// Whether the field is the name of the record, and whether its values are unique.
        public package(set) var isNameField = false, isUnique = false
        /// Whether the field can identify a record in an upsert.
        public package(set) var isExternalID = false
        /// Whether the field was added by the org or a package.
        public package(set) var isCustom: Bool
        /// Whether the org calculates the value by a formula, and whether it numbers records automatically.
        public package(set) var isCalculated = false, isAutoNumber = false
        /// Whether values that are not in the picklist are rejected.
        public package(set) var isRestrictedPicklist = false
        /// The picklist values in order, or an empty list for other kinds.
        public package(set) var picklistValues: [PicklistValue] = []
        /// The field that controls the available picklist values.
        public package(set) var controllerName: String?
        /// The objects that a reference can point to, and the name of the relationship (`Owner` for `OwnerId`).
        public package(set) var referenceTo: [String] = [], relationshipName: String?
        /// The default value for new records, or `null` if there is none.
        public package(set) var defaultValue = JSONValue.null

        /// Creates a field that allows everything and has no other flags.
        package init(_ name: String, label: String? = nil, kind: Kind) {
            (self.name, self.label, self.kind) = (name, label ?? name, kind)
            isCustom = name.hasBytes(suffix: "__c")
        }

        /// Whether new records must have a value for the field.
        public var isRequired: Bool { isCreateable && !isNillable && !isDefaultedOnCreate && kind != .boolean }

        /// The kind of the values, or `nil` if it is unknown.
        package var valueKind: ValueKind? { ValueKind(type: kind.rawValue) }
        /// Whether the field can point to records of several objects, such as an owner (a user or a queue).
        package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }
    }

    /// One value of a picklist.
    public struct PicklistValue: Sendable, Hashable {
        /// The value in records.
        public let value: String
        /// The display name.
        public let label: String
        /// Whether the value can be selected.
        public let isActive: Bool
        /// Whether the value is the default for new records.
        public let isDefault: Bool
        /// A bitmap of the values of the controlling field for which this value is available.
        ///
        /// The first value is the highest bit of the first byte. Empty if there is no controlling field.
        public let validFor: [UInt8]

        package init(
            _ value: String, label: String? = nil, isActive: Bool = true, isDefault: Bool = false,
            validFor: [UInt8] = []
        ) {
            (self.value, self.label, self.isActive, self.isDefault) = (value, label ?? value, isActive, isDefault)
            self.validFor = validFor
        }

        /// Returns whether the value is available for the controlling value at a zero-based index.
        public func isValid(forControllingValue number: Int) -> Bool {
            guard number >= 0, number / 8 < validFor.count else { return false }
            return validFor[number / 8] & (0x80 >> UInt8(number % 8)) != 0
        }
    }

    /// The part of the description that is also in the list of all objects.
    public let summary: Summary
    /// The fields, in the server's order.
    public let fields: [Field]
    /// The relationships to children.
    public let childRelationships: [ChildRelationship]
    /// The record types.
    public let recordTypes: [RecordType]
    /// The whole response of the server.
    public let json: JSONObject

    private let positions: [String: Int]
    private let parents: [String: Int]

    package init(
        _ summary: Summary, fields: [Field], childRelationships: [ChildRelationship], recordTypes: [RecordType] = [],
        json: JSONObject = [:]
    ) {
        (self.summary, self.fields, self.childRelationships) = (summary, fields, childRelationships)
        (self.recordTypes, self.json) = (recordTypes, json)
        positions = Dictionary(fields.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in first }
        parents = Dictionary(
            fields.enumerated().compactMap { position, field in
                field.relationshipName.map { ($0.lowercased(), position) }
            }
        ) { first, _ in first }
    }

    /// The API name of the object.
    public var name: String { summary.name }

    /// Returns the field with this name, in any case.
    public subscript(field: String) -> Field? { position(ofField: field).map { fields[$0] } }

    /// The index of the field with this name, in any case, or of the reference field with this relationship name.
    package func position(ofField name: String) -> Int? { positions[name.lowercased()] }
    package func position(ofParent relationship: String) -> Int? { parents[relationship.lowercased()] }

    /// Returns the child relationship with this name, in any case.
    public func childRelationship(named name: String) -> ChildRelationship? {
        childRelationships.first { $0.name?.lowercased() == name.lowercased() }
    }

    /// Returns the reference field with this relationship name, in any case, such as `OwnerId` for `Owner`.
    public func parentField(named relationship: String) -> Field? {
        position(ofParent: relationship).map { fields[$0] }
    }

    /// Returns the active values of a picklist, for a value of its controlling field if there is one.
    ///
    /// - Parameters:
    ///   - field: the picklist.
    ///   - controller: the value of the controlling field, which is `true` or `false` for a checkbox. Ignored if the
    ///     picklist has no controlling field.
    /// - Returns: the active values, an empty list if the controlling field does not have the value, or `nil` if the
    ///   object lacks the field or its controlling field.
    public func picklistValues(of field: String, where controller: String? = nil) -> [PicklistValue]? {
        guard let field = self[field] else { return nil }
        let active = field.picklistValues.filter(\.isActive)
        guard let name = field.controllerName else { return active }
        guard let controlling = self[name] else { return nil }
        let values = controlling.kind == .boolean ? ["false", "true"] : controlling.picklistValues.map(\.value)
        guard let controller, let number = values.firstIndex(of: controller) else { return [] }
        return active.filter { $0.isValid(forControllingValue: number) }
    }

    package var namedChildren: [(name: String, relationship: ChildRelationship)] {
        childRelationships.compactMap { child in child.name.map { ($0, child) } }
    }

    /// A copy with fields and relationships sorted by name, without relationships that queries cannot use.
    package var sorted: ObjectDescription {
        ObjectDescription(
            summary, fields: fields.sorted { $0.name.isBefore($1.name) },
            childRelationships: namedChildren.sorted { $0.name.isBefore($1.name) }.map(\.relationship),
            recordTypes: recordTypes, json: json)
    }
}

extension ObjectDescription: Hashable {
    /// Returns whether both describe the same object in the same way.
    public static func == (left: ObjectDescription, right: ObjectDescription) -> Bool {
        left.summary == right.summary && left.fields == right.fields
            && left.childRelationships == right.childRelationships && left.recordTypes == right.recordTypes
    }

    /// Hashes the summary and the number of fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(summary)
        hasher.combine(fields.count)
    }
}

extension String {
    /// Compares names in a schema by lower case letters, independent of the locale.
    func isBefore(_ other: String) -> Bool {
        let (own, others) = (lowercased(), other.lowercased())
        return own == others ? self < other : own < others
    }
}
