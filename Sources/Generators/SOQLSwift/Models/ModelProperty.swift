// SPDX-License-Identifier: Apache-2.0

package import SOQLCheck
import SwiftSource

/// A field as a property of its model.
struct ModelProperty {
    let field: QuerySchema.Field
    let name: String
    let type: ModelType

    init(_ field: QuerySchema.Field, of object: String, _ names: ModelNames) {
        self.field = field
        name = SwiftIdentifiers.escaped(names.property(field.name, of: object))
        type = names.swiftType(of: field, in: object)
    }

    /// Whether it is the record's own id, which every model has.
    var isID: Bool { field.type.lowercased() == "id" && field.name == "Id" }

    private var isReadOnly: Bool { !field.isCreateable && !field.isUpdateable }

    /// Whether no record can be made without it.
    var isRequired: Bool {
        field.isCreateable && !field.isNillable && !field.isDefaultedOnCreate && type != .boolean && !isID
    }

    func declare(in text: inout SwiftText) {
        text.doc(docs)
        let value = "record[\(field.name.swiftLiteral)]"
        guard !isReadOnly else { return text.line("public var \(name): \(type.swift)? { \(value) }") }
        text.block("public var \(name): \(type.swift)?") { text in
            text.line("get { \(value) }")
            text.line("set { \(value) = newValue }")
        }
    }

    /// Its entry in the fields of queries.
    func declareField(in text: inout SwiftText) {
        let kind = field.isFilterable ? "ModelField" : "ModelColumn"
        text.line("public var \(name): \(kind)<\(type.swift)> { _path[\(field.name.swiftLiteral)] }")
    }

    /// Its line in the shape.
    var shape: String {
        let type = String(field.type.lowercased().unicodeScalars.filter { "a"..."z" ~= $0 })
        let special: String? =
            switch (field.isCreateable, field.isUpdateable) {
            case (true, true): nil
            case (false, false): "read"
            case (true, false): "create"
            case (false, true): "update"
            }
        return [field.name, type.isEmpty ? "unknown" : type, special].compactMap(\.self).joined(separator: " ")
    }

    private var docs: [String] {
        let label = Documentation.line(field.label, else: field.name)
        let facts = [
            Documentation.code(field.name), Documentation.line(field.type.lowercased(), else: "unknown"),
            isReadOnly ? "read only" : field.isUpdateable ? nil : "set in new records only",
            field.isExternalID ? "external id" : nil, field.isUnique ? "unique" : nil,
        ]
        let targets =
            field.referenceTo.isEmpty ? nil : "of " + field.referenceTo.map(Documentation.code).joined(separator: ", ")
        let summary = "\(label) (\((facts + [targets]).compactMap(\.self).joined(separator: ", ")))."
        return [summary] + Documentation.paragraphs(field.help ?? "")
    }
}

/// A relationship to a parent or to children as a property of a model.
struct ModelRelation {
    let name: String
    /// Its name in queries.
    let relationship: String
    /// The type of the model that it leads to.
    let model: String
    let isList: Bool
    let docs: String

    func declare(in text: inout SwiftText) {
        text.doc([docs])
        let call = isList ? "children" : "parent"
        text.line(
            "public var \(name): \(isList ? "[\(model)]" : model)? { record.\(call)(\(relationship.swiftLiteral)) }")
    }

    func declareField(in text: inout SwiftText) {
        let type = isList ? "ModelChildren<\(model)>" : "\(model).Fields"
        text.line(
            "public var \(name): \(type) { _path.\(isList ? "children" : "parent")(\(relationship.swiftLiteral)) }")
    }
}

extension QuerySchema.Object {
    /// The relationships that lead to models: those to parents in the order of their fields, then those to children.
    func relations(_ names: ModelNames, _ schema: QuerySchema) -> [ModelRelation] {
        let parents = fields.compactMap { field -> ModelRelation? in
            guard let relationship = field.relationshipName, let name = names.parent(field.name, of: self.name)
            else { return nil }
            let targets = field.referenceTo
            guard targets.count != 1 || schema.object(named: targets[0]) != nil else { return nil }
            return ModelRelation(
                name: SwiftIdentifiers.escaped(name), relationship: relationship,
                model: targets.count == 1 ? names.type(of: targets[0]) : "AnyRecord", isList: false,
                docs: "The record to which \(Documentation.code(field.name)) leads.")
        }
        let children = childRelationships.compactMap { child -> ModelRelation? in
            guard schema.object(named: child.childObject) != nil else { return nil }
            return ModelRelation(
                name: SwiftIdentifiers.escaped(names.children(child.name, of: name)), relationship: child.name,
                model: names.type(of: child.childObject), isList: true,
                docs: "The records of \(Documentation.code(child.childObject)) whose "
                    + "\(Documentation.code(child.field)) leads here.")
        }
        return parents + children
    }
}

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
