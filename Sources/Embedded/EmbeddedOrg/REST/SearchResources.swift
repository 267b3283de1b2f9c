// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore
import SOQLSyntax

/// `/search`, `/parameterizedSearch`, suggestions and the order of objects.
///
/// There is no index. The database finds candidate rows, and their words are compared one by one.
struct SearchResources {
    let queries: QueryResources

    private var schema: Schema { queries.compiler.schema }

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        switch (call.rest.first, call.rest.dropFirst().first, call.rest.count) {
        case ("parameterizedSearch", _, 1):
            try call.version.require(.parameterizedSearch)
            try call.allow("POST")
            let parameters = try RecordInput.members(call.request.body)
            return try found(try SearchStatement(parameters: JSONValue(parameters)), call)
        case ("search", nil, _):
            try call.allow("GET")
            guard let text = call.path.parameter("q"), !text.isEmpty else {
                throw .malformedSearch("A search string has to be specified")
            }
            return try found(try SearchStatement(parsing: text), call)
        case ("search", "scopeOrder", 2):
            try call.allow("GET")
            return .list(schema.objects) { writer, object in
                writer.object(
                    [("type", object.name), ("url", "\(call.version.path)/sobjects/\(object.name)/describe")])
            }
        case ("search", "suggestions", 2):
            try call.allow("GET")
            return try suggestions(call)
        default: throw .notFound
        }
    }

    /// Returns records whose name starts with a text, as suggestions of a search box.
    private func suggestions(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        guard let text = call.path.parameter("q"), (2...200).contains(text.count) else {
            throw .malformedSearch("q must have 2 to 200 characters")
        }
        guard let limit = Int(outside: call.path.parameter("limit") ?? "5", in: .count), (1...50).contains(limit) else {
            throw .malformedSearch("limit is a number from 1 to 50")
        }
        let name = call.path.parameter("sobject") ?? ""
        guard let object = schema.object(named: name), let field = object.fields.first(where: \.isNameField) else {
            throw .unknownObject(name)
        }
        let query = """
            SELECT Id, \(field.name) FROM \(object.name) WHERE \(field.name) LIKE \(SOQLPattern([.text(text), .anyRun]).text)
            ORDER BY \(field.name) LIMIT \(limit + 1)
            """
        let page = try queries.run(query, RESTRouter.Call(call, rest: ["query"]))
        let found = (try? JSONValue(parsing: page))?["records"]?.array ?? []
        return .json(value: [
            "autoSuggestResults": JSONValue(JSONArray(found.prefix(limit))),
            "hasMoreResults": JSONValue(found.count > limit),
        ])
    }

    private func found(_ statement: SearchStatement, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let targets =
            statement.targets.isEmpty ? schema.objects.map { .init(object: $0.name) } : statement.targets
        let records = try queries.database.read { (connection) throws(OrgError) -> [UInt8] in
            // The time limit is for all objects together.
            let end = ContinuousClock.now + queries.timeLimit
            var records: [UInt8] = []
            var left = statement.limit
            for target in targets where left > 0 {
                let reader = QueryReader(connection: connection, timeLimit: end - .now)
                let page = try self.records(target, of: statement, most: left, reader, call)
                if !records.isEmpty, page.count > 0 { records.append(UInt8(ascii: ",")) }
                records += page.bytes
                left -= page.count
            }
            return records
        }
        let isEnveloped = call.version.has(.searchEnvelope)
        let (begin, end) = isEnveloped ? (#"{"searchRecords":["#, "]}") : ("[", "]")
        return .json(200, Array(begin.utf8) + records + Array(end.utf8))
    }

    /// Returns the matching records of one object by a query for their IDs.
    private func records(
        _ target: SearchStatement.Target, of statement: SearchStatement, most: Int, _ reader: QueryReader,
        _ call: RESTRouter.Call
    ) throws(OrgError) -> (bytes: [UInt8], count: Int) {
        let text = "SELECT \(target.fields) FROM \(target.object) \(target.clauses)"
        var query: SOQLQuery
        do throws(SOQLSyntaxError) {
            query = try SOQLQuery(parsing: text)
        } catch {
            throw OrgError(error, in: text)
        }
        // The query is compiled first, so an invalid field is rejected even if nothing is found.
        guard case .records = try compiled(query, text, call, reader).shape, query.select.allSatisfy(\.isField),
            query.usage == nil, let object = schema.object(named: target.object)
        else { throw .malformedSearch("RETURNING accepts only objects with plain fields") }
        let ids = try self.ids(of: object, statement, reader)
        guard !ids.isEmpty else { return ([], 0) }
        let isFound = SOQLCondition.comparison(
            SOQLComparison(.path(SOQLPath(["Id"])), .in, .list(ids.map { SOQLValue(.string($0)) })))
        query.where = query.where.map { .and([$0, isFound]) } ?? isFound
        let found = try compiled(query, text, call, reader)
        guard case .records(let shape) = found.shape else { return ([], 0) }
        return try reader.records(found.rows(limit: most), shape)
    }

    private func compiled(
        _ query: SOQLQuery, _ text: String, _ call: RESTRouter.Call, _ reader: QueryReader
    ) throws(OrgError) -> CompiledQuery {
        let options = QueryOptions(
            now: WireTime.milliseconds, version: call.version.number, userID: call.userID)
        return try queries.compiler.compile(query, text: text, options: options)
    }

    /// Returns the IDs of matching records, up to the limit of a search.
    private func ids(
        of object: SObjectSchema, _ statement: SearchStatement, _ reader: QueryReader
    ) throws(OrgError) -> [String] {
        let fields = object.fields.filter { $0.isSearched(in: statement.scope) }.map { "\"\($0.name)\"" }
        guard !fields.isEmpty else { return [] }
        // The texts have only letters and digits, so they contain no wildcards of LIKE.
        let texts = statement.expression.requiredTexts
        let conditions = texts.indices.map { text in
            "(" + fields.map { "\($0) LIKE ?\(text + 1)" }.joined(separator: " OR ") + ")"
        }
        let sql = """
            SELECT "Id", \(fields.joined(separator: ", ")) FROM "\(object.name)"
            WHERE \((["\"IsDeleted\" = 0"] + conditions).joined(separator: " AND "))
            """
        var ids: [String] = []
        let end = ContinuousClock.now + reader.timeLimit
        var isOverdue = false
        try OrgError.wrapping { () throws(DatabaseError) in
            try reader.connection.rows(
                sql, texts.map { .text("%\($0)%") }, isQuery: true, limit: reader.timeLimit
            ) { row in
                // The database's own limit does not include the time for comparing.
                isOverdue = isOverdue || ContinuousClock.now > end
                guard ids.count < SearchStatement.mostRecords, !isOverdue else { return }
                let words = fields.indices.map { SearchText.words(row.text($0 + 1)) }
                if statement.expression.matches(words) { ids.append(row.text(0)) }
            }
        }
        guard !isOverdue else { throw .queryTimeout }
        return ids
    }
}

extension SOQLSelectItem {
    fileprivate var isField: Bool { if case .field = self { true } else { false } }
}

extension FieldSchema {
    fileprivate func isSearched(in scope: SearchStatement.Scope) -> Bool {
        switch scope {
        case .name: isNameField || ["Name", "FirstName", "LastName"].contains(name)
        case .email: type == .email
        case .phone: type == .phone
        case .all: [.string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox].contains(type)
        }
    }
}
