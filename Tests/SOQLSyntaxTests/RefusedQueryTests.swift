// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax
import Testing

@Suite("Queries that are refused")
struct RefusedQueryTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let message: String

        init(_ text: String, _ column: Int, _ message: String, line: Int = 1) {
            self.text = text
            self.column = column
            self.message = message
            self.line = line
        }

        var testDescription: String { text }
    }

    /// `message` is a part of the message.
    static let grammar: [Refusal] = [
        Refusal("", 1, "unexpected token: <EOF> (expected SELECT)"),
        Refusal("   ", 4, "<EOF>"),
        Refusal("SELEC Id FROM A", 1, "'SELEC' (expected SELECT)"),
        Refusal("SELECT FROM Account", 8, "unexpected token: 'FROM' (expected a field)"),
        Refusal("SELECT * FROM A", 8, "unexpected token: '*'"),
        Refusal("SELECT Id, FROM A", 12, "'FROM'"),
        Refusal("SELECT Id Name Owner FROM A", 16, "'Owner' (expected FROM)"),
        Refusal("SELECT Id AS x FROM A", 11, "without AS"),
        Refusal("SELECT Id", 10, "<EOF> (expected FROM)"),
        Refusal("SELECT Id FROM", 15, "<EOF> (expected an object)"),
        Refusal("SELECT Id FROM WHERE B = 1", 16, "'WHERE' (expected an object)"),
        Refusal("SELECT Id FROM A,", 18, "<EOF> (expected an object)"),
        Refusal("SELECT Id FROM A WHERE", 23, "<EOF> (expected a field)"),
        Refusal("SELECT Id FROM A WHERE B", 25, "<EOF> (expected an operator)"),
        Refusal("SELECT Id FROM A WHERE B =", 27, "<EOF> (expected a literal)"),
        Refusal("SELECT Id FROM A WHERE B == 1", 27, "'='"),
        Refusal("SELECT Id FROM A WHERE B => 1", 27, "'>'"),
        Refusal("SELECT Id FROM A WHERE B = C", 28, "'C' (expected a literal)"),
        Refusal("SELECT Id FROM A WHERE 1 = B", 24, "'1' (expected a field)"),
        Refusal("SELECT Id FROM A WHERE '1' = '1'", 24, "(expected a field)"),
        Refusal("SELECT Id FROM A WHERE B IS NULL", 26, "'IS' (expected an operator)"),
        Refusal("SELECT Id FROM A WHERE B BETWEEN 1 AND 2", 26, "'BETWEEN'"),
        Refusal("SELECT Id FROM A WHERE B NOT LIKE 'x'", 30, "'LIKE' (expected IN)"),
        Refusal("SELECT Id FROM A WHERE B LIKE 5", 31, "(expected a string)"),
        Refusal("SELECT Id FROM A WHERE B IN ()", 30, "')' (expected a literal)"),
        Refusal("SELECT Id FROM A WHERE B IN 'a'", 29, "(expected '(')"),
        Refusal("SELECT Id FROM A WHERE B IN ('a' 'b')", 34, "(expected ',' or ')')"),
        Refusal("SELECT Id FROM A WHERE B IN ('a',)", 34, "(expected a literal)"),
        Refusal("SELECT Id FROM A WHERE B INCLUDES (1)", 36, "(expected a string)"),
        Refusal("SELECT Id FROM A WHERE B = 1 AND C = 2 OR D = 3", 40, "AND and OR cannot be mixed"),
        Refusal("SELECT Id FROM A WHERE B = 1 OR C = 2 AND D = 3", 39, "AND and OR cannot be mixed"),
        Refusal("SELECT Id FROM A WHERE NOT B = 1 AND C = 2", 34, "NOT and its condition"),
        Refusal("SELECT Id FROM A WHERE B = 1 AND NOT C = 2", 34, "'NOT'"),
        Refusal("SELECT Id FROM A WHERE (B = 1", 30, "<EOF> (expected ')')"),
        Refusal("SELECT Id FROM A WHERE B = 1)", 29, "')'"),
        Refusal("SELECT Id FROM A WHERE ()", 25, "(expected a field)"),
        Refusal("SELECT Id FROM A LIMIT", 23, "<EOF> (expected a whole number)"),
        Refusal("SELECT Id FROM A LIMIT 1.5", 24, "'1.5' (expected a whole number)"),
        Refusal("SELECT Id FROM A LIMIT 1e9", 24, "malformed number: '1e9'"),
        Refusal("SELECT Id FROM A LIMIT 99999999999999999999", 24, "too large"),
        Refusal("SELECT Id FROM A LIMIT 1; DELETE", 25, "';'"),
        Refusal("SELECT Id FROM A LIMIT 5 WHERE B = 1", 26, "'WHERE'"),
        Refusal("SELECT Id FROM A OFFSET 5 LIMIT 1", 27, "'LIMIT'"),
        Refusal("SELECT Id FROM A HAVING COUNT(Id) > 1", 18, "'HAVING'"),
        Refusal("SELECT Id FROM A GROUP Id", 24, "(expected BY)"),
        Refusal("SELECT Id FROM A ORDER BY 1", 27, "(expected a field)"),
        Refusal("SELECT Id FROM A ORDER BY B NULLS MIDDLE", 35, "(expected FIRST or LAST)"),
        Refusal("SELECT COUNT(), Id FROM A", 8, "COUNT() stands alone"),
        Refusal("SELECT Id, COUNT() FROM A", 12, "COUNT() stands alone"),
        Refusal("SELECT COUNT() n FROM A", 16, "(expected FROM)"),
        Refusal("SELECT MAX(Amount FROM A", 19, "(expected ')')"),
        Refusal("SELECT Owner . Name FROM A", 14, "'.' (expected FROM)"),
        Refusal("SELECT Owner. FROM A", 13, "'.'"),
        Refusal("SELECT (Id) FROM A", 9, "(expected SELECT)"),
        Refusal("SELECT (SELECT Id FROM Bs FROM A", 27, "'FROM'"),
        Refusal("SELECT _x FROM A", 8, "'_'"),
        Refusal("SELECT Id FROM A -- comment", 18, "'-'"),
        Refusal("SELECT Id /* c */ FROM A", 11, "'/'"),
        Refusal("SELECT Id FROM A UNION SELECT Id FROM B", 24, "'SELECT'"),
        Refusal("SELECT Id FROM A JOIN B", 23, "'B'"),
        Refusal("DELETE FROM A", 1, "(expected SELECT)"),
        Refusal("PRAGMA table_info(A)", 1, "(expected SELECT)"),
        Refusal("SELECT Id\nFROM A\n  WHERE ?", 9, "'?'", line: 3),
        Refusal("SELECT Id\r\nFROM A\rWHERE ?", 7, "'?'", line: 3),
        Refusal("SELECT Größe ? FROM A", 14, "'?'"),
        Refusal("SELECT Id FROM A WHERE B = \u{201C}x\u{201D}", 28, "U+201C"),
        Refusal("SELECT\u{A0}Id FROM A", 7, "U+00A0"),
        Refusal("SELECT Id\u{0} FROM A", 10, "U+0000"),
        Refusal("SELECT Id FROM A WHERE B IN (SELECT C, D FROM E)", 37, "exactly one field"),
        Refusal("SELECT Id FROM A WHERE B IN (SELECT C FROM E LIMIT 1)", 52, "no clause after WHERE"),
        Refusal("SELECT Id FROM A WHERE B IN (SELECT C FROM E ORDER BY C)", 55, "no clause after WHERE"),
    ]

    static let literals: [Refusal] = [
        Refusal("SELECT Id FROM A WHERE B = 5.", 28, "malformed number: '5.'"),
        Refusal("SELECT Id FROM A WHERE B = 1e5", 28, "malformed number: '1e5'"),
        Refusal("SELECT Id FROM A WHERE B = 10L", 28, "malformed number: '10L'"),
        Refusal("SELECT Id FROM A WHERE B = 1.2.3", 28, "malformed number: '1.2.3'"),
        Refusal("SELECT Id FROM A WHERE B = -'x'", 29, "(expected a number)"),
        Refusal("SELECT Id FROM A WHERE B = USD-5", 28, "'USD'"),
        Refusal("SELECT Id FROM A WHERE B = \"x\"", 28, "'\"'"),
        Refusal("SELECT Id FROM A WHERE B = 'x", 28, "the string is not closed"),
        Refusal(#"SELECT Id FROM A WHERE B = 'x\'"#, 28, "the string is not closed"),
        Refusal("SELECT Id FROM A WHERE B = 'x\ny'", 28, "ends on the line it begins on"),
        Refusal("SELECT Id FROM A WHERE B = 'it''s'", 32, "'s'"),
        Refusal(#"SELECT Id FROM A WHERE B = 'ü\q'"#, 30, #"Invalid Escape Character: '\q'"#),
        Refusal(#"SELECT Id FROM A WHERE B = '\f'"#, 29, "Invalid Escape Character"),
        Refusal(#"SELECT Id FROM A WHERE B = '\%'"#, 29, "Invalid Escape Character"),
        Refusal(#"SELECT Id FROM A WHERE B = '\u12'"#, 29, "Invalid Escape Character"),
        Refusal(#"SELECT Id FROM A WHERE B = '\u+123'"#, 29, "Invalid Escape Character"),
        Refusal(#"SELECT Id FROM A WHERE B = '\uD800'"#, 29, "Invalid Escape Character"),
        Refusal(#"SELECT Id FROM A WHERE B = '\uD800A'"#, 29, "Invalid Escape Character"),
        Refusal(#"SELECT Id FROM A WHERE B = '\uDC00'"#, 29, "Invalid Escape Character"),
        Refusal("SELECT Id FROM A WHERE B = 2026-1-5", 32, "'-'"),
        Refusal("SELECT Id FROM A WHERE B = 2026-01-29T10:11Z", 28, "malformed date or time: '2026-01-29T10:11Z'"),
        Refusal("SELECT Id FROM A WHERE B = 2026-01-29T10:11:12", 28, "malformed date or time"),
        Refusal("SELECT Id FROM A WHERE B = 2026-01-29T10:11:12.Z", 28, "malformed date or time"),
        Refusal("SELECT Id FROM A WHERE B = 2026-01-29T10:11:12+1", 28, "malformed date or time"),
        Refusal("SELECT Id FROM A WHERE B = 10:11:12", 30, "':'"),
        Refusal("SELECT Id FROM A WHERE B = TODAY:3", 33, "TODAY takes no number"),
        Refusal("SELECT Id FROM A WHERE B = LAST_N_DAYS", 28, "LAST_N_DAYS needs a number: LAST_N_DAYS:n"),
        Refusal("SELECT Id FROM A WHERE B = LAST_N_DAYS:x", 40, "'x'"),
        Refusal("SELECT Id FROM A WHERE B = LAST_N_DAYS:-1", 40, "'-'"),
        Refusal("SELECT Id FROM A WHERE B = THIS_DAY", 28, "'THIS_DAY'"),
        Refusal("SELECT Id FROM A WHERE B = LAST_30_DAYS", 28, "'LAST_30_DAYS'"),
    ]

    static let clauses: [Refusal] = [
        Refusal("SELECT TYPEOF What WHEN Account THEN Name FROM Event", 43, "'FROM' (expected ',', WHEN, ELSE or END)"),
        Refusal("SELECT TYPEOF What WHEN Account Name END FROM Event", 33, "'Name' (expected THEN)"),
        Refusal("SELECT TYPEOF What WHEN Account THEN END FROM Event", 42, "'FROM' (expected ',', WHEN, ELSE or END)"),
        Refusal("SELECT TYPEOF What WHEN A THEN B ELSE C WHEN D THEN E END FROM F", 41, "'WHEN' (expected ',' or END)"),
        Refusal("SELECT FIELDS(SOME) FROM A", 15, "'SOME' (expected ALL, STANDARD or CUSTOM)"),
        Refusal("SELECT FIELDS() FROM A", 15, "')' (expected ALL, STANDARD or CUSTOM)"),
        Refusal("SELECT FIELDS(ALL) x FROM A", 20, "'x' (expected FROM)"),
        Refusal("SELECT MAX(FIELDS(ALL)) FROM A", 12, "FIELDS() stands on its own in a select list"),
        Refusal("SELECT Id FROM A USING mine", 24, "'mine' (expected SCOPE)"),
        Refusal("SELECT Id FROM A USING SCOPE", 29, "<EOF> (expected the name of a scope)"),
        Refusal("SELECT Id FROM A WITH", 22, "(expected SECURITY_ENFORCED, USER_MODE, SYSTEM_MODE, DATA CATEGORY or"),
        Refusal("SELECT Id FROM A WITH DATA CATEGORY G UNDER x", 39, "(expected AT, ABOVE, BELOW or ABOVE_OR_BELOW)"),
        Refusal("SELECT Id FROM A WITH DATA CATEGORY G AT (x y)", 45, "(expected ',' or ')')"),
        Refusal("SELECT Id FROM A WITH C (a 1)", 28, "'1' (expected '=')"),
        Refusal("SELECT Id FROM A WITH USER_MODE WHERE B = 1", 33, "'WHERE'"),
        Refusal("SELECT Id FROM A FOR NOTHING", 22, "'NOTHING' (expected VIEW, REFERENCE or UPDATE)"),
        Refusal("SELECT Id FROM A FOR VIEW FOR VIEW", 31, "'VIEW' (expected UPDATE)"),
        Refusal("SELECT Id FROM A UPDATE TRACKING, x", 35, "'x' (expected TRACKING or VIEWSTAT)"),
        Refusal("SELECT Id FROM A ALL ROWS LIMIT 1", 27, "'LIMIT'"),
        Refusal("SELECT B FROM A GROUP BY ROLLUP B", 33, "'B' (expected '(')"),
        Refusal("SELECT B FROM A GROUP BY B, CUBE(C)", 29, "'CUBE' (expected a field)"),
        Refusal("SELECT B FROM A GROUP BY CUBE()", 31, "')' (expected a field)"),
        Refusal("SELECT GEOLOCATION(1, 2) FROM A", 8, "GEOLOCATION() stands inside DISTANCE()"),
        Refusal("SELECT DISTANCE(L, M, 'mi') FROM A", 20, "'M' (expected GEOLOCATION)"),
        Refusal("SELECT DISTANCE(L, GEOLOCATION(1), 'mi') FROM A", 33, "')' (expected ',')"),
        Refusal("SELECT DISTANCE(L, GEOLOCATION(1, 'x'), 'mi') FROM A", 35, "(expected a number)"),
        Refusal("SELECT DISTANCE(L, GEOLOCATION(1, 2), 'm') FROM A", 39, "(expected 'mi' or 'km')"),
        Refusal("SELECT Id FROM A WHERE B IN (SELECT C FROM D, D.E)", 47, "a semi-join reads one object"),
        Refusal("SELECT Id FROM A WHERE B IN (SELECT C FROM D FOR VIEW)", 46, "no clause after WHERE"),
    ]

    /// Words that are no names, wherever one is expected.
    static let reserved: [Refusal] =
        ["FIRST", "LAST", "BY", "FOR", "UPDATE", "ELSE", "LOOKUP", "BIND", "ROLLUP", "CUBE"]
        .flatMap { word in
            [
                Refusal("SELECT \(word) FROM A", 8, "'\(word)' (expected a field)"),
                Refusal("SELECT Id \(word) FROM A", 11, "'\(word)' (expected an alias)"),
                Refusal("SELECT Id FROM \(word)", 16, "'\(word)' (expected an object)"),
                Refusal("SELECT Id FROM A AS \(word)", 21, "'\(word)' (expected an alias)"),
                Refusal("SELECT Id FROM A WHERE \(word) = 1", 24, "'\(word)' (expected a field)"),
                Refusal(
                    "SELECT Id FROM A ORDER BY \(word.lowercased())", 27, "'\(word.lowercased())' (expected a field)"),
            ]
        } + [
            Refusal("SELECT MAX(B) group FROM A", 15, "'group' (expected an alias)"),
            Refusal("SELECT Id FROM A AS Group", 21, "'Group' (expected an alias)"),
        ]

    /// What only Apex has.
    static let binds: [Refusal] = [
        Refusal("SELECT Id FROM A WHERE B = :x", 28, "Bind variables only allowed in Apex code"),
        Refusal("SELECT Id FROM A WHERE B IN :x", 29, "Bind variables only allowed in Apex code"),
        Refusal("SELECT Id FROM A LIMIT :x", 24, "Bind variables only allowed in Apex code"),
    ]

    /// What is SOQL and not read; the error has a kind of its own.
    static let unsupported: [Refusal] = [
        Refusal("SELECT Id FROM A USING LOOKUP B", 24, "USING LOOKUP is not supported here"),
        Refusal("SELECT Id FROM A BIND x = 1", 18, "the BIND clause is not supported here"),
        Refusal("SELECT Id FROM A WHERE B + C > 1", 26, "arithmetic in a condition is not supported here"),
    ]

    @Test(
        "The error names what and where, and tells what is not read from what is not SOQL",
        arguments: grammar + literals + clauses + reserved + binds + unsupported)
    func refusal(_ refusal: Refusal) {
        let error = #expect(throws: SOQLSyntaxError.self) { try SOQLQuery(parsing: refusal.text) }
        guard let error else { return }
        #expect(error.position.line == refusal.line)
        #expect(error.position.column == refusal.column)
        #expect(error.message.contains(refusal.message), "\(error.message)")
        let isUnsupported = Self.unsupported.contains { $0.text == refusal.text }
        #expect(error.kind == (isUnsupported ? .unsupported : .malformed))
    }

    @Test("The token to blame stands at its offset", arguments: grammar + literals + clauses + reserved + unsupported)
    func tokenStandsAtItsOffset(_ refusal: Refusal) {
        guard let error = #expect(throws: SOQLSyntaxError.self, performing: { try SOQLQuery(parsing: refusal.text) })
        else { return }
        #expect(refusal.text.utf8.dropFirst(error.position.offset).starts(with: error.token.utf8))
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
