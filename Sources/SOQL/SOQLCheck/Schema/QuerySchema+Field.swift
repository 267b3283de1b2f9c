// SPDX-License-Identifier: Apache-2.0

extension QuerySchema {
    /// One field of an object.
    package struct Field: Sendable, Hashable {
        /// The API name.
        package let name: String
        /// The name for people.
        package let label: String
        /// What the org tells its users about the field.
        package let help: String?
        /// The type as the describe has it: `picklist`, `datetime`.
        package let type: String
        /// Characters, for text; 0 elsewhere.
        package let length: Int
        /// The digits of a number in all, and behind its point; 0 where there is no limit.
        package let precision: Int, scale: Int
        /// What callers can do: leave it empty, set it in a new record, change it, leave it out of a new record.
        package let isNillable: Bool, isCreateable: Bool, isUpdateable: Bool, isDefaultedOnCreate: Bool
        /// Whether it names its record, is unique, or holds the id of another system.
        package let isNameField: Bool, isUnique: Bool, isExternalID: Bool
        /// Whether the platform computes it, or counts it.
        package let isCalculated: Bool, isAutoNumber: Bool
        /// What queries can do with it.
        package let isFilterable: Bool, isSortable: Bool, isGroupable: Bool, isAggregatable: Bool
        /// The values of a picklist in their order.
        package let picklistValues: [PicklistValue]
        /// Whether values outside the list are refused.
        package let isRestricted: Bool
        /// The objects that an id in this field can point to.
        package let referenceTo: [String]
        /// The name of the relationship to the parent (`Owner` for `OwnerId`).
        package let relationshipName: String?

        /// What it holds; `nil` for a type that is not known here.
        package var kind: ValueKind? { ValueKind(type: type) }
        /// Whether it can point to records of several objects; a queue can own a record too.
        package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }
    }

    /// One value of a picklist.
    package struct PicklistValue: Sendable, Hashable {
        /// The value, as queries and records have it.
        package let value: String
        /// The value for people.
        package let label: String
        /// Whether new records may have it.
        package let isActive: Bool
        /// Whether new records get it.
        package let isDefault: Bool

        package init(value: String, label: String, isActive: Bool, isDefault: Bool) {
            (self.value, self.label, self.isActive, self.isDefault) = (value, label, isActive, isDefault)
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
    var name: String {
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
