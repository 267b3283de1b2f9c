// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

extension ObjectDescription {
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
}

/// What a field holds, as far as literals and functions are concerned.
package enum ValueKind: Sendable, Hashable {
    case id, text, boolean, integer, real, date, dateTime, time
    /// An address or a place.
    case compound

    /// The kind of a type as the describe has it; `nil` for one that is not known.
    package init?(type: String) {
        switch type.lowercased() {
        case "id", "reference": self = .id
        case "string", "picklist", "multipicklist", "textarea", "email", "phone", "url", "combobox", "encryptedstring",
            "base64":
            self = .text
        case "boolean": self = .boolean
        case "int", "long": self = .integer
        case "double", "currency", "percent": self = .real
        case "date": self = .date
        case "datetime": self = .dateTime
        case "time": self = .time
        case "location", "address": self = .compound
        default: return nil
        }
    }

    /// The type's name in the platform's messages.
    package var name: String {
        switch self {
        case .id, .text: "string"
        case .boolean: "boolean"
        case .integer: "int"
        case .real: "double"
        case .date: "date"
        case .dateTime: "dateTime"
        case .time: "time"
        case .compound: "location"
        }
    }

    /// Whether literals of this kind stand in quotes.
    var isQuoted: Bool { self == .id || self == .text }
}
