// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

extension QueryResources {
    /// `explain=…`: how the database would run a query, as SQLite's own planner tells.
    ///
    /// The value may also be the id of a list view.
    func explain(_ text: String, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard !text.isEmpty else { throw OrgFault(400, "MALFORMED_QUERY", "A query string has to be specified") }
        let query = try compiled(ListView(id: text, in: compiler.schema)?.query() ?? text, call)
        let statement = query.rows()
        let plan = try database.read { (connection) throws(OrgFault) -> Plan in
            var plan = Plan()
            do throws(DatabaseError) {
                let count = "SELECT count(*) FROM \"\(query.object)\""
                try connection.rows(count) { plan.records = Int(clamping: $0.integer(0)) }
                try connection.rows("EXPLAIN QUERY PLAN " + statement.sql, statement.bindings) {
                    plan.steps.append($0.text(3))
                }
            } catch {
                throw OrgFault(error)
            }
            return plan
        }
        return .json(value: [
            "plans": [plan.json(of: query.object)], "sourceQuery": JSONValue(text),
        ])
    }

    private struct Plan: Sendable {
        var records = 0
        /// The steps in the planner's words, the first one leading.
        var steps: [String] = []

        func json(of object: String) -> JSONValue {
            let lead = steps.first { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN") } ?? ""
            let isSearch = lead.hasPrefix("SEARCH")
            let fields = isSearch ? Self.fields(of: lead) : []
            // A search by an equal key finds few; the planner tells no numbers without statistics.
            let found = !isSearch ? records : lead.contains("=?") ? min(records, 1) : records / 4
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

        /// The names of `(AccountId=? AND rowid>?)`.
        private static func fields(of step: String) -> [String] {
            guard let start = step.lastIndex(of: "("), step.hasSuffix(")") else { return [] }
            let inside = step[step.index(after: start)...].dropLast()
            return inside.split(separator: " ").filter { $0 != "AND" }.map { part in
                let name = String(part.prefix { !"=<>".contains($0) })
                return name == "rowid" ? "Id" : name
            }
        }
    }
}
