// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore
import SOQLSyntax

/// `/graphql`: queries of the User Interface API on the org's records.
///
/// The status is 200 even if the document has errors. The response lists them.
struct GraphQLResource {
    let queries: QueryResources

    private static let mostLists = 10

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("POST")
        guard call.rest.count == 1 else { throw .notFound }
        let body = try RecordInput.members(call.request.body)
        guard let text = body["query"]?.string else { throw .invalidInput("query must be a document in a string.") }
        var problems: [GraphQLProblem] = []
        var data = JSONValue.null
        do throws(GraphQLProblem) {
            let fields = try GraphQLReader.fields(
                of: text, operation: body["operationName"]?.string, variables: body["variables"]?.object ?? [:])
            data = try self.data(of: fields, call, &problems)
        } catch {
            problems = [error]
        }
        return .json(value: ["data": data, "errors": JSONValue(JSONArray(problems.map { $0.json(in: text) }))])
    }

    /// Returns the response to `uiapi { query { Account { … } } }`, with null and a problem for a failed list.
    private func data(
        of fields: [GraphQLField], _ call: RESTRouter.Call, _ problems: inout [GraphQLProblem]
    ) throws(GraphQLProblem) -> JSONValue {
        try object(fields, "Query", ["uiapi"], []) { (field, path) throws(GraphQLProblem) in
            try object(field.children, "UIAPI", ["query"], path) { (field, path) throws(GraphQLProblem) in
                guard field.children.count <= Self.mostLists else {
                    let first = field.children[Self.mostLists].offset
                    throw .validation("a document can request at most \(Self.mostLists) lists", first, path)
                }
                let names = queries.compiler.schema.objects.map(\.name)
                return try object(field.children, "RecordQuery", names, path) { (field, path) throws(GraphQLProblem) in
                    do throws(GraphQLProblem) {
                        return try list(field, path, call)
                    } catch {
                        guard error.kind == .fetching else { throw error }
                        problems.append(error)
                        return .null
                    }
                }
            }
        }
    }

    /// Returns an object with a value for each field, and rejects other names than `names` and `__typename`.
    private func object(
        _ fields: [GraphQLField], _ type: String, _ names: [String], _ path: [String],
        _ value: (GraphQLField, [String]) throws(GraphQLProblem) -> JSONValue
    ) throws(GraphQLProblem) -> JSONValue {
        var members: [JSONObject.Element] = []
        for field in fields {
            let path = path + [field.key]
            guard field.name != "__typename" else {
                members.append((field.key, JSONValue(type)))
                continue
            }
            guard names.contains(field.name) else {
                throw .validation("Field '\(field.name.prefix(80))' in type '\(type)' is undefined", field.offset, path)
            }
            members.append((field.key, try value(field, path)))
        }
        return JSONValue(JSONObject(members: members))
    }

    private func list(
        _ field: GraphQLField, _ path: [String], _ call: RESTRouter.Call
    ) throws(GraphQLProblem) -> JSONValue {
        let schema = queries.compiler.schema
        guard let object = schema.object(named: field.name) else { return .null }
        let list = try GraphQLConnection(field, of: object, from: object.name, in: schema, path: path)
        let options = QueryOptions(
            now: WireTime.milliseconds, version: call.version.number, userID: call.userID,
            childPageSize: list.node.mostChildren)
        do throws(OrgError) {
            let query = try queries.compiler.compile(list.query, text: list.query.text, options: options)
            return try page(of: list, query, call)
        } catch {
            // The reason follows the quoted line.
            let reason = error.message.split(byte: "\n").last ?? ""
            throw GraphQLProblem(kind: .fetching, message: "\(error.code): \(reason)", path: path)
        }
    }
}

/// The pages of lists. A cursor is a locator, as for queries, with a number.
extension GraphQLResource {
    private struct Page: Sendable {
        var records: [UInt8] = []
        var rows: RowNumbers?
        var count = 0
        var hasNext = false
    }

