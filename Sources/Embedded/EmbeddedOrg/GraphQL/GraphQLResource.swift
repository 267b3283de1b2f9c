// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLSyntax

/// `/graphql`: queries of the User Interface API over the org's records.
///
/// A document is answered with status 200 whatever becomes of it; its `errors` tell.
struct GraphQLResource {
    let queries: QueryResources

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("POST")
        guard call.rest.count == 1 else { throw .notFound }
        let body = try RecordInput.members(call.request.body)
        guard let text = body["query"]?.string else { throw .invalidInput("query must be a document in a string.") }
        var problems: [GraphQLProblem] = []
        var data = JSONValue.null
        switch plan(text, body) {
        case .success(let plan): data = try self.data(of: plan, call, &problems)
        case .failure(let problem): problems.append(problem)
        }
        return .json(value: ["data": data, "errors": JSONValue(JSONArray(problems.map(\.json)))])
    }

    private func plan(_ text: String, _ body: JSONObject) -> Result<GraphQLPlan, GraphQLProblem> {
        do throws(GraphQLProblem) {
            let fields = try GraphQLResolver.selections(
                of: try GraphQLParser.document(text), operation: body["operationName"]?.string,
                variables: body["variables"]?.object ?? [:])
            return .success(try GraphQLPlan(fields, in: queries.compiler.schema))
        } catch {
            return .failure(error)
        }
    }

    private func data(
        of plan: GraphQLPlan, _ call: RESTRouter.Call, _ problems: inout [GraphQLProblem]
    ) throws(OrgFault) -> JSONValue {
        switch plan {
        case .typeName(let name): return JSONValue(name)
        case .list(let list, let path):
            switch begun(list, call, path) {
            case .success(let (query, start)): return try page(of: list, query, start, call)
            case .failure(let problem):
                problems.append(problem)
                return .null
            }
        case .object(let members):
            var json: JSONObject = [:]
            for (key, member) in members { json[key] = try data(of: member, call, &problems) }
            return JSONValue(json)
        }
    }

    /// The query of a list, and where its page begins.
    private func begun(
        _ list: GraphQLConnection, _ call: RESTRouter.Call, _ path: [String]
    ) -> Result<(CompiledQuery, Start?), GraphQLProblem> {
        do throws(GraphQLProblem) {
            let query = try compiled(list, call, path)
            guard let after = list.after else { return .success((query, nil)) }
            return .success((query, try cursor(after, query, call, path)))
        } catch {
            return .failure(error)
        }
    }

    private func compiled(
        _ list: GraphQLConnection, _ call: RESTRouter.Call, _ path: [String]
    ) throws(GraphQLProblem) -> CompiledQuery {
        let options = QueryOptions(
            now: WireTime.milliseconds, version: call.version.number, userID: call.userID,
            childPageSize: list.node.mostChildren)
        do throws(QueryError) {
            return try queries.compiler.compile(list.query, text: list.query.text, options: options)
        } catch {
            let reason = error.message.split(byte: "\n").last.map(String.init) ?? ""
            throw GraphQLProblem(kind: .fetching, message: "\(error.code.rawValue): \(reason)", path: path)
        }
    }
}

/// The pages of lists: a place in a list is the locator of a result that is kept, as for queries, and a number.
extension GraphQLResource {
    /// Where a page begins in a result that is kept.
    struct Start: Sendable {
        let locator: String
        let rows: [Int64]
        let offset: Int
    }

    /// A page, and the result behind it.
    private struct Page: Sendable {
        var records: [UInt8] = []
        var rows: [Int64]?
        var offset = 0
        var count = 0
        var hasNext = false
    }

    /// The place that a cursor names.
    func cursor(
        _ text: String, _ query: CompiledQuery, _ call: RESTRouter.Call, _ path: [String]
    ) throws(GraphQLProblem) -> Start {
        let parts = Base64.decode(text).map { String(decoding: $0, as: UTF8.self) }?.split(byte: "-") ?? []
        guard parts.count == 2, let offset = Int(outside: parts[1], in: .count),
            let cursor = queries.cursors.cursor(String(parts[0]), of: call.caller),
            cursor.query.object == query.object, offset <= cursor.rows.count
        else {
            throw GraphQLProblem(kind: .fetching, message: "The cursor is unknown, or has expired.", path: path)
        }
        return Start(locator: String(parts[0]), rows: cursor.rows, offset: offset)
    }

