// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

/// The description of an object: its fields, picklists, relationships and record types.
///
/// Names are looked up without case, as the platform does.
public struct ObjectDescription: Sendable {
    /// A relationship seen from its parent: `Account.Contacts` is `Contact.AccountId`.
    public struct ChildRelationship: Sendable, Hashable {
        /// The name in child queries, such as `Contacts`; `nil` for one that queries cannot name.
        public let name: String?
        /// The object of the children.
        public let object: String
        /// The children's field that holds the parent's id.
        public let field: String
        /// Whether children go with their parent when it is deleted.
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

    /// A record type that the user may see.
    public struct RecordType: Sendable, Hashable {
        /// Its id.
        public let id: String
        /// The name for people.
        public let name: String
        /// The name for code; `Master` for the one that every object has.
        public let developerName: String
        /// Whether it is in use.
        public let isActive: Bool
        /// Whether the user may make records of it.
        public let isAvailable: Bool
        /// Whether new records of the user get it.
        public let isDefault: Bool
        /// Whether it is the one that every object has.
        public let isMaster: Bool
    }

    /// The part of a description that the list of all objects has too.
    public struct Summary: Sendable, Hashable {
        /// The name, such as `Account`.
        public let name: String
        /// The name for people, of one record and of several.
        public let label: String, labelPlural: String
        /// The three characters that each id begins with; `nil` for objects without ids of their own.
        public let keyPrefix: String?
        /// Whether the org or a package added it.
        public let isCustom: Bool
        /// What the user may do.
        public let isCreateable: Bool, isUpdateable: Bool, isDeletable: Bool, isUndeletable: Bool
        /// What queries and searches may do.
        public let isQueryable: Bool, isSearchable: Bool, isRetrieveable: Bool

        /// An object that queries can read and searches cannot.
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
        /// The kind of a field: an open set.
        public struct Kind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
            /// The platform's word, such as `string` or `reference`.
            public let rawValue: String

            /// Wraps a word.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Wraps a word.
            public init(stringLiteral value: String) { rawValue = value }

            /// The record's own id, and that of another record.
            public static let id: Kind = "id", reference: Kind = "reference"
            /// Texts of one line, of several, and of special forms.
            public static let string: Kind = "string", textarea: Kind = "textarea", email: Kind = "email",
                phone: Kind = "phone", url: Kind = "url", encrypted: Kind = "encryptedstring"
            /// Single-select picklist, multi-select picklist, and combobox (picklist or free text).
            public static let picklist: Kind = "picklist", multipicklist: Kind = "multipicklist",
                combobox: Kind = "combobox"
            /// True or false.
            public static let boolean: Kind = "boolean"
            /// Numbers.
            public static let int: Kind = "int", double: Kind = "double", currency: Kind = "currency",
                percent: Kind = "percent"
            /// Days and times.
            public static let date: Kind = "date", datetime: Kind = "datetime", time: Kind = "time"
            /// The bytes of a file.
            public static let base64: Kind = "base64"
            /// What consists of other fields.
            public static let address: Kind = "address", location: Kind = "location"
        }

        /// The name.
        public let name: String
        /// The name for people.
        public package(set) var label: String
        /// The help text that the org shows to its users; `nil` for none.
        public package(set) var help: String?
        /// Its kind.
        public package(set) var kind: Kind
        /// The longest text, in characters; 0 where that has no meaning.
        public package(set) var length = 0
        /// The digits of a number in all, and behind its point; 0 where there is no limit.
        public package(set) var precision = 0, scale = 0
        /// Whether it may be empty.
        public package(set) var isNillable = true
        /// Whether the user may set it in a new record, and change it.
        public package(set) var isCreateable = true, isUpdateable = true
        /// Whether the org fills it in when a new record leaves it out.
        public package(set) var isDefaultedOnCreate = false
        /// Whether queries may filter, sort, group and aggregate by it.
        public package(set) var isFilterable = true, isSortable = true, isGroupable = true, isAggregatable = true
        /// Whether it names the record, and whether no two records have the same value.
        public package(set) var isNameField = false, isUnique = false
        /// Whether it can name a record in an upsert.
        public package(set) var isExternalID = false
        /// Whether the org or a package added it.
        public package(set) var isCustom: Bool
        /// Whether the org computes it: by a formula, or by counting.
        public package(set) var isCalculated = false, isAutoNumber = false
        /// Whether values outside the list are refused.
        public package(set) var isRestrictedPicklist = false
        /// The choices, in order; empty for other kinds.
        public package(set) var picklistValues: [PicklistValue] = []
        /// The field whose value decides which choices there are.
        public package(set) var controllerName: String?
        /// The objects that an id in it can be of, and the name of the relationship (`Owner` of `OwnerId`).
        public package(set) var referenceTo: [String] = [], relationshipName: String?
        /// What a new record gets; `null` for nothing.
        public package(set) var defaultValue = JSONValue.null

