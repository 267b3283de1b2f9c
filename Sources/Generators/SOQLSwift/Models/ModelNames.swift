// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SOQLCheck
import SwiftSource

/// The Swift names of a schema's objects, fields, relationships and picklists.
///
/// They are the same in every run with the same objects. A name that Swift or the runtime needs gets another ending. If
/// a custom name is spelled like a standard name, the custom name gets `Custom`. If names are still equal, the second
/// in the order of the API names gets `_2`.
package struct ModelNames: Sendable {
    private let types: [String: String]
    private let members: [String: MemberNames]

    /// Creates the names of a schema's objects, and of all objects that they refer to.
    ///
    /// - Parameters:
    ///   - schema: the objects.
    ///   - module: the name of the module with the models, which no type can have.
    package init(_ schema: QuerySchema, module: String? = nil) {
        let names = Set(schema.objects.flatMap { [$0.name] + $0.referredObjects })
        var taken = Self.reservedTypes
        if let module { taken.insert(module) }
        let types = Self.distinct(names, reserved: taken, end: "Record", ignoringCase: true) { name in
            let type = SwiftWords(name.withoutCustomMark).upper.ifNamed(else: "Object")
            // A property of the same object can have a name with an underscore.
            return type.hasBytes(prefix: "_") ? "Object\(type)" : type
        }
        var members: [String: MemberNames] = [:]
        for object in schema.objects {
            let near = Set(([object.name] + object.referredObjects).compactMap { types[$0.lowercased()] })
            members[object.name.lowercased()] = MemberNames(object, typesInSight: near)
        }
        (self.types, self.members) = (types, members)
    }

    var ofObjects: Set<String> { Set(types.values) }

    /// Returns the type of an object: `Account`, `Invoice` for `Invoice__c`, or `TaskRecord` as Swift has `Task`.
    package func type(of object: String) -> String { types[object.lowercased()] ?? "Object" }

    /// Returns the property of a field without backquotes, such as `ownerID`.
    package func property(_ field: String, of object: String) -> String {
        members[object.lowercased()]?.fields[field.lowercased()] ?? "_"
    }

    /// Returns the property of a reference field's relationship (`owner` for `OwnerId`), or `nil` if it has none.
    package func parent(_ field: String, of object: String) -> String? {
        members[object.lowercased()]?.parents[field.lowercased()]
    }

    /// Returns the property of a child relationship, such as `contacts`.
    package func children(_ relationship: String, of object: String) -> String {
        members[object.lowercased()]?.children[relationship.lowercased()] ?? "_"
    }

    /// Returns the nested type of a picklist, such as `Industry`, or `nil` for other fields.
    package func picklist(_ field: String, of object: String) -> String? {
        members[object.lowercased()]?.picklists[field.lowercased()]
    }

    /// Returns a distinct Swift name for each API name, by the API name in lower case, with standard names first.
    static func distinct(
        _ names: some Collection<String>, reserved: Set<String>, end: String, ignoringCase: Bool = false,
        _ spelled: (String) -> String
    ) -> [String: String] {
        let sorted = names.sorted {
            ($0.isCustom ? 1 : 0, $0.lowercased(), $0) < ($1.isCustom ? 1 : 0, $1.lowercased(), $1)
        }
        let standard = Set(sorted.filter { !$0.isCustom }.map { spelled($0).lowercased() })
        var known: Set<String> = []
        let pairs = sorted.filter { known.insert($0.lowercased()).inserted }.map { name in
            let word = spelled(name)
            let isTaken = name.isCustom && standard.contains(word.lowercased())
            return (name.lowercased(), isTaken ? word + "Custom" : word)
        }
        return SwiftIdentifiers.distinct(pairs, reserved: reserved, end: end, ignoringCase: ignoringCase)
    }
}

/// The names in the type of an object, by the API names in lower case.
private struct MemberNames: Sendable {
    let fields: [String: String]
    let parents: [String: String]
    let children: [String: String]
    let picklists: [String: String]

    init(_ object: ObjectDescription, typesInSight: Set<String>) {
        let references = Set(object.fields.filter { !$0.referenceTo.isEmpty }.map(\.name))
        fields = ModelNames.distinct(object.fields.map(\.name), reserved: ModelNames.reservedMembers, end: "Field") {
            let name = SwiftWords($0.withoutCustomMark).member(isReference: references.contains($0))
            // Every model has an `id`.
            return name == "id" && $0.lowercased() != "id" ? "idField" : name
        }
        // The names of parents must differ from those of fields, and the names of children from both.
        var taken = ModelNames.reservedMembers.union(fields.values).union(["id"])
        let relations = object.fields.compactMap { field in field.relationshipName.map { (field.name, $0) } }
        parents = Self.relations(relations, taken, end: "Parent")
        taken.formUnion(parents.values)
        children = Self.relations(object.namedChildren.map { ($0.name, $0.name) }, taken, end: "List")
        picklists = ModelNames.distinct(
            object.fields.filter(\.hasListedValues).map(\.name),
            reserved: ModelNames.reservedInside.union(ModelNames.reservedNestedTypes).union(typesInSight), end: "Value"
        ) { SwiftWords($0.withoutCustomMark).upper.ifNamed(else: "Field") }
    }

