// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite
import SOQLStore
import SOQLSyntax

/// A record of `PushTopic`: a query whose records cause notifications when they change.
struct PushTopic: Sendable {
    static let object = "PushTopic"

    let name: String
    let object: SObjectSchema
    private let query: String
    private let schema: Schema
    private let operations: Set<RecordChange.Kind>
    private let fields: Fields
    private let selected: [FieldSchema]
    private let tested: Set<String>

    /// The fields whose change causes a notification.
    private enum Fields: String {
        case all = "All"
        case referenced = "Referenced"
        case select = "Select"
        case `where` = "Where"
    }

    /// The maximum length of the name and of the query, as on Salesforce.
    static let (mostName, mostQuery) = (25, 1_300)

    var channel: String { "/topic/\(name)" }

    /// Returns the active topics, without those whose query is no longer valid.
    static func active(_ schema: Schema, _ connection: SQLiteConnection) throws(DatabaseError) -> [PushTopic] {
        try rows("\"IsActive\" = 1", [], connection).compactMap { try? PushTopic($0, schema) }
    }

    /// Checks a topic that was written, inside the transaction.
    static func check(_ number: Int64, _ schema: Schema, _ connection: SQLiteConnection) throws(OrgError) {
        let rows = try OrgError.wrapping { () throws(DatabaseError) in
            try Self.rows("rowid = ?1", [.integer(number)], connection)
        }
        for row in rows { _ = try PushTopic(row, schema) }
    }

    private typealias Row = (name: String, query: String, fields: String, flags: [Bool])

    private static func rows(
        _ condition: String, _ values: [SQLValue], _ connection: SQLiteConnection
    ) throws(DatabaseError) -> [Row] {
        try connection.list(
            """
            SELECT "Name", "Query", "NotifyForFields", "NotifyForOperationCreate", "NotifyForOperationUpdate",
            "NotifyForOperationDelete", "NotifyForOperationUndelete" FROM "PushTopic"
            WHERE "IsDeleted" = 0 AND \(condition) ORDER BY rowid
            """, values
        ) { row in
            (name: row.text(0), query: row.text(1), fields: row.text(2), flags: (3...6).map { row.integer($0) == 1 })
        }
    }

    private init(_ row: Row, _ schema: Schema) throws(OrgError) {
        let (name, text) = (row.name, row.query)
        func invalid(_ message: String, _ field: String) -> OrgError {
            OrgError("INVALID_FIELD", message, fields: [field])
        }
        guard name.unicodeScalars.count <= Self.mostName else {
            throw invalid("The name of a PushTopic has at most \(Self.mostName) characters", "Name")
        }
        guard text.utf8.count <= Self.mostQuery else {
            throw invalid("The query of a PushTopic has at most \(Self.mostQuery) characters", "Query")
        }
        let parsed: SOQLQuery
        do throws(SOQLSyntaxError) { parsed = try SOQLQuery(parsing: text) } catch {
            throw invalid("The query is invalid: \(error)", "Query")
        }
        let query = try Self.compiled(text, schema)
        guard case .records = query.shape, let object = schema.object(named: query.object), parsed.orderBy.isEmpty,
            parsed.limit == nil, parsed.offset == nil, parsed.groupBy.isEmpty, EventBus.publishesChanges(of: object)
        else { throw invalid("The query must select records without ORDER BY, GROUP BY, LIMIT and OFFSET", "Query") }
        var selected: [FieldSchema] = []
        for item in parsed.select {
            guard case .field(let expression, _) = item, let path = expression.path,
                let field = Self.field(path, of: object, parsed), !field.type.isCompound
            else { throw invalid("The query may select fields of \(object.name) only", "Query") }
            selected.append(field)
        }
        guard selected.contains(where: { $0.name == "Id" }) else {
            throw invalid("The query must select the field Id", "Query")
        }
        let tested = parsed.where.map { Self.fields(of: $0) { Self.field($0, of: object, parsed)?.name } } ?? []
        guard let tested else {
            throw invalid("The query may test fields of \(object.name) only, without another query", "Query")
        }
        let kinds: [Set<RecordChange.Kind>] = [[.created], [.updated], [.deleted, .merged], [.undeleted]]
        operations = zip(kinds, row.flags).reduce(into: Set<RecordChange.Kind>()) { if $1.1 { $0.formUnion($1.0) } }
        self.fields = Fields(rawValue: row.fields) ?? .referenced
        (self.name, self.object, self.query, self.schema) = (name, object, text, schema)
        (self.selected, self.tested) = (selected, tested)
    }

    private static func compiled(_ text: String, _ schema: Schema) throws(OrgError) -> CompiledQuery {
        let options = QueryOptions(
            now: WireTime.milliseconds, version: APIVersion.latest.number, includesDeleted: true)
        return try QueryCompiler(schema: schema).compile(text, options: options)
    }

    /// Returns the field of a path, which may begin with the object's name or alias.
    private static func field(_ path: SOQLPath, of object: SObjectSchema, _ query: SOQLQuery) -> FieldSchema? {
        let prefixes = [object.name, query.from.alias?.text].compactMap { $0?.lowercased() }
        let parts = path.parts.count == 2 && prefixes.contains(path.parts[0].lowercased()) ? [path.last] : path.parts
        return parts.count == 1 ? object.field(named: parts[0]) : nil
    }

    /// Returns the fields of a condition, or `nil` if it has a field that is not known or another query.
    private static func fields(of condition: SOQLCondition, _ name: (SOQLPath) -> String?) -> Set<String>? {
        switch condition {
        case .comparison(let comparison):
            if case .query = comparison.right { return nil }
            return comparison.left.path.flatMap(name).map { [$0] }
        case .not(let inner): return fields(of: inner, name)
        case .and(let terms), .or(let terms):
            let known = terms.compactMap { fields(of: $0, name) }
            return known.count == terms.count ? known.reduce([]) { $0.union($1) } : nil
        }
    }
}

extension PushTopic {
    /// Returns the type of the notification for a change, or `nil` if there is none.
    func notification(of change: RecordChange, _ connection: SQLiteConnection) throws(DatabaseError) -> String? {
        let isRelevant =
            change.kind != .updated || fields == .all
            || fields != .where && selected.contains { change.changes($0.name) }
            || fields != .select && tested.contains(where: change.changes)
        guard operations.contains(change.kind), isRelevant else { return nil }
        // The query was valid when the topic was saved. It is compiled again because its dates depend on the day.
        guard let query = try? Self.compiled(query, schema) else { return nil }
        let test = query.test(ofRow: change.row)
        guard try !connection.list(test.sql, test.bindings, { $0.integer(0) }).isEmpty else { return nil }
        return change.kind.name
    }

    /// Returns the selected fields of a record as JSON, and only the ID of a deleted one.
    func record(of change: RecordChange, _ connection: SQLiteConnection) throws(DatabaseError) -> [UInt8] {
        let isDeleted = change.kind == .deleted || change.kind == .merged
        let fields = isDeleted ? selected.filter { $0.name == "Id" } : selected.filter { $0.usage == nil }
        let columns = fields.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let values =
            try connection.list(
                "SELECT \(columns) FROM \"\(object.name)\" WHERE rowid = ?1", [.integer(change.row)]
            ) { row in fields.indices.map { row.value($0) } }.first ?? []
        var writer = JSONWriter()
        writer.object { writer in
            for (field, value) in zip(fields, values) {
                writer.member(field.name, json: field.json(of: value))
            }
        }
        return writer.bytes
    }
}