        /// A field that is open to everything; nothing else is true of it.
        package init(_ name: String, label: String? = nil, kind: Kind) {
            (self.name, self.label, self.kind) = (name, label ?? name, kind)
            isCustom = name.hasBytes(suffix: "__c")
        }

        /// Whether a new record must have a value.
        public var isRequired: Bool { isCreateable && !isNillable && !isDefaultedOnCreate && kind != .boolean }

        /// The kind of its values; `nil` if it is not known here.
        package var valueKind: ValueKind? { ValueKind(type: kind.rawValue) }
        /// Whether it can point to records of several objects; a queue can own a record too.
        package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }
    }

    /// One choice of a picklist.
    public struct PicklistValue: Sendable, Hashable {
        /// The value as records have it.
        public let value: String
        /// The value for people.
        public let label: String
        /// Whether it may be chosen.
        public let isActive: Bool
        /// Whether new records get it.
        public let isDefault: Bool
        /// A bit for each value of the controlling field, the first one in the highest bit of the first byte; empty
        /// where there is no controlling field.
        public let validFor: [UInt8]

        package init(
            _ value: String, label: String? = nil, isActive: Bool = true, isDefault: Bool = false,
            validFor: [UInt8] = []
        ) {
            (self.value, self.label, self.isActive, self.isDefault) = (value, label ?? value, isActive, isDefault)
            self.validFor = validFor
        }

        /// Whether the value may be chosen where the controlling field has its value of this number, from 0.
        public func isValid(forControllingValue number: Int) -> Bool {
            guard number >= 0, number / 8 < validFor.count else { return false }
            return validFor[number / 8] & (0x80 >> UInt8(number % 8)) != 0
        }
    }

    /// The part of the description that the list of all objects has too.
    public let summary: Summary
    /// The fields, in the server's order.
    public let fields: [Field]
    /// The relationships that lead to children.
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

    /// The object's name.
    public var name: String { summary.name }

    /// The field of that name, in any case.
    public subscript(field: String) -> Field? { position(ofField: field).map { fields[$0] } }

    /// The index of the field of that name, in any case, and of the field behind the relationship of that name.
    package func position(ofField name: String) -> Int? { positions[name.lowercased()] }
    package func position(ofParent relationship: String) -> Int? { parents[relationship.lowercased()] }

    /// The relationship to children of that name, in any case.
    public func childRelationship(named name: String) -> ChildRelationship? {
        childRelationships.first { $0.name?.lowercased() == name.lowercased() }
    }

    /// The relationship to a parent of that name (`Owner` is the field `OwnerId`), in any case.
    public func parentField(named relationship: String) -> Field? {
        position(ofParent: relationship).map { fields[$0] }
    }

    /// The choices that a picklist has, where the field that controls it has a value.
    ///
    /// - Parameters:
    ///   - field: the picklist.
    ///   - controller: the value of its controlling field, `true` or `false` for a checkbox; without meaning for a
    ///     picklist that nothing controls.
    /// - Returns: the active values; none where the controlling field has no such value; `nil` when the object has no
    ///   such field, or not the one that controls it.
    public func picklistValues(of field: String, where controller: String? = nil) -> [PicklistValue]? {
        guard let field = self[field] else { return nil }
        let active = field.picklistValues.filter(\.isActive)
        guard let name = field.controllerName else { return active }
        guard let controlling = self[name] else { return nil }
        let values = controlling.kind == .boolean ? ["false", "true"] : controlling.picklistValues.map(\.value)
        guard let controller, let number = values.firstIndex(of: controller) else { return [] }
        return active.filter { $0.isValid(forControllingValue: number) }
    }

    /// The relationships to children that queries can name.
    package var namedChildren: [(name: String, relationship: ChildRelationship)] {
        childRelationships.compactMap { child in child.name.map { ($0, child) } }
    }

    /// The description in the order of a file: fields and relationships by their names, without what no query can name.
    package var sorted: ObjectDescription {
        ObjectDescription(
            summary, fields: fields.sorted { $0.name.isBefore($1.name) },
            childRelationships: namedChildren.sorted { $0.name.isBefore($1.name) }.map(\.relationship),
            recordTypes: recordTypes, json: json)
    }
}

extension ObjectDescription: Hashable {
    /// Whether both describe the same object in the same way.
    public static func == (left: ObjectDescription, right: ObjectDescription) -> Bool {
        left.summary == right.summary && left.fields == right.fields
            && left.childRelationships == right.childRelationships && left.recordTypes == right.recordTypes
    }

    /// Adds the summary and the number of fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(summary)
        hasher.combine(fields.count)
    }
}

extension String {
    /// The order of names in a schema: by letters without case, so that no setting of the machine has a say.
    func isBefore(_ other: String) -> Bool {
        let (own, others) = (lowercased(), other.lowercased())
        return own == others ? self < other : own < others
    }
}
