// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

extension ObjectDescription {
    /// What an org tells of a field.
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
            /// A choice of one, of several, and one that may be left for a text of one's own.
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
        public let label: String
        /// Its kind.
        public let kind: Kind
        /// The longest text, in characters; 0 where that has no meaning.
        public let length: Int
        /// The digits of a number in all, and behind its point.
        public let precision: Int, scale: Int
        /// Whether it may be empty.
        public let isNillable: Bool
        /// Whether the user may set it in a new record, and change it.
        public let isCreateable: Bool, isUpdateable: Bool
        /// Whether the org fills it in when a new record leaves it out.
        public let isDefaultedOnCreate: Bool
        /// Whether queries may filter, sort and group by it.
        public let isFilterable: Bool, isSortable: Bool, isGroupable: Bool
        /// Whether it names the record, and whether no two records have the same value.
        public let isNameField: Bool, isUnique: Bool
        /// Whether it can name a record in an upsert.
        public let isExternalID: Bool
        /// Whether the org or a package added it.
        public let isCustom: Bool
        /// Whether the org computes it: by a formula, or by counting.
        public let isCalculated: Bool, isAutoNumber: Bool
        /// Whether values outside the list are refused.
        public let isRestrictedPicklist: Bool
        /// The choices, in order; empty for other kinds.
        public let picklistValues: [ObjectDescription.PicklistValue]
        /// The field whose value decides which choices there are.
        public let controllerName: String?
        /// The objects that an id in it can be of, and the name of the relationship (`Owner` of `OwnerId`).
        public let referenceTo: [String], relationshipName: String?
        /// What a new record gets; `null` for nothing.
        public let defaultValue: JSONValue

        /// Whether a new record must have a value.
        public var isRequired: Bool { isCreateable && !isNillable && !isDefaultedOnCreate && kind != .boolean }

        init(_ value: JSONValue, at place: String) throws(RestError) {
            name = try value.required("name", at: place)
            label = value["label"]?.string ?? name
            kind = Kind(rawValue: try value.required("type", at: place))
            length = try value.size("length", at: place)
            precision = try value.size("precision", at: place)
            scale = try value.size("scale", at: place)
            (isNillable, isCreateable, isUpdateable) = (
                value.flag("nillable"), value.flag("createable"), value.flag("updateable")
            )
            isDefaultedOnCreate = value.flag("defaultedOnCreate")
            (isFilterable, isSortable, isGroupable) = (
                value.flag("filterable"), value.flag("sortable"), value.flag("groupable")
            )
            (isNameField, isUnique, isExternalID) = (
                value.flag("nameField"), value.flag("unique"), value.flag("externalId")
            )
            (isCustom, isCalculated, isAutoNumber) = (
                value.flag("custom"), value.flag("calculated"), value.flag("autoNumber")
            )
            isRestrictedPicklist = value.flag("restrictedPicklist")
            picklistValues = try value.list("picklistValues") { (value, inner) throws(RestError) in
                try ObjectDescription.PicklistValue(value, at: "\(place).\(inner)")
            }
            controllerName = value["controllerName"]?.string
            referenceTo = value["referenceTo"]?.texts ?? []
            relationshipName = value["relationshipName"]?.string
            defaultValue = value["defaultValue"] ?? .null
        }
    }
}

extension ObjectDescription {
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

        /// Whether the value may be chosen where the controlling field has its value of this number, from 0.
        public func isValid(forControllingValue number: Int) -> Bool {
            guard number >= 0, number / 8 < validFor.count else { return false }
            return validFor[number / 8] & (0x80 >> UInt8(number % 8)) != 0
        }

        init(_ value: JSONValue, at place: String) throws(RestError) {
            self.value = try value.required("value", at: place)
            label = value["label"]?.string ?? self.value
            isActive = value["active"]?.bool ?? true
            isDefault = value.flag("defaultValue")
            guard let text = value["validFor"]?.string else {
                validFor = []
                return
            }
            guard let bytes = Base64.decode(text) else {
                throw RestError(.decoding, "\(place).validFor: is not base 64")
            }
            validFor = bytes
        }
    }
}

extension ObjectDescription {
    /// The choices that a picklist has, where the field that controls it has a value.
    ///
    /// - Parameters:
    ///   - field: the picklist.
    ///   - controller: the value of its controlling field, `true` or `false` for a checkbox; without meaning for a
    ///     picklist that nothing controls.
    /// - Returns: the active values; none where the controlling field has no such value; `nil` when the object has no
    ///   such field, or not the one that controls it.
    public func picklistValues(of field: String, where controller: String? = nil) -> [ObjectDescription.PicklistValue]?
    {
        guard let field = self[field] else { return nil }
        let active = field.picklistValues.filter(\.isActive)
        guard let name = field.controllerName else { return active }
        guard let controlling = self[name] else { return nil }
        let values = controlling.kind == .boolean ? ["false", "true"] : controlling.picklistValues.map(\.value)
        guard let controller, let number = values.firstIndex(of: controller) else { return [] }
        return active.filter { $0.isValid(forControllingValue: number) }
    }
}
