// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import SOQLSyntax

/// The columns of a bulk query: the fields it selects, as paths from the object in FROM.
struct BulkColumns {
    let compiled: CompiledQuery
    let object: String
    /// The names of the columns.
    let names: [String]
    /// Where each value is in a record.
    private let paths: [[String]]

    init(_ text: String, _ queries: QueryResources, _ call: RESTRouter.Call, isAll: Bool) throws(OrgFault) {
        let inner = RESTRouter.Call(call, rest: [isAll ? "queryAll" : "query"])
        try self.init(text, queries, try queries.compiled(text, inner))
    }

    init(_ text: String, _ queries: QueryResources, _ compiled: CompiledQuery) throws(OrgFault) {
        guard let query = try? SOQLQuery(parsing: text),
            let object = queries.compiler.schema.queried(compiled.object)
        else { throw .notFound }
        try Self.check(query, compiled)
        self.compiled = compiled
        self.object = object.name
        let prefixes = SOQLPathPrefixes(query)
        var (paths, names): ([[String]], [String]) = ([], [])
        for item in query.select {
            guard case .field(.path(let path), _) = item else { throw .noBulkQuery("Functions and TYPEOF") }
            let column = Self.canonical(prefixes.relativeParts(of: path), object, queries.compiler.schema)
            guard column.field?.type.isCompound != true else { throw .noBulkQuery("Selecting compound data") }
            guard column.field?.type != .base64 else { throw .noBulkQuery("Selecting binary data") }
            paths.append(column.names)
            names.append(column.names.joined(separator: "."))
        }
        (self.paths, self.names) = (paths, names)
    }

    /// Refuses what the platform refuses in a bulk query.
    private static func check(_ query: SOQLQuery, _ compiled: CompiledQuery) throws(OrgFault) {
        for item in query.select {
            if case .children = item { throw .noBulkQuery("Aggregate Relationships") }
        }
        guard case .records = compiled.shape else { throw .noBulkQuery("Aggregates and GROUP BY") }
        guard query.offset == nil else { throw .noBulkQuery("OFFSET") }
    }

    /// The names as the schema writes them, and the field that they lead to.
    private static func canonical(
        _ parts: [String], _ object: SObjectSchema, _ schema: Schema
    ) -> (names: [String], field: FieldSchema?) {
        var (owner, names) = (Optional(object), [String]())
        for part in parts.dropLast() {
            let field = owner?.referenceField(ofRelationship: part)
            names.append(field?.relationshipName ?? part)
            owner = field?.referenceTo.first.flatMap { schema.object(named: $0) }
        }
        let field = owner?.field(named: parts.last ?? "")
        return (names + [field?.name ?? parts.last ?? ""], field)
    }

    /// The first line of a result.
    func header(of job: BulkJob) -> String { job.contentType == .csv ? job.line(names) : "" }

    /// A record as the job's results have it: a line of CSV, or an object.
    func line(of record: JSONValue, _ job: BulkJob) -> String {
        guard job.contentType == .csv else { return String(decoding: record.bytes(), as: UTF8.self) }
        return job.line(paths.map { Self.text(at: $0, in: record) })
    }

    private static func text(at path: [String], in record: JSONValue) -> String {
        var value = record
        for name in path { value = value[name] ?? .null }
        guard let text = value.string ?? value.numberText else {
            return value.bool.map { $0 ? "true" : "false" } ?? ""
        }
        // Bulk writes the zone of datetimes as a letter.
        return text.utf8.count == 28 ? text.removing(suffix: "+0000").map { "\($0)Z" } ?? text : text
    }
}

extension OrgFault {
    static func noBulkQuery(_ what: String) -> OrgFault {
        OrgFault(400, "FEATURENOTENABLED", "\(what) not supported in Bulk V2 Query with CSV content type")
    }
}
