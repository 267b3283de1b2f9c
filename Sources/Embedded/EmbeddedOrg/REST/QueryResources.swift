// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore
import SOQLSyntax

/// `/query`, `/queryAll` and the further pages of results.
struct QueryResources: Sendable {
    var database: Database
    let compiler: QueryCompiler
    let cursors: CursorStore
    let timeLimit: Duration
    let childPageSize: Int
    let bus: EventBus

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        switch call.rest.count {
        case 1:
            if let text = call.path.parameter("explain") { return try explain(text, call) }
            guard let text = call.path.parameter("q"), !text.isEmpty else {
                throw OrgError("MALFORMED_QUERY", "A query string has to be specified")
            }
            return .json(200, try run(text, call))
        case 2: return .json(200, try next(call, call.pageSize))
        default: throw .notFound
        }
    }

    /// Returns the requested page size, between 200 and 2,000, which is also the default.
    static func batchSize(_ field: String?) -> Int {
        let options = (field ?? "").split(anyOf: ",;")
        let wish = options.compactMap { option -> Int? in
            let sides = option.split(byte: "=", omittingEmptySubsequences: false).map { $0.without(" ") }
            return sides.count == 2 && sides[0].lowercased() == "batchsize" ? Int(outside: sides[1], in: .count) : nil
        }
        return min(max(wish.first ?? 2_000, 200), 2_000)
    }

    func compiled(_ text: String, _ call: RESTRouter.Call) throws(OrgError) -> CompiledQuery {
        let options = QueryOptions(
            now: WireTime.milliseconds, version: call.version.number, includesDeleted: call.rest[0] == "queryAll",
            userID: call.userID, childPageSize: childPageSize, childLocator: CursorStore.makeLocator(7))
        return try compiler.compile(text, options: options)
    }

    func run(_ text: String, _ call: RESTRouter.Call) throws(OrgError) -> [UInt8] {
        var found = try read(text, call, mayReadSubscribers: false)
        if found == nil {
            try bus.writeSubscribers(database)
            found = try read(text, call, mayReadSubscribers: true)
        }
        guard let made = found else { throw .deadLocator }
        try cursors.add(made.cursors, of: call.caller)
        if let usage = made.usage {
            try RecentRecords(database: database).note(made.seen, usage, by: call.userID)
        }
        return made.page
    }

    /// Reads the first page, or returns `nil` for a query of the clients that listen to events, whose records must be
    /// written first.
    private func read(
        _ text: String, _ call: RESTRouter.Call, mayReadSubscribers: Bool
    ) throws(OrgError) -> Made? {
        let size = call.pageSize
        return try database.read { (connection) throws(OrgError) -> Made? in
            let query = try compiled(text, call)
            guard mayReadSubscribers || query.object != EventSubscriber.object else { return nil }
            let reader = QueryReader(connection: connection, timeLimit: timeLimit)
            if case .records(let shape) = query.shape { return try begin(query, shape, reader, size, call.version) }
            let result = try reader.result(of: query)
            return Made(QueryPage(total: result.count).bytes(records: result.bytes))
        }
    }

    /// A page with the cursors of unfinished lists, which are stored after all of it was read.
    private struct Made: Sendable {
        let page: [UInt8]
        var cursors: [(locator: String, cursor: QueryCursor)] = []
        /// The IDs of records that the user has viewed or referenced by the query.
        var seen: [String] = []
        var usage: SOQLUsage?

        init(_ page: [UInt8], _ cursors: [(locator: String, cursor: QueryCursor)] = []) {
            self.page = page
            self.cursors = cursors
        }
    }

    /// Reads one page.
    ///
    /// If there are more records, the numbers of all rows are kept, and all pages are read by them.
    private func begin(
        _ query: CompiledQuery, _ shape: RecordShape, _ reader: QueryReader, _ size: Int, _ version: APIVersion
    ) throws(OrgError) -> Made {
        var seen: [String] = []
        let page = try reader.records(query.rows(limit: size + 1), shape) { row in
            if query.usage != nil, let id = shape.idColumn, seen.count < size { seen.append(row.text(id)) }
        }
        guard page.count > size else {
            var made = Made(
                QueryPage(total: page.count).bytes(records: page.bytes), try children(of: page.bytes, query, reader))
            (made.seen, made.usage) = (seen, query.usage)
            return made
        }
        let cursor = QueryCursor(query: query, rows: try reader.rowNumbers(query))
        let locator = CursorStore.makeLocator()
        var made = try render(cursor, from: 0, size, locator: locator, reader, version)
        made.cursors.append((locator, cursor))
        (made.seen, made.usage) = (seen, query.usage)
        return made
    }

    private func next(_ call: RESTRouter.Call, _ size: Int) throws(OrgError) -> [UInt8] {
        let parts = call.rest[1].split(byte: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let offset = Int(outside: parts[1], in: .count),
            let cursor = cursors.cursor(String(parts[0]), of: call.caller), offset > 0, offset < cursor.rows.count
        else { throw .deadLocator }
        let made = try database.read { (connection) throws(OrgError) -> Made in
            let reader = QueryReader(connection: connection, timeLimit: timeLimit)
            return try render(cursor, from: offset, size, locator: String(parts[0]), reader, call.version)
        }
        try cursors.add(made.cursors, of: call.caller)
        return made.page
    }

    private func render(
        _ cursor: QueryCursor, from offset: Int, _ size: Int, locator: String, _ reader: QueryReader,
        _ version: APIVersion
    ) throws(OrgError) -> Made {
        guard case .records(let shape) = cursor.query.shape else { throw .deadLocator }
        let end = offset + min(size, cursor.mostPerPage, cursor.rows.count - offset)
        let page = try reader.records(cursor.query.page(of: cursor.rows[offset..<end]), shape)
        let next = end < cursor.rows.count ? "\(version.path)/query/\(locator)-\(end)" : nil
        return Made(
            QueryPage(total: cursor.rows.count, next: next).bytes(records: page.bytes),
            try children(of: page.bytes, cursor.query, reader))
    }

    /// Returns cursors for the lists of children that continue after this page.
    private func children(
        of page: [UInt8], _ query: CompiledQuery, _ reader: QueryReader
    ) throws(OrgError) -> [(locator: String, cursor: QueryCursor)] {
        var cursors: [(locator: String, cursor: QueryCursor)] = []
        for list in query.children.unfinishedLists(in: page) {
            let rows = try reader.rowNumbers(list.query)
            cursors.append((list.locator, .init(query: list.query, rows: rows, mostPerPage: childPageSize)))
        }
        return cursors
    }
}

