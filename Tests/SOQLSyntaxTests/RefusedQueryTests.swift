// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import SOQLSyntax
import Testing

@Suite("Rejected queries")
struct RefusedQueryTests {
    @Test(
        "The error has a position, and distinguishes unsupported queries from malformed queries",
        arguments: RejectedQuery.all(.syntax) + RejectedQuery.all(.variable))
    func rejection(_ query: RejectedQuery) throws {
        let error = try #require(throws: SOQLSyntaxError.self) { try SOQLQuery(parsing: query.soql) }
        #expect(error.position.line == query.line && error.position.column == query.column, "\(error)")
        #expect(error.message.contains(query.words), "\(error.message)")
        #expect(error.kind == (query.code == "MALFORMED_QUERY" ? .malformed : .unsupported))
        #expect(query.soql.utf8.dropFirst(error.position.offset).starts(with: error.token.utf8))
    }

    @Test("Depth and length are limited")
    func limits() {
        for count in [101, 1_000, 40_000] {
            let text = "SELECT Id FROM A WHERE " + String(repeating: "(", count: count)
            let error = #expect(throws: SOQLSyntaxError.self) { try SOQLQuery(parsing: text) }
            #expect(error?.message == "nested more than 100 levels deep")
            #expect(error?.position.column == 125)
        }
        let calls = "SELECT " + String(repeating: "f(", count: 1_000)
        #expect(throws: SOQLSyntaxError.self) { try SOQLQuery(parsing: calls) }
        let children = String(repeating: "SELECT (", count: 1_000)
        #expect(throws: SOQLSyntaxError.self) { try SOQLQuery(parsing: children) }
        let deep = String(repeating: "(", count: 100) + "B = 1" + String(repeating: ")", count: 100)
        #expect(throws: Never.self) { try SOQLQuery(parsing: "SELECT Id FROM A WHERE " + deep) }
        let long = "SELECT Id FROM A WHERE B = '" + String(repeating: "x", count: 100_000) + "'"
        let error = #expect(throws: SOQLSyntaxError.self) { try SOQLQuery(parsing: long) }
        #expect(error?.message == "the query is longer than 100000 characters")
    }
}
