// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// The Swift types of values, and which types of objects they name.
struct ObjectTypes {
    let names: ModelNames
    /// The objects that were named, and of each the picklists, in the order of their names.
    private(set) var objects: [String: Set<QuerySchema.Field>] = [:]
    /// Whether a type of Foundation was named.
    private(set) var needsFoundation = false

    init(_ names: ModelNames) {
        self.names = names
    }

    /// The type of a field's values.
    mutating func swift(_ origin: ValueType.Origin) -> String {
        let type = names.swiftType(of: origin.field, in: origin.object)
        switch type {
        case .picklist, .picklists: objects[origin.object, default: []].insert(origin.field)
        case .id: name(origin.field.type.lowercased() == "id" ? [origin.object] : origin.field.referenceTo)
        default: break
        }
        return note(type)
    }

    /// The type of a value; `nil` for one that has none.
    mutating func swift(_ value: ValueType) -> String? {
        if let origin = value.origin { return swift(origin) }
        switch value.kind {
        case .id:
            name(value.references)
            return note(.id(of: value.references.count == 1 ? names.type(of: value.references[0]) : "AnyRecord"))
        case .text: return note(.text)
        case .boolean: return note(.boolean)
        case .integer: return note(.integer)
        case .real: return note(.decimal)
        case .date: return note(.date)
        case .dateTime: return note(.dateTime)
        case .time: return note(.time)
        case .compound: return nil
        }
    }

    /// Ids of records of several objects name none of them.
    private mutating func name(_ references: [String]) {
        guard references.count == 1 else { return }
        objects[references[0], default: []].formUnion([])
    }

    private mutating func note(_ type: ModelType) -> String {
        needsFoundation = needsFoundation || type.needsFoundation
        return type.swift
    }
}
