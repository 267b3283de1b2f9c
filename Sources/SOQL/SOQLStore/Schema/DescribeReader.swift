// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
package import SOQLCheck

/// Creates a schema of known objects and of a description, the JSON of Salesforce's describe resource.
package struct DescribeReader {
    private var drafts: [ObjectDraft]
    private var positions: [String: Int] = [:]
    /// The descriptions in the order of the file, with the positions of their objects.
    private var described: [(node: DescribeNode, position: Int)] = []
    private var seen: Set<Int> = []

    private static let mostObjects = 3_000

    /// Creates a reader with the objects that need no description.
    package init(adding known: [SObjectSchema] = []) {
        drafts = known.map { ObjectDraft($0) }
        for (position, draft) in drafts.enumerated() { positions[draft.name.lowercased()] = position }
    }

    /// Reads the describe of one object, a list of describes, or `{"sobjects": […]}`.
    ///
    /// - Throws: `SchemaError`, which names the object, the field and the position in the JSON.
    package mutating func read(_ bytes: [UInt8]) throws(SchemaError) -> Schema {
        for node in try DescribeNode.objects(of: bytes) { try add(node) }
        for (node, position) in described {
            try addChildren(of: node, to: position)
            try check(node, position)
            try CompoundFields.complete(&drafts[position], node)
        }
        return try KeyPrefixes.schema(of: drafts, described)
    }

    private mutating func add(_ given: DescribeNode) throws(SchemaError) {
        guard given.value.object != nil else { throw given.error("an object's describe must be a JSON object") }
        let summary = try ObjectDescription.Summary(given)
        let (name, node) = (summary.name, given.named(summary.name))
        try node.checkTable(name, "name")
        guard described.count < Self.mostObjects else {
            throw node.error("a schema can have at most \(Self.mostObjects) objects; leave some out")
        }
        let position = positions[name.lowercased()] ?? drafts.count
        if position == drafts.count {
            guard node.present("fields") != nil else { throw node.error(DescribeNode.noFields) }
            var draft = ObjectDraft(name)
            if draft.publishing != nil, let given = try node.text("publishBehavior") {
                guard let publishing = EventPublishing(rawValue: given) else {
                    throw node.error(
                        "an event is published by PublishAfterCommit or PublishImmediately", at: "publishBehavior")
                }
                draft.publishing = publishing
            }
            drafts.append(draft)
            positions[name.lowercased()] = position
        }
        guard seen.insert(position).inserted else {
            throw node.error("the object is described twice; keep one of them")
        }
        described.append((node, position))
        if node.present("label") != nil { drafts[position].label = summary.label }
        if node.present("labelPlural") != nil { drafts[position].labelPlural = summary.labelPlural }
        if drafts[position].keyPrefix == nil {
            drafts[position].keyPrefix = try KeyPrefixes.prefix(summary, node)
            drafts[position].abilities = ObjectAbilities(summary)
        }
        var names: Set<String> = []
        _ = try node.list("fields") { (item) throws(SchemaError) in
            guard let field = try FieldReader.read(item) else { return }
            guard names.insert(field.name.lowercased()).inserted else {
                throw item.error("\(field.name) is described twice; keep one of them")
            }
            try drafts[position].add(field, item)
        }
    }

    /// Adds the child relationships whose objects and fields exist.
    private mutating func addChildren(of node: DescribeNode, to position: Int) throws(SchemaError) {
        _ = try node.list("childRelationships") { (item) throws(SchemaError) in
            let child = try ChildRelationship(item)
            guard let name = child.name, let place = positions[child.object.lowercased()],
                let reference = drafts[place].position(ofField: child.field)
            else { return }
            try item.checkTable(name, "relationshipName")
            let rule: DeletionRule? = child.isCascadeDelete ? .cascade : child.isRestrictedDelete ? .restrict : nil
            try link(drafts[position].name, place, reference, rule)
            let known = drafts[position].children.first { $0.name?.lowercased() == name.lowercased() }
            let found = ChildRelationship(
                name: name, object: drafts[place].name, field: drafts[place].fields[reference].name)
            if let known, known.object == found.object, known.field == found.field { return }
            guard known == nil || drafts[position].ownChildren.contains(name.lowercased()) else {
                throw item.error("there are two child relationships of the name \(name); keep one of them")
            }
            guard drafts[place].fields[reference].type == .reference else {
                throw item.error("\(found.object).\(found.field) is not a reference", at: "field")
            }
            drafts[position].add(found)
        }
    }

    /// Adds a target to a polymorphic field, and applies the deletion rule.
    private mutating func link(
        _ parent: String, _ owner: Int, _ field: Int, _ rule: DeletionRule?
    ) throws(SchemaError) {
        if let rule, drafts[owner].fields[field].deletion == .clear { drafts[owner].fields[field].deletion = rule }
        let targets = drafts[owner].fields[field].referenceTo
        if targets.count > 1, !targets.contains(parent) {
            drafts[owner].fields[field].description.referenceTo.append(parent)
        }
    }

    /// Checks that references have existing targets, and that relationship names are unique.
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

extension ObjectAbilities {
    fileprivate init(_ summary: ObjectDescription.Summary) {
        self = .all
        if !summary.isCreateable { remove(.create) }
        if !summary.isUpdateable { remove(.update) }
        if !summary.isDeletable { remove(.delete) }
        if !summary.isUndeletable { remove(.undelete) }
    }
}
