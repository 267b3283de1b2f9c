// SPDX-License-Identifier: Apache-2.0

package import SOQLCheck

/// What a field is in Swift.
package enum ModelType: Sendable, Hashable {
    /// The id of a record of an object's type; `AnyRecord` where it can be of several objects.
    case id(of: String)
    case text, boolean, integer, decimal, date, dateTime, time
    /// A value of a picklist, and several: `Account.Industry`.
    case picklist(String), picklists(String)
    case address, location
    /// A type that is not known here.
    case json

    /// The Swift type, as it is written anywhere in the module.
    package var swift: String {
        switch self {
        case .id(let type): "RecordID<\(type)>"
        case .text: "String"
        case .boolean: "Bool"
        case .integer: "Int"
        case .decimal: "Decimal"
        case .date: "SOQLDate"
        case .dateTime: "Date"
        case .time: "SOQLTime"
        case .picklist(let type): type
        case .picklists(let type): "MultiPicklist<\(type)>"
        case .address: "RecordAddress"
        case .location: "RecordLocation"
        case .json: "JSONValue"
        }
    }

    /// Whether the type is one of Foundation's.
    package var needsFoundation: Bool { self == .decimal || self == .dateTime }
}

extension ModelNames {
    /// The Swift type of a field; values that may be missing are optionals of it.
    package func swiftType(of field: QuerySchema.Field, in object: String) -> ModelType {
        if let picklist = picklist(field.name, of: object) {
            let type = "\(self.type(of: object)).\(picklist)"
            return field.type.lowercased() == "multipicklist" ? .picklists(type) : .picklist(type)
        }
        switch field.type.lowercased() {
        case "address": return .address
        case "location": return .location
        default: break
        }
        switch field.kind {
        case .id:
            if field.type.lowercased() == "id" { return .id(of: type(of: object)) }
            return .id(of: field.referenceTo.count == 1 ? type(of: field.referenceTo[0]) : "AnyRecord")
        case .text: return .text
        case .boolean: return .boolean
        case .integer: return .integer
        case .real: return .decimal
        case .date: return .date
        case .dateTime: return .dateTime
        case .time: return .time
        case .compound, nil: return .json
        }
    }
}