    /// The page of a list from a place on.
    func page(
        of list: GraphQLConnection, _ query: CompiledQuery, _ start: Start?, _ call: RESTRouter.Call
    ) throws(OrgFault) -> JSONValue {
        guard case .records(let shape) = query.shape else { throw .notFound }
        let page = try queries.database.read { (connection) throws(OrgFault) -> Page in
            let reader = QueryReader(connection: connection, timeLimit: queries.timeLimit)
            var page = Page()
            guard start != nil || list.wantsCursors || list.wantsTotal else {
                (page.records, page.count) = try reader.records(query.rows(limit: list.first + 1), shape)
                page.hasNext = page.count > list.first
                return page
            }
            let rows = if let start { start.rows } else { try reader.rowNumbers(query) }
            page.offset = start?.offset ?? 0
            let end = page.offset + min(list.first, rows.count - page.offset)
            page.records = try reader.records(query.page(of: rows[page.offset..<end]), shape).bytes
            (page.rows, page.hasNext) = (rows, end < rows.count)
            return page
        }
        let locator = start?.locator ?? CursorStore.makeLocator()
        if start == nil, list.wantsCursors, let rows = page.rows {
            try queries.cursors.add([(locator, .init(query: query, rows: rows))], of: call.caller)
        }
        let text = Array("[".utf8) + page.records + Array("]".utf8)
        let records = (try? JSONValue(parsing: text))?.array?.prefix(list.first).map(\.self) ?? []
        return list.json(records, total: page.rows?.count ?? records.count, hasNext: page.hasNext) { number in
            Base64.encode(Array("\(locator)-\(page.offset + number + 1)".utf8))
        }
    }
}

/// What a document asks of the org: `uiapi { query { Account { … } } }`.
indirect enum GraphQLPlan {
    case typeName(String)
    case object([(key: String, plan: GraphQLPlan)])
    /// A list of records, and where it stands in the answer.
    case list(GraphQLConnection, [String])

    /// The most lists of records that one document asks for.
    private static let mostLists = 10

    init(_ fields: [GraphQLSelection], in schema: Schema) throws(GraphQLProblem) {
        self = try Self.object(fields, "Query", "uiapi", []) { (field, path) throws(GraphQLProblem) in
            try Self.object(field.children, "UIAPI", "query", path) { (field, path) throws(GraphQLProblem) in
                try Self.lists(field.children, in: schema, path)
            }
        }
    }

    /// An object that has one field beside its type.
    private static func object(
        _ fields: [GraphQLSelection], _ type: String, _ name: String, _ path: [String],
        _ make: (GraphQLSelection, [String]) throws(GraphQLProblem) -> GraphQLPlan
    ) throws(GraphQLProblem) -> GraphQLPlan {
        var members: [(key: String, plan: GraphQLPlan)] = []
        for field in fields {
            let path = path + [field.key]
            switch field.name {
            case "__typename": members.append((field.key, .typeName(type)))
            case name: members.append((field.key, try make(field, path)))
            default: throw undefined(field, type, path)
            }
        }
        return .object(members)
    }

    private static func lists(
        _ fields: [GraphQLSelection], in schema: Schema, _ path: [String]
    ) throws(GraphQLProblem) -> GraphQLPlan {
        guard fields.count <= mostLists else {
            throw .validation("a document asks for \(mostLists) lists at most", fields[mostLists].position, path)
        }
        var members: [(key: String, plan: GraphQLPlan)] = []
        for field in fields {
            let path = path + [field.key]
            guard field.name != "__typename" else {
                members.append((field.key, .typeName("RecordQuery")))
                continue
            }
            guard let object = schema.object(named: field.name), object.name == field.name else {
                throw undefined(field, "RecordQuery", path)
            }
            let list = try GraphQLConnection(field, of: object, from: object.name, in: schema, path: path)
            members.append((field.key, .list(list, path)))
        }
        return .object(members)
    }

    private static func undefined(_ field: GraphQLSelection, _ type: String, _ path: [String]) -> GraphQLProblem {
        .validation("Field '\(field.name.prefix(80))' in type '\(type)' is undefined", field.position, path)
    }
}