    private static func relations(
        _ names: [(key: String, name: String)], _ taken: Set<String>, end: String
    ) -> [String: String] {
        let keys = Dictionary(names.map { ($0.name.lowercased(), $0.key.lowercased()) }) { first, _ in first }
        let spelled = ModelNames.distinct(names.map(\.name), reserved: taken, end: end) {
            SwiftWords($0.withoutCustomMark).member(isReference: false)
        }
        return Dictionary(spelled.compactMap { name, word in keys[name].map { ($0, word) } }) { first, _ in first }
    }
}

extension SwiftWords {
    /// The name of a property, which ends with `ID` for a reference, so that the parent can have the plain name.
    fileprivate func member(isReference: Bool) -> String {
        guard words.contains(where: { !$0.isEmpty }) else { return "field" }
        return isReference && words.last != "id" ? lower + "ID" : lower
    }
}

extension ObjectDescription {
    /// The objects of its references and child relationships, including itself if an id refers to it.
    package var referredObjects: [String] { fields.flatMap(\.referenceTo) + namedChildren.map(\.relationship.object) }
}

extension ObjectDescription.Field {
    /// Whether the field is a picklist with values in the describe.
    package var hasListedValues: Bool {
        ["picklist", "multipicklist"].contains(kind.rawValue.lowercased()) && !picklistValues.isEmpty
    }
}

extension String {
    /// Whether the name belongs to a custom item, such as `Invoice__c` or `Lines__r`.
    fileprivate var isCustom: Bool { hasBytes(suffix: "__c") || hasBytes(suffix: "__r") }
    /// The name without the suffix of custom items.
    var withoutCustomMark: String { isCustom ? String(dropLast(3)) : self }
    /// Returns the name, or `other` if no part of it can be used in a Swift name.
    fileprivate func ifNamed(else other: String) -> String { self == "_" ? other : self }
}

extension ModelNames {
    /// The names that no type of an object can have.
    static let reservedTypes: Set = RuntimeNames.restSDK.union(RuntimeNames.insideExtended)
        .union(reservedInside).union(insideModels).union([ModelEmitter.others])

    /// The names that no type nested in the type of an object can have.
    ///
    /// A nested type hides other types only from the code of its own object.
    static let reservedInside: Set = RuntimeNames.swift.union(RuntimeNames.apps).union(RuntimeNames.restModels)
        .union(RuntimeNames.written)

    static let reservedNestedTypes: Set = ["Fields", "CodingKeys", "RawValue"]

    /// The names with another meaning in the type of each object.
    private static let insideModels: Set = ["Fields", "Model"]

    /// The names of members that the runtime or Swift needs.
    static let reservedMembers: Set = [
        "customMirror", "debugDescription", "encode", "hash", "hashValue", "init", "record", "self", "shape",
        "unsafelyUnwrapped",
    ]

    /// The names of enum cases with another meaning.
    static let reservedCases: Set = [
        "allCases", "description", "encode", "fieldJSON", "hash", "hashValue", "init", "listed", "none", "rawValue",
        "self", "soqlLiteral", "some", "unlisted",
    ]
}

/// The cases of a picklist's enum, one for each value, in the order of the describe.
package struct PicklistCases: Sendable {
    package struct Case: Sendable, Hashable {
        /// The name of the case without backquotes, such as `closedWon`.
        package let name: String
        package let value: ObjectDescription.PicklistValue
    }

    package let all: [Case]

    /// Creates the cases of values, ignoring duplicates.
    package init(_ values: [ObjectDescription.PicklistValue]) {
        var known: Set<[UInt8]> = []
        let values = values.filter { known.insert(Array($0.value.utf8)).inserted }
        // Sort by the values, so that another order in the org changes no names.
        let sorted = values.sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }
        let names = SwiftIdentifiers.distinct(
            sorted.map { (Array($0.value.utf8), Self.name(of: $0.value)) }, reserved: ModelNames.reservedCases,
            end: "Value")
        all = values.map { Case(name: names[Array($0.value.utf8)] ?? "value", value: $0) }
    }

    /// For example, `New Customer` becomes `newCustomer`, and `1-10` becomes `_1_10`.
    private static func name(of value: String) -> String {
        let words = SwiftWords(value)
        guard !words.words.isEmpty else { return "value" }
        let isDigits = words.words.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        return isDigits ? "_" + words.words.joined(separator: "_") : words.lower
    }
}

