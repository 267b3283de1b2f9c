// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import SOQLSyntax

/// The columns of a bulk query: the fields it selects, as paths from the object in FROM.
struct BulkColumns {
    let compiled: CompiledQuery
    let object: String
    /// The names of the columns.
    let names: [String]
    /// Where each value is in a record.
    private let paths: [[String]]

    init(_ text: String, _ queries: QueryResources, _ call: RESTRouter.Call) throws(OrgFault) {
        let inner = RESTRouter.Call(call, rest: [call.rest.last == "queryAll" ? "queryAll" : "query"])
        try self.init(text, queries, try queries.compiled(text, inner))
    }

    init(_ text: String, _ queries: QueryResources, _ compiled: CompiledQuery) throws(OrgFault) {
        guard case .records = compiled.shape, let query = try? SOQLQuery(parsing: text), query.offset == nil,
            let object = queries.compiler.schema.queried(compiled.object)
        else { throw .invalidJob("A bulk query takes fields of records: no aggregates, no groups, no OFFSET") }
        self.compiled = compiled
        self.object = object.name
        let prefixes = SOQLPathPrefixes(query)
        var paths: [[String]] = []
        for item in query.select {
            guard case .field(.path(let path), _) = item else {
                throw .invalidJob("A bulk query takes fields of records: no functions, no TYPEOF, no child queries")
            }
            paths.append(
                Self.canonical(prefixes.relativeParts(of: path), object, queries.compiler.schema))
        }
        self.paths = paths
        names = paths.map { $0.joined(separator: ".") }
    }

    /// The names as the schema writes them.
    private static func canonical(_ parts: [String], _ object: SObjectSchema, _ schema: Schema) -> [String] {
        var (owner, names) = (Optional(object), [String]())
        for (position, part) in parts.enumerated() {
            if position == parts.count - 1 {
                names.append(owner?.field(named: part)?.name ?? part)
            } else {
                let field = owner?.referenceField(ofRelationship: part)
                names.append(field?.relationshipName ?? part)
                owner = field?.referenceTo.first.flatMap { schema.object(named: $0) }
            }
        }
        return names
    }

    /// The values of a record in the order of the columns.
    func values(of record: JSONValue) -> [String] {
        paths.map { path in
            var value = record
            for name in path { value = value[name] ?? .null }
            guard let text = value.string ?? value.numberText else {
                return value.bool.map { $0 ? "true" : "false" } ?? ""
            }
            // Bulk writes the zone of datetimes as a letter.
            return text.utf8.count == 28 && text.hasSuffix("+0000") ? text.dropLast(5) + "Z" : text
        }
    }
}
