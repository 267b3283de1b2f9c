// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck

struct ObjectDraft {
    let name: String
    var label: String
    var labelPlural: String
    var keyPrefix: String?
    var fields: [FieldSchema]
    var children: [ChildRelationship]
    var abilities = ObjectAbilities.all
    /// The time when events are published, or `nil` for an object with records.
    var publishing: EventPublishing?
    /// The lower-case names of the catalogue's child relationships that no description has replaced.
    private(set) var ownChildren: Set<String> = []
    private var positions: [String: Int] = [:]

    /// SQLite's tables have up to 2,000 columns, and Salesforce's objects have fewer than half of that.
    static let mostFields = 1_000

    /// Creates a new object with the fields that every object has.
    init(_ name: String) {
        self.name = name
        (label, labelPlural) = (name, name)
        publishing = name.hasBytes(suffix: "__e") ? .afterCommit : nil
        fields = [.recordID] + FieldSchema.audit + (publishing == nil ? [] : FieldSchema.event)
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
        publishing = object.publishing
        ownChildren = Set(children.compactMap { $0.name?.lowercased() })
        index()
    }

    mutating func remove(_ names: Set<String>) {
        fields.removeAll { names.contains($0.name) }
        positions = [:]
        index()
    }

    private mutating func index() {
        for (position, field) in fields.enumerated() { positions[field.name.lowercased()] = position }
    }

    var isCustom: Bool { name.hasBytes(suffix: "__c") }

    func finished(prefix: String) -> SObjectSchema {
        SObjectSchema(
            name: name, label: label, labelPlural: labelPlural, keyPrefix: prefix, fields: fields,
            childRelationships: children, abilities: publishing == nil ? abilities : .create, publishing: publishing)
    }

    func position(ofField name: String) -> Int? { positions[name.lowercased()] }

    /// Adds a child relationship, which replaces one of the catalogue with the same name.
    mutating func add(_ child: ChildRelationship) {
        if let name = child.name?.lowercased(), ownChildren.remove(name) != nil {
            children.removeAll { $0.name?.lowercased() == name }
        }
        children.append(child)
    }

