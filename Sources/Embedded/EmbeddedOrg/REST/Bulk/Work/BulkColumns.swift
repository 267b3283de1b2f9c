// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestCSV
import RestSQLite
import SOQLCheck
import SOQLStore
import SOQLSyntax

/// The columns of a bulk query: the selected fields, as paths from the object in FROM.
struct BulkColumns {
    let object: String
    let names: [String]
    /// The result column of each name, or `nil` for a field that the row does not have.
    private let values: [(index: Int, kind: ValueKind)?]

    init(_ text: String, _ queries: QueryResources, _ call: RESTRouter.Call, isAll: Bool) throws(OrgError) {
        let inner = RESTRouter.Call(call, rest: [isAll ? "queryAll" : "query"])
        try self.init(text, queries, try queries.compiled(text, inner), isOrdered: call.version.has(.selectedOrder))
    }

    /// Reads the columns in the order of SELECT (`isOrdered`) or of their names.
    init(
        _ text: String, _ queries: QueryResources, _ compiled: CompiledQuery, isOrdered: Bool
    ) throws(OrgError) {
        guard let query = try? SOQLQuery(parsing: text),
            let object = queries.compiler.schema.queried(compiled.object)
        else { throw .notFound }
        let shape = try Self.shape(of: query, compiled)
        let prefixes = SOQLPathPrefixes(query)
        var paths: [[String]] = []
        for item in query.select {
            guard case .field(.path(let path), _) = item else { throw .noBulkQuery("Functions and TYPEOF") }
            let column = Self.canonical(prefixes.relativeParts(of: path), object, queries.compiler.schema)
            guard column.field?.type.isCompound != true else { throw .noBulkQuery("Selecting compound data") }
            guard column.field?.type != .base64 else { throw .noBulkQuery("Selecting binary data") }
            paths.append(column.names)
        }
        if !isOrdered { paths.sort { $0.joined(separator: ".") < $1.joined(separator: ".") } }
        self.object = object.name
        names = paths.map { $0.joined(separator: ".") }
        values = paths.map { shape.column(at: $0) }
    }

    /// Rejects the queries that Salesforce rejects in bulk.
    private static func shape(of query: SOQLQuery, _ compiled: CompiledQuery) throws(OrgError) -> RecordShape {
        for item in query.select {
            if case .children = item { throw .noBulkQuery("Aggregate Relationships") }
        }
        guard case .records(let shape) = compiled.shape else { throw .noBulkQuery("Aggregates and GROUP BY") }
        guard query.offset == nil else { throw .noBulkQuery("OFFSET") }
        // No user views the records of a job.
        if let usage = query.usage { throw .noBulkQuery("FOR \(usage.value.rawValue)") }
        return shape
    }

    /// Returns the names as written in the schema, and the last field.
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

    func line(of row: RowReader, _ dialect: CSVDialect) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 * values.count)
        let delimiter = dialect.delimiter.byte
        for (position, value) in values.enumerated() {
            if position > 0 { bytes.append(delimiter) }
            bytes.append(UInt8(ascii: "\""))
            if let value, !row.isNull(value.index) {
                if value.kind == .text {
                    row.withText(value.index) { bytes.appendDoublingQuotes($0) }
                } else {
                    bytes.appendText(row, value.index, value.kind)
                }
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(contentsOf: (dialect.lineEnding == .crlf ? "\r\n" : "\n").utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func appendText(_ row: RowReader, _ column: Int, _ kind: ValueKind) {
        switch kind {
        case .boolean: append(contentsOf: (row.integer(column) == 0 ? "false" : "true").utf8)
        case .integer: appendInteger(row.integer(column))
        case .real: appendNumber(row.real(column))
        // CSV has the time zone of a datetime as a letter.
        case .dateTime:
            row.withText(column) { appendBytes($0.extracting(0..<Swift.max(0, $0.count - "+0000".utf8.count))) }
            append(UInt8(ascii: "Z"))
        default: row.withText(column) { appendBytes($0) }
        }
    }

    /// Appends a text with doubled quotes (RFC 4180 §2), and copies runs without quotes at once.
    fileprivate mutating func appendDoublingQuotes(_ text: Span<UInt8>) {
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: "\"") {
            appendBytes(text.extracting(start...index))
            start = index
        }
        appendBytes(text.extracting(start..<text.count))
    }
}

extension OrgError {
    fileprivate static func noBulkQuery(_ what: String) -> OrgError {
        OrgError("FEATURENOTENABLED", "\(what) not supported in Bulk V2 Query with CSV content type")
    }
}
