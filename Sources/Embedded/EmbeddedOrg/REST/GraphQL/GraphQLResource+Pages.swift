// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport

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
