// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
package import SOQLCheck

/// Makes a schema of objects that are known and of a description, the JSON of the platform's describe resource.
package struct DescribeReader {
    private var drafts: [ObjectDraft]
    private var positions: [String: Int] = [:]
    /// The descriptions, in the order of the file, and the objects that they are of.
    private var described: [(node: DescribeNode, position: Int)] = []
    private var seen: Set<Int> = []

    /// The longest description, and the most objects of one.
    private static let (mostBytes, mostObjects) = (256 << 20, 3_000)

    /// Begins with the objects that need no description.
    package init(adding known: [SObjectSchema] = []) {
        drafts = known.map { ObjectDraft($0) }
        for (position, draft) in drafts.enumerated() { positions[draft.name.lowercased()] = position }
    }

    /// Reads the describe of one object, a list of them, or `{"sobjects": […]}`.
    ///
    /// - Throws: `SchemaError`, which names the object, the field and the place in the JSON.
    package mutating func read(_ bytes: [UInt8]) throws(SchemaError) -> Schema {
        for node in try Self.objects(bytes) { try add(node) }
        for (node, position) in described {
            try addChildren(of: node, to: position)
            try check(node, position)
            try CompoundFields.complete(&drafts[position], node)
        }
        return try KeyPrefixes.schema(of: drafts, described)
    }

    private static func objects(_ bytes: [UInt8]) throws(SchemaError) -> [DescribeNode] {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: bytes, limits: JSONLimits(maximumDepth: 64, maximumBytes: mostBytes))
        } catch {
            throw SchemaError(
                message: "the schema is not JSON: \(error.expected) expected in line \(error.line), "
                    + "column \(error.column)", place: "$")
        }
        let top = DescribeNode(value: root, path: "$")
        if let list = root.array {
            return list.enumerated().map { DescribeNode(value: $1, path: "$[\($0)]") }
        }
        guard root.object != nil else { throw top.error("it must be the describe of an object, or a list of them") }
        return try top.list("sobjects") ?? [top]
    }

    private mutating func add(_ given: DescribeNode) throws(SchemaError) {
        var node = given
        guard node.value.object != nil else { throw node.error("an object's describe must be a JSON object") }
        guard let name = try node.identifier("name") else { throw node.error("an object has no 'name'") }
        node.subject = name
        guard described.count < Self.mostObjects else {
            throw node.error("a schema has \(Self.mostObjects) objects at most; leave some out")
        }
        let fields = try node.list("fields")
        let position = positions[name.lowercased()] ?? drafts.count
        if position == drafts.count {
            guard fields != nil else {
                throw node.error("it has no 'fields'; use the describe of the object itself, not the list of objects")
            }
            drafts.append(ObjectDraft(name))
            positions[name.lowercased()] = position
        }
        guard seen.insert(position).inserted else {
            throw node.error("the object is described twice; keep one of them")
        }
        described.append((node, position))
        if let label = try node.text("label") { drafts[position].label = label }
        if let label = try node.text("labelPlural") { drafts[position].labelPlural = label }
        if drafts[position].keyPrefix == nil {
            drafts[position].keyPrefix = try KeyPrefixes.prefix(node)
            drafts[position].abilities = try Self.abilities(node)
        }
        var names: Set<String> = []
        for item in fields ?? [] {
            guard let field = try FieldReader.read(item, of: name) else { continue }
            guard names.insert(field.name.lowercased()).inserted else {
                throw item.error("\(field.name) is described twice; keep one of them")
            }
            try drafts[position].add(field, item)
        }
    }

    private static func abilities(_ node: DescribeNode) throws(SchemaError) -> ObjectAbilities {
        var abilities = ObjectAbilities.all
        if try !node.flag("createable", else: true) { abilities.remove(.create) }
        if try !node.flag("updateable", else: true) { abilities.remove(.update) }
        if try !node.flag("deletable", else: true) { abilities.remove(.delete) }
        if try !node.flag("undeletable", else: true) { abilities.remove(.undelete) }
        return abilities
    }

    /// Adds the relationships to children that there are.
    private mutating func addChildren(of node: DescribeNode, to position: Int) throws(SchemaError) {
        for item in try node.list("childRelationships") ?? [] {
            guard let name = try item.identifier("relationshipName"), let child = try item.text("childSObject"),
                let field = try item.text("field"), let place = positions[child.lowercased()],
                let reference = drafts[place].position(ofField: field)
            else { continue }
            try link(drafts[position].name, place, reference, try FieldReader.deletion(item))
            let known = drafts[position].children.first { $0.name.lowercased() == name.lowercased() }
            let found = ChildRelationship(
                name: name, childObject: drafts[place].name, field: drafts[place].fields[reference].name)
            if let known, known.childObject == found.childObject, known.field == found.field { continue }
            guard known == nil || drafts[position].ownChildren.contains(name.lowercased()) else {
                throw item.error("there are two child relationships of the name \(name); keep one of them")
            }
            guard drafts[place].fields[reference].type == .reference else {
                throw item.error("\(found.childObject).\(found.field) is no reference", at: "field")
            }
            drafts[position].add(found)
        }
    }

    /// Lets a field that can point to several objects point to one more, and takes its rule for deletions.
    private mutating func link(
        _ parent: String, _ owner: Int, _ field: Int, _ rule: DeletionRule?
    ) throws(SchemaError) {
        if let rule, drafts[owner].fields[field].deletion == .clear { drafts[owner].fields[field].deletion = rule }
        let targets = drafts[owner].fields[field].referenceTo
        if targets.count > 1, !targets.contains(parent) { drafts[owner].fields[field].referenceTo.append(parent) }
    }

    /// Checks what refers to other objects, and that names are used once.
    private func check(_ node: DescribeNode, _ position: Int) throws(SchemaError) {
        var names: Set<String> = []
        for field in drafts[position].fields {
            let missing = field.referenceTo.first { $0.hasBytes(suffix: "__c") && positions[$0.lowercased()] == nil }
            if let missing {
                throw node.error(
                    "\(field.name) points to \(missing.prefix(100)), which is not described; describe it, or leave the "
                        + "field out", at: "fields")
            }
            guard let relationship = field.relationshipName else { continue }
            guard names.insert(relationship.lowercased()).inserted else {
                throw node.error(
                    "two fields have the relationship \(relationship); leave one of them out", at: "fields")
            }
        }
    }
}
