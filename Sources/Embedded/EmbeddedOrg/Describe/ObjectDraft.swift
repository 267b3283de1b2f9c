// SPDX-License-Identifier: Apache-2.0

import RestBase

/// An object while its description is put together.
struct ObjectDraft {
    let name: String
    var label: String
    var labelPlural: String
    /// `nil` until one has been found for it.
    var keyPrefix: String?
    var fields: [FieldSchema]
    var children: [ChildRelationship]
    var abilities = ObjectAbilities.all
    /// The child relationships that are the catalogue's and not described; by their names in lower case.
    private(set) var ownChildren: Set<String> = []
    private var positions: [String: Int] = [:]

    /// SQLite's tables have up to 2,000 columns, the platform's objects fewer than half of that.
    static let mostFields = 1_000

    /// A new object, which has only what every object has.
    init(_ name: String) {
        let definition = ObjectDefinition(name, name, name, prefix: "", [])
        self.name = name
        (label, labelPlural) = (name, name)
        fields = definition.fields.map(\.schema)
        children = []
        index()
    }

    init(_ object: SObjectSchema) {
        name = object.name
        label = object.label
        labelPlural = object.labelPlural
        keyPrefix = object.keyPrefix
        fields = object.fields
        children = object.childRelationships
        abilities = object.abilities
        ownChildren = Set(children.map { $0.name.lowercased() })
        index()
    }

    /// Leaves fields out.
    mutating func remove(_ names: Set<String>) {
        fields.removeAll { names.contains($0.name) }
        positions = [:]
        index()
    }

    private mutating func index() {
        for (position, field) in fields.enumerated() { positions[field.name.lowercased()] = position }
    }

    /// Whether somebody has added it to the platform's own.
    var isCustom: Bool { name.hasBytes(suffix: "__c") }

    /// The object as it is described in the end.
    func finished(prefix: String) -> SObjectSchema {
        SObjectSchema(
            name: name, label: label, labelPlural: labelPlural, keyPrefix: prefix, fields: fields,
            childRelationships: children, abilities: abilities)
    }

    func position(ofField name: String) -> Int? { positions[name.lowercased()] }

    /// Adds a child relationship; a described one comes in the place of the catalogue's with that name.
    mutating func add(_ child: ChildRelationship) {
        if ownChildren.remove(child.name.lowercased()) != nil {
            children.removeAll { $0.name.lowercased() == child.name.lowercased() }
        }
        children.append(child)
    }

    /// Adds a field, or what is new about one that the object has: its label, choices, length and targets.
    mutating func add(_ field: FieldSchema, _ node: DescribeNode) throws(LocalOrgError) {
        guard let position = position(ofField: field.name) else {
            guard fields.count < Self.mostFields else {
                throw node.error("an object has \(Self.mostFields) fields at most; leave some out")
            }
            positions[field.name.lowercased()] = fields.count
            return fields.append(field)
        }
        let known = fields[position]
        guard known.type.isStored(as: field.type) else {
            throw node.error(
                "the org's own \(known.name) is of the type '\(known.type.rawValue)', not '\(field.type.rawValue)'; "
                    + "leave the field out", at: "type")
        }
        fields[position].label = field.label
        fields[position].length = max(known.length, field.length)
        if !field.picklistValues.isEmpty { fields[position].picklistValues = field.picklistValues }
        fields[position].referenceTo += field.referenceTo.filter { !known.referenceTo.contains($0) }
    }
}

extension FieldType {
    /// Whether a value of one type can stand in the column of the other.
    func isStored(as other: FieldType) -> Bool {
        if self == other { return true }
        let texts: Set<FieldType> = [
            .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring,
        ]
        let numbers: Set<FieldType> = [.int, .double, .currency, .percent]
        return [texts, numbers].contains { $0.contains(self) && $0.contains(other) }
    }
}
