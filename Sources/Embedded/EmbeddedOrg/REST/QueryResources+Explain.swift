// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

extension QueryResources {
    /// `explain=…`: how the database would run a query, as SQLite's own planner tells.
    func explain(_ text: String, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard !text.isEmpty else { throw OrgFault(400, "MALFORMED_QUERY", "A query string has to be specified") }
        let query = try compiled(text, call)
        let statement = query.rows()
        let plan = try database.read { (connection) throws(OrgFault) -> Plan in
            var plan = Plan()
            do throws(DatabaseError) {
                let count = query.objectCount
                try connection.rows(count.sql, count.bindings) { plan.records = Int(clamping: $0.integer(0)) }
                try connection.rows("EXPLAIN QUERY PLAN " + statement.sql, statement.bindings, isQuery: true) {
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
            let lead = steps.first { $0.hasBytes(prefix: "SEARCH") || $0.hasBytes(prefix: "SCAN") } ?? ""
            // Every query leaves deleted records out, so that alone finds nothing.
            let terms =
                lead.hasBytes(prefix: "SEARCH")
                ? Self.terms(of: lead).filter { !$0.hasBytes(prefix: "IsDeleted=") } : []
            let (isSearch, fields) = (!terms.isEmpty, terms.map(Self.field))
            // A search by an equal key finds few; the planner's own numbers are the same for every org.
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

        /// The tests of `(AccountId=? AND rowid>?)`.
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