struct ModelProperty {
    let field: ObjectDescription.Field
    let name: String
    let type: ModelType

    init(_ field: ObjectDescription.Field, of object: String, _ names: ModelNames) {
        self.field = field
        name = SwiftIdentifiers.escaped(names.property(field.name, of: object))
        type = names.swiftType(of: field, in: object)
    }

    /// Whether the field is the record's own id, which every model has.
    var isID: Bool { field.kind.rawValue.lowercased() == "id" && field.name == "Id" }

    private var isReadOnly: Bool { !field.isCreateable && !field.isUpdateable }

    /// Whether new records must have a value for the field.
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

    /// Writes the entry in the model's fields for queries.
    func declareField(in text: inout SwiftText) {
        let kind = field.isFilterable ? "ModelField" : "ModelColumn"
        text.line("public var \(name): \(kind)<\(type.swift)> { _path[\(field.name.swiftLiteral)] }")
    }

    /// The line in the model's shape.
    var shape: String {
        let type = String(field.kind.rawValue.lowercased().unicodeScalars.filter { "a"..."z" ~= $0 })
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
            Documentation.code(field.name), Documentation.line(field.kind.rawValue.lowercased(), else: "unknown"),
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
    /// The name in queries.
    let relationship: String
    /// The type of the related model.
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

extension ObjectDescription {
    /// The relationships with models: first the parents in the order of their fields, then the children.
    func relations(_ names: ModelNames, _ schema: QuerySchema) -> [ModelRelation] {
        let parents = fields.compactMap { field -> ModelRelation? in
            guard let relationship = field.relationshipName, let name = names.parent(field.name, of: self.name)
            else { return nil }
            let targets = field.referenceTo
            guard targets.count != 1 || schema.object(named: targets[0]) != nil else { return nil }
            return ModelRelation(
                name: SwiftIdentifiers.escaped(name), relationship: relationship,
                model: targets.count == 1 ? names.type(of: targets[0]) : "AnyRecord", isList: false,
                docs: "The record that \(Documentation.code(field.name)) refers to.")
        }
        let children = namedChildren.compactMap { childName, child -> ModelRelation? in
            guard schema.object(named: child.object) != nil else { return nil }
            return ModelRelation(
                name: SwiftIdentifiers.escaped(names.children(childName, of: name)), relationship: childName,
                model: names.type(of: child.object), isList: true,
                docs: "The records of \(Documentation.code(child.object)) whose "
                    + "\(Documentation.code(child.field)) refers to this record.")
        }
        return parents + children
    }
}

/// The Swift type of a field.
package enum ModelType: Sendable, Hashable {
    /// The id of a record of a type, which is `AnyRecord` if there are several possible objects.
    case id(of: String)
    case text, boolean, integer, decimal, date, dateTime, time
    /// A value of a picklist, and several values, such as `Account.Industry`.
    case picklist(String), picklists(String)
    case address, location
    /// A type that is unknown.
    case json

    /// The Swift type as written in the module.
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

    /// Whether the type is defined in Foundation.
    package var needsFoundation: Bool { self == .decimal || self == .dateTime }

    /// The types of values other than ids and compound values.
    static let plain: [ValueKind: ModelType] = [
        .text: .text, .boolean: .boolean, .integer: .integer, .real: .decimal, .date: .date, .dateTime: .dateTime,
        .time: .time,
    ]
}

extension ModelNames {
    /// Returns the Swift type of a field, whose optional is used if the value can be missing.
    package func swiftType(of field: ObjectDescription.Field, in object: String) -> ModelType {
        let kind = field.kind.rawValue.lowercased()
        if let picklist = picklist(field.name, of: object) {
            let type = "\(self.type(of: object)).\(picklist)"
            return kind == "multipicklist" ? .picklists(type) : .picklist(type)
        }
        switch (kind, field.valueKind) {
        case ("address", _): return .address
        case ("location", _): return .location
        case ("id", .id): return .id(of: type(of: object))
        case (_, .id): return .id(of: field.referenceTo.count == 1 ? type(of: field.referenceTo[0]) : "AnyRecord")
        case (_, let value): return value.flatMap { ModelType.plain[$0] } ?? .json
        }
    }
}
