// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import SOQLCheck
import SOQLSyntax

extension JSONValue {
    /// Reads a field of a Bulk job, in which null is empty and dates end with Z, as the REST API returns it.
    package init(csv text: String, as kind: ValueKind?) {
        switch kind {
        case _ where text.isEmpty: self = .null
        case .boolean where ["true", "1"].contains(text.lowercased()): self = true
        case .boolean where ["false", "0"].contains(text.lowercased()): self = false
        case .integer, .real:
            let value = try? JSONValue(parsing: text)
            self = value?.kind == .number ? value ?? .null : JSONValue(text)
        case .dateTime: self = JSONValue(text.removing(suffix: "Z").map { "\($0)+0000" } ?? text)
        default: self = JSONValue(text)
        }
    }

    /// The field as a Bulk job returns it.
    fileprivate var csv: String {
        switch kind {
        case .string: string ?? ""
        case .number: numberText ?? ""
        case .bool: bool == true ? "true" : "false"
        default: ""
        }
    }
}

/// The columns of a query that selects plain fields, with names and types from the org's descriptions.
///
/// With them, the rows of a job become the records of the REST API, and its records become the rows of a job.
struct QueryColumns: Sendable {
    private struct Column: Sendable {
        /// The relationships and the field.
        let path: [String]
        let kind: ValueKind?
    }

    private indirect enum Node: Sendable {
        case field(Int, ValueKind?)
        /// A record, whose object is `nil` if it can be one of several.
        case parent(object: String?, [(name: String, node: Node)])

        mutating func add(_ path: ArraySlice<String>, _ objects: ArraySlice<String?>, _ field: Node) {
            guard case .parent(let object, var members) = self, let name = path.first else { return }
            var next = field
            if path.count > 1 {
                let place = members.firstIndex { $0.name == name }
                next = place.map { members.remove(at: $0).node } ?? .parent(object: objects.first.flatMap(\.self), [])
                next.add(path.dropFirst(), objects.dropFirst(), field)
                members.insert((name, next), at: place ?? members.count)
            } else {
                members.append((name, next))
            }
            self = .parent(object: object, members)
        }
    }

    private let object: String
    private let version: APIVersion
    private let columns: [Column]
    private let root: Node

    /// Asks the org for the descriptions.
    ///
    /// - Throws: ``RestError``, also if a job cannot read a selected field.
    init(of query: SOQL, _ client: RestClient) async throws(RestError) {
        guard let tree = try? SOQLQuery(parsing: query.text) else { throw Self.rejection("unknown syntax") }
        var known: [String: ObjectDescription] = [:]
        let object = try await client.send(.describe(tree.from.path.text))
        var root = Node.parent(object: object.name, [])
        let prefixes = SOQLPathPrefixes(tree)
        var columns: [Column] = []
        for item in tree.select {
            guard case .field(.path(let path), nil) = item else { throw Self.rejection("not a plain field") }
            let parts = prefixes.relativeParts(of: path)
            var (owner, names, objects) = (ObjectDescription?(object), [String](), [String?]())
            for part in parts.dropLast() {
                let field = owner?.parentField(named: part)
                names.append(field?.relationshipName ?? part)
                owner = nil
                if let field, field.referenceTo.count == 1 {
                    let name = field.referenceTo[0]
                    if known[name] == nil { known[name] = try await client.send(.describe(name)) }
                    owner = known[name]
                }
                objects.append(owner?.name)
            }
            let last = parts.last ?? ""
            let field = owner?[last]
            guard field.map({ $0.valueKind != .compound && $0.kind != .base64 }) ?? (owner == nil) else {
                throw Self.rejection("\(path.text) is unknown, compound or binary")
            }
            // Without an object, it is a field that all objects of a polymorphic reference have.
            let kind: ValueKind = last.lowercased() == "isactive" ? .boolean : .text
            let column = Column(path: names + [field?.name ?? last], kind: field.map(\.valueKind) ?? kind)
            root.add(column.path[...], objects[...], .field(columns.count, column.kind))
            columns.append(column)
        }
        (self.object, version, self.columns, self.root) = (object.name, client.apiVersion, columns, root)
    }

    private static func rejection(_ what: String) -> RestError {
        RestError(.invalidRequest, "a job cannot read the query: \(what)")
    }

    /// Returns the row of a job as a record, with `attributes` where the row has the facts for them.
    func record(_ row: CSVRow) -> JSONValue {
        var members = value(of: root, row, isRoot: true).object ?? [:]
        if let id = members["Id"]?.string {
            let url = "/services/data/\(version)/sobjects/\(object)/\(id)"
            members["attributes"] = ["type": JSONValue(object), "url": JSONValue(url)]
        }
        return JSONValue(members)
    }

    /// A parent whose fields are all null is null.
    private func value(of node: Node, _ row: CSVRow, isRoot: Bool = false) -> JSONValue {
        switch node {
        case .field(let index, let kind): return index < row.count ? JSONValue(csv: row[index], as: kind) : .null
        case .parent(let object, let members):
            let values = members.map { (key: $0.name, value: value(of: $0.node, row)) }
            guard isRoot || values.contains(where: { !$0.value.isNull }) else { return .null }
            let attributes: [JSONObject.Element] = object.map { [("attributes", ["type": JSONValue($0)])] } ?? []
            return JSONValue(JSONObject(members: attributes + values))
        }
    }

    var names: [String] { columns.map { $0.path.joined(separator: ".") } }

    /// Returns the fields of a record as a job returns them.
    func fields(of record: JSONValue) -> [String] {
        columns.map { column in
            let text = column.path.reduce(JSONValue?(record)) { $0?[$1] }?.csv ?? ""
            return column.kind == .dateTime ? text.removing(suffix: "+0000").map { "\($0)Z" } ?? text : text
        }
    }
}