extension RESTRouter.Call {
    var pageSize: Int { QueryResources.batchSize(request.fields["Sforce-Query-Options"]) }
}

struct QueryPage {
    let total: Int
    var next: String?

    /// Returns the response with records that are already joined by commas.
    func bytes(records: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count + 160)
        bytes.append(contentsOf: #"{"totalSize":\#(total),"done":\#(next == nil)"#.utf8)
        if let next { bytes.append(contentsOf: #","nextRecordsUrl":"\#(next)""#.utf8) }
        bytes.append(contentsOf: #","records":["#.utf8)
        bytes.append(contentsOf: records)
        bytes.append(contentsOf: "]}".utf8)
        return bytes
    }
}

extension QueryResources {
    /// `explain=…`: the plan of a query, from SQLite's query planner.
    func explain(_ text: String, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        guard !text.isEmpty else { throw OrgError("MALFORMED_QUERY", "A query string has to be specified") }
        let query = try compiled(text, call)
        let statement = query.rows()
        let plan = try database.read { (connection) throws(OrgError) -> Plan in
            let count = query.objectCount
            return Plan(
                records: Int(clamping: try connection.fetch(count.sql, count.bindings) { $0.integer(0) }[0]),
                steps: try connection.fetch("EXPLAIN QUERY PLAN " + statement.sql, statement.bindings, isQuery: true) {
                    $0.text(3)
                })
        }
        return .json(value: [
            "plans": [plan.json(of: query.object)], "sourceQuery": JSONValue(text),
        ])
    }

    private struct Plan: Sendable {
        let records: Int
        /// The steps in the planner's words, the leading one first.
        let steps: [String]

        func json(of object: String) -> JSONValue {
            let lead = steps.first { $0.hasBytes(prefix: "SEARCH") || $0.hasBytes(prefix: "SCAN") } ?? ""
            // Every query excludes deleted records, so that condition alone does not count.
            let terms =
                lead.hasBytes(prefix: "SEARCH")
                ? Self.terms(of: lead).filter { !$0.hasBytes(prefix: "IsDeleted=") } : []
            let (isSearch, fields) = (!terms.isEmpty, terms.map(Self.field))
            // A search by an equal key finds few records. The planner's own estimates are the same for every org.
            let isEqual = terms.contains { $0.hasBytes("=?") }
            let found = !isSearch ? records : isEqual ? min(records, 1) : records / 4
            let cost = isSearch ? Double(found) / Double(max(records, 1)) : 1
            let notes = steps.map { step in
                ["description": JSONValue(step), "fields": [], "tableEnumOrId": JSONValue(object)] as JSONValue
            }
            return [
                "cardinality": JSONValue(found), "fields": JSONValue(JSONArray(fields.map { JSONValue($0) })),
                "leadingOperationType": isSearch ? "Index" : "TableScan", "notes": JSONValue(JSONArray(notes)),
                "relativeCost": JSONValue(floatLiteral: cost), "sobjectCardinality": JSONValue(records),
                "sobjectType": JSONValue(object),
            ]
        }

        /// Returns the terms of `(AccountId=? AND rowid>?)`.
        private static func terms(of step: String) -> [Substring] {
            guard let inside = step.cut(lastByte: "(")?.after.removing(suffix: ")") else { return [] }
            return inside.split(byte: " ").filter { $0 != "AND" }
        }

        private static func field(of term: Substring) -> String {
            let name = String(term.prefix { !"=<>".contains($0) })
            return name == "rowid" ? "Id" : name
        }
    }
}