    /// Returns the page after the list's cursor, or the first page.
    private func page(
        of list: GraphQLConnection, _ query: CompiledQuery, _ call: RESTRouter.Call
    ) throws(OrgError) -> JSONValue {
        guard case .records(let shape) = query.shape else { throw .notFound }
        let start = try list.after.map { (after) throws(OrgError) in try self.start(after, query, call) }
        let offset = start?.offset ?? 0
        let page = try queries.database.read { (connection) throws(OrgError) -> Page in
            let reader = QueryReader(connection: connection, timeLimit: queries.timeLimit)
            var page = Page()
            guard start != nil || list.wantsCursors || list.wantsTotal else {
                (page.records, page.count) = try reader.records(query.rows(limit: list.first + 1), shape)
                page.hasNext = page.count > list.first
                return page
            }
            let rows = if let start { start.rows } else { try reader.rowNumbers(query) }
            let end = offset + min(list.first, rows.count - offset)
            page.records = try reader.records(query.page(of: rows[offset..<end]), shape).bytes
            (page.rows, page.hasNext) = (rows, end < rows.count)
            return page
        }
        let locator = start?.locator ?? CursorStore.makeLocator()
        if start == nil, list.wantsCursors, let rows = page.rows {
            try queries.cursors.add([(locator, .init(query: query, rows: rows))], of: call.caller)
        }
        let text = Array("[".utf8) + page.records + Array("]".utf8)
        let records = (try? JSONValue(parsing: text))?.array?.prefix(list.first).map(\.self) ?? []
        return list.json(records, total: page.rows?.count ?? records.count, hasNext: page.hasNext) { position in
            Base64.encode(Array("\(locator)-\(offset + position + 1)".utf8))
        }
    }

    /// Returns the result of a cursor, and the number of records before its page.
    private func start(
        _ cursor: String, _ query: CompiledQuery, _ call: RESTRouter.Call
    ) throws(OrgError) -> (locator: String, rows: RowNumbers, offset: Int) {
        let parts = Base64.decode(cursor).map { String(decoding: $0, as: UTF8.self) }?.split(byte: "-") ?? []
        guard parts.count == 2, let offset = Int(outside: parts[1], in: .count),
            let known = queries.cursors.cursor(String(parts[0]), of: call.caller),
            known.query.object == query.object, offset <= known.rows.count
        else { throw OrgError("INVALID_CURSOR", "The cursor is unknown, or has expired.") }
        return (String(parts[0]), known.rows, offset)
    }
}

/// An error in a document or in one of its fields.
struct GraphQLProblem: Error {
    /// The kind of error in `extensions.ErrorType`.
    enum Kind: String, Sendable {
        case syntax = "InvalidSyntax"
        case validation = "ValidationError"
        case fetching = "DataFetchingException"
    }

    let kind: Kind
    let message: String
    var offset: Int?
    /// The keys from the root of the response to the field.
    var path: [String] = []

    static func syntax(_ message: String, _ offset: Int) -> GraphQLProblem {
        GraphQLProblem(kind: .syntax, message: "Invalid Syntax: \(message)", offset: offset)
    }

    static func validation(_ message: String, _ offset: Int?, _ path: [String] = []) -> GraphQLProblem {
        GraphQLProblem(kind: .validation, message: "Validation error: \(message)", offset: offset, path: path)
    }

    func json(in document: String) -> JSONValue {
        var json: JSONObject = ["message": JSONValue(message)]
        if let offset {
            let lines = document.utf8.prefix(offset).split(separator: 0x0A, omittingEmptySubsequences: false)
            let column = lines.last.map { String(decoding: $0, as: UTF8.self).unicodeScalars.count } ?? 0
            json["locations"] = [["line": JSONValue(max(1, lines.count)), "column": JSONValue(column + 1)]]
        }
        if !path.isEmpty { json["path"] = JSONValue(JSONArray(path.map { JSONValue($0) })) }
        json["extensions"] = ["ErrorType": JSONValue(kind.rawValue)]
        return JSONValue(json)
    }
}
