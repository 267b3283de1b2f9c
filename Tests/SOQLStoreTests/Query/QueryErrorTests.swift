// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import SOQLCheck
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Queries that the compiler rejects")
struct QueryErrorTests {
    @Test(
        "The error has Salesforce's code, position and message",
        arguments: RejectedQuery.Reason.allCases.flatMap(RejectedQuery.all))
    func rejection(_ query: RejectedQuery) throws {
        let error = try #require(throws: OrgError.self) { try QueryTestDatabase.compile(query.soql) }
        #expect(error.code == query.code)
        #expect(error.position?.line == query.line && error.position?.column == query.column)
        #expect(error.message.contains(query.words), "\(error.message)")
        #expect(error.message.contains("\nERROR at Row:\(query.line):Column:\(query.column)\n"))
    }

    @Test(
        "The checker finds the same error first, with the same message",
        arguments: RejectedQuery.all(.syntax) + RejectedQuery.all(.meaning))
    func finding(_ query: RejectedQuery) throws {
        let error = try #require(throws: OrgError.self) { try QueryTestDatabase.compile(query.soql) }
        let findings = CheckedQuery(query.soql, schema: QueryTestSchema.schema.queries).findings
        let finding = try #require(findings.first { $0.severity == .error })
        #expect(finding.code == query.code && finding.start == error.position)
        #expect(error.message.hasSuffix("\n" + finding.message), "\(finding.message)")
    }

    @Test("The message quotes the line with a caret under the column")
    func message() throws {
        let error = try #require(throws: OrgError.self) {
            try QueryTestDatabase.compile("SELECT Id, Nme\nFROM Account")
        }
        #expect(
            error.message == """

                SELECT Id, Nme
                           ^
                ERROR at Row:1:Column:12
                No such column 'Nme' on entity 'Account'. If you are attempting to use a custom field, be sure \
                to append the '__c' after the custom field name. Please reference your WSDL or the describe call \
                for the appropriate names.
                """)
        let second = try #require(throws: OrgError.self) {
            try QueryTestDatabase.compile("SELECT Id\nFROM\tAccount WHERE ÄÖ = 1")
        }
        #expect(
            second.message.hasPrefix(
                "\nFROM Account WHERE ÄÖ = 1\n" + String(repeating: " ", count: 19) + "^\nERROR at Row:2:"))
    }

    @Test("A long line is truncated around the column")
    func longLine() throws {
        let soql = "SELECT " + String(repeating: "Id, ", count: 500) + "Foo FROM Account"
        let error = try #require(throws: OrgError.self) { try QueryTestDatabase.compile(soql) }
        let lines = error.message.split(separator: "\n")
        #expect(lines[0].count <= 120)
        #expect(error.message.utf8.count < 1_000)
    }
}
