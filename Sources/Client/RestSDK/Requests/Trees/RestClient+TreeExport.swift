// SPDX-License-Identifier: Apache-2.0

package import RestJSON

extension RestClient {
    /// Reads the records of a query, with the children that it selects, as a file of records for another org.
    ///
    /// Ids and empty fields are left out; references to other records stay as they are.
    ///
    /// - Parameter query: selects fields of the records themselves, and lists of children.
    /// - Returns: the file, whose records have references such as `AccountRef1`.
    /// - Throws: ``RestError``; ``RestError/Code/invalidRequest`` for a field that no record can be created with, such
    ///   as one of a parent.
    public func exportTree(_ query: SOQL) async throws(RestError) -> RecordTree.File {
        var export = TreeExport()
        var records: [RecordTree] = []
        for try await record in self.records(query) { records.append(try export.tree(record.fields).tree) }
        return RecordTree.File(records)
    }

    /// Reads the records of several queries, with the children that they select, as a plan with a file for each object.
    ///
    /// A field that holds the id of another record among them names it by its reference; so do children their parents.
    /// Select the ids of records and the fields that refer to others; ids themselves are left out of the files.
    ///
    /// - Parameters:
    ///   - queries: the queries; objects that others refer to come first.
    ///   - catalog: tells by which field children refer to their parents; `nil` asks the org.
    /// - Returns: the plan, whose steps are in the order in which the objects were met.
    /// - Throws: ``RestError``, as ``exportTree(_:)``.
    public func exportTrees(
        _ queries: [SOQL], catalog: ObjectDescription.Catalog? = nil
    ) async throws(RestError) -> RecordTree.Plan {
        let catalog = catalog ?? ObjectDescription.Catalog(self)
        var export = TreeExport()
        var flat: [(tree: RecordTree, id: String?)] = []
        for query in queries {
            for try await record in records(query) {
                let (tree, id) = try export.tree(record.fields)
                try await Self.flatten(tree, id, export, catalog, &flat)
            }
        }
        let references = Dictionary(
            flat.compactMap { record in record.id.map { ($0, record.tree.reference) } }
        ) { first, _ in first }
        var steps: [RecordTree.Plan.Step] = []
        for record in flat {
            let tree = record.tree.naming(references)
            if let place = steps.firstIndex(where: { $0.type == tree.type }) {
                steps[place].files[0].records.append(tree)
            } else {
                steps.append(.init(tree.type, files: [RecordTree.File([tree])]))
            }
        }
        return RecordTree.Plan(steps)
    }

    /// Puts a record and those below it side by side, each child with a field that names its parent.
    private static func flatten(
        _ tree: RecordTree, _ id: String?, _ export: TreeExport, _ catalog: ObjectDescription.Catalog,
        _ flat: inout [(tree: RecordTree, id: String?)]
    ) async throws(RestError) {
        var parent = tree
        parent.children = []
        flat.append((parent, id))
        for list in tree.children where !list.records.isEmpty {
            let description = try await catalog.object(tree.type)
            guard let field = description.childRelationship(named: list.relationship)?.field else {
                throw .invalidRequest("query", "\(tree.type) has no relationship '\(list.relationship)'")
            }
            for var child in list.records {
                child.fields[field] = JSONValue("@\(tree.reference)")
                try await flatten(child, export.ids[child.reference], export, catalog, &flat)
            }
        }
    }
}

/// Makes trees of records that a query gave.
package struct TreeExport: Sendable {
    private var counts: [String: Int] = [:]
    /// The ids of the records so far, by their references.
    private(set) var ids: [String: String] = [:]
    private let keepsIDs: Bool

    /// Starts with the number 1 for each object.
    ///
    /// - Parameter keepsIDs: whether ``ids`` are kept, which takes memory for each record.
    package init(keepsIDs: Bool = true) {
        self.keepsIDs = keepsIDs
    }

    /// The record with those below it, and its id where it was selected.
    package mutating func tree(_ record: JSONObject) throws(RestError) -> (tree: RecordTree, id: String?) {
        guard let type = record["attributes"]?["type"]?.string else {
            throw .invalidRequest("query", "groups of records cannot be created; select records")
        }
        let number = (counts[type] ?? 0) + 1
        counts[type] = number
        var tree = RecordTree(type, as: "\(type)Ref\(number)", JSONObject())
        let id = record["Id"]?.string
        if keepsIDs { ids[tree.reference] = id }
        for (name, value) in record where name != "attributes" && name != "Id" && !value.isNull {
            if let list = value["records"]?.array {
                var below: [RecordTree] = []
                for child in list { below.append(try self.tree(child.object ?? [:]).tree) }
                tree.children.append(RecordTree.Children(relationship: name, records: below))
            } else if value.object != nil {
                throw .invalidRequest(
                    "query", "no record is created with '\(name)': it belongs to a parent, or consists of other fields")
            } else {
                tree.fields[name] = value
            }
        }
        return (tree, id)
    }
}

extension RecordTree {
    /// The record with references in place of the ids of records that have one.
    fileprivate func naming(_ references: [String: String]) -> RecordTree {
        var copy = self
        for (name, value) in fields {
            guard let id = value.string, let reference = references[id] else { continue }
            copy.fields[name] = JSONValue("@\(reference)")
        }
        return copy
    }
}