    /// Adds a field, or updates the label, choices, length and targets of an existing field.
    mutating func add(_ field: FieldSchema, _ node: DescribeNode) throws(SchemaError) {
        guard let position = position(ofField: field.name) else {
            guard fields.count < Self.mostFields else {
                throw node.error("an object can have at most \(Self.mostFields) fields; leave some out")
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
        var description = known.description
        description.label = field.label
        description.length = max(known.length, field.length)
        if !field.picklistValues.isEmpty { description.picklistValues = field.picklistValues }
        description.referenceTo += field.referenceTo.filter { !known.referenceTo.contains($0) }
        fields[position].description = description
    }
}

extension FieldType {
    /// Whether values of one type can be stored in a column of the other type.
    func isStored(as other: FieldType) -> Bool {
        if self == other { return true }
        let texts: Set<FieldType> = [
            .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring,
        ]
        let numbers: Set<FieldType> = [.int, .double, .currency, .percent]
        return [texts, numbers].contains { $0.contains(self) && $0.contains(other) }
    }
}

/// Finds the components of addresses and geolocations.
enum CompoundFields {
    private static let parts = [
        "City", "Country", "GeocodeAccuracy", "Latitude", "Longitude", "PostalCode", "State", "Street",
    ]

    /// Sets the components of each compound field.
    ///
    /// The components of a geolocation are added if they are not described. Compound fields of standard objects that
    /// have no components are removed.
    static func complete(_ draft: inout ObjectDraft, _ node: DescribeNode) throws(SchemaError) {
        if !draft.isCustom {
            let empty = draft.fields.filter { $0.type.isCompound && !hasParts($0, draft) }
            if !empty.isEmpty { draft.remove(Set(empty.map(\.name))) }
        }
        for position in draft.fields.indices where draft.fields[position].type.isCompound {
            let field = draft.fields[position]
            let isCustom = field.name.hasBytes(suffix: "__c")
            guard isCustom || (field.type == .address && field.name.hasBytes(suffix: "Address")) else {
                throw node.error(
                    "\(field.name) must end with '\(field.type == .address ? "Address" : "__c")', so that its parts can be "
                        + "found; leave the field out", at: "fields")
            }
            let stem = String(field.name.dropLast(isCustom ? 3 : 7)) + (isCustom ? "__" : "")
            let names = field.type == .location ? ["Latitude", "Longitude"] : parts
            var components: [FieldSchema.Component] = []
            for name in names {
                let full = stem + name + (isCustom ? "__s" : "")
                if draft.position(ofField: full) == nil, field.type == .location {
                    let part = FieldSchema(name: full, label: "\(field.label) (\(name))", type: .double)
                    try draft.add(part, node)
                }
                guard let place = draft.position(ofField: full) else { continue }
                components.append(
                    .init(key: name.prefix(1).lowercased() + name.dropFirst(), field: draft.fields[place].name))
            }
            guard !components.isEmpty else {
                throw node.error(
                    "\(field.name) has no parts, such as \(stem)City\(isCustom ? "__s" : ""); describe them, or leave it out",
                    at: "fields")
            }
            draft.fields[position].components = components
        }
    }

    private static func hasParts(_ field: FieldSchema, _ draft: ObjectDraft) -> Bool {
        let isCustom = field.name.hasBytes(suffix: "__c")
        guard isCustom || (field.type == .address && field.name.hasBytes(suffix: "Address")) else { return false }
        let stem = field.name.dropLast(isCustom ? 3 : 7)
        return field.type == .location
            || parts.contains { draft.position(ofField: isCustom ? "\(stem)__\($0)__s" : "\(stem)\($0)") != nil }
    }
}

/// Assigns the key prefix of each object, the first three characters of its ids.
enum KeyPrefixes {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    static func prefix(_ summary: ObjectDescription.Summary, _ node: DescribeNode) throws(SchemaError) -> String? {
        guard let prefix = summary.keyPrefix else { return nil }
        guard prefix.utf8.count == 3, prefix.allSatisfy({ digits.contains($0) }) else {
            throw node.error("the key prefix must be three letters or digits", at: "keyPrefix")
        }
        return prefix
    }

    /// Creates the schema of complete drafts.
    ///
    /// An object without a prefix gets an unused one that depends on its name, in the format of custom objects.
    static func schema(
        of drafts: [ObjectDraft], _ described: [(node: DescribeNode, position: Int)]
    ) throws(SchemaError) -> Schema {
        var owners: [String: String] = [:]
        var shared: Set<String> = []
        for draft in drafts {
            guard let prefix = draft.keyPrefix else { continue }
            if let other = owners[prefix] {
                // In Salesforce, the histories, feeds and shares of all objects have one prefix. Here each gets its
                // own.
                guard draft.isCustom else {
                    shared.insert(draft.name)
                    continue
                }
                let node = described.first { drafts[$0.position].name == draft.name }?.node
                throw (node ?? DescribeNode(.null, path: "$")).error(
                    "\(other) also has the key prefix \(prefix); change one of them", at: "keyPrefix")
            }
            owners[prefix] = draft.name
        }
        var objects: [SObjectSchema] = []
        for draft in drafts {
            let given = shared.contains(draft.name) ? nil : draft.keyPrefix
            let prefix = given ?? free(for: draft.name, draft.publishing == nil ? "a" : "e", owners)
            owners[prefix] = draft.name
            objects.append(draft.finished(prefix: prefix))
        }
        return Schema(objects: objects)
    }

    private static func free(for name: String, _ first: String, _ owners: [String: String]) -> String {
        // FNV-1a, which returns the same hash for the same name on every machine.
        let hash = name.lowercased().utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let count = digits.count * digits.count
        // A schema can have more objects than there are prefixes for custom objects, so continue with `b…`.
        let prefixes = (0..<2 * count).lazy.map { step in
            let place = (Int(hash % UInt32(count)) + step) % count
            return "\(step < count ? first : "b")\(digits[place / digits.count])\(digits[place % digits.count])"
        }
        return prefixes.first { owners[$0] == nil } ?? "a00"
    }
}
