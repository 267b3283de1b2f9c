// SPDX-License-Identifier: Apache-2.0

/// A rejected query and its error message, which is the same for the check and the org.
package struct RejectedQuery: Sendable, CustomStringConvertible {
    package enum Reason: Sendable, CaseIterable {
        /// The string is not SOQL or has an invalid part. Its objects and fields do not exist.
        case syntax
        /// The string has variables, as in Apex, which a check reads as parameters.
        case variable
        /// The query is invalid for the objects of the org's tests.
        case meaning
        /// The query is valid, but not in an embedded org or not on this day.
        case org
    }

    package let soql: String
    package let reason: Reason
    /// The position of the error, counted from 1.
    package let line: Int, column: Int
    /// Salesforce's error code.
    package let code: String
    /// A part of the message.
    package let words: String

    package var description: String { soql }

    private init(
        _ soql: String, _ reason: Reason, line: Int = 1, _ column: Int, _ words: String,
        code: String = "MALFORMED_QUERY"
    ) {
        (self.soql, self.reason, self.line, self.column) = (soql, reason, line, column)
        (self.words, self.code) = (words, code)
    }

    /// Queries that are rejected for a reason.
    package static func all(_ reason: Reason) -> [RejectedQuery] {
        switch reason {
        case .syntax: read(syntax, .syntax) + unusual + reserved
        case .variable: read(variables, .variable)
        case .meaning: read(meaning, .meaning)
        case .org: read(org, .org)
        }
    }

    /// The lines of a table: `COLUMN CODE | QUERY | WORDS`.
    private static func read(_ table: String, _ reason: Reason) -> [RejectedQuery] {
        table.split(separator: "\n").map { line in
            let parts = line.split(separator: " | ", maxSplits: 2).map(String.init)
            let head = parts[0].split(separator: " ")
            // bounded: by the table
            return RejectedQuery(
                parts[1], reason, Int(head[0]) ?? 0, parts[2], code: String(head[1]))
        }
    }

    /// Words that are invalid as names everywhere.
    private static let reserved = ["FIRST", "LAST", "BY", "FOR", "UPDATE", "ELSE", "LOOKUP", "BIND", "ROLLUP", "CUBE"]
        .flatMap { word in
            [
                RejectedQuery("SELECT \(word) FROM A", .syntax, 8, "'\(word)' (expected a field)"),
                RejectedQuery("SELECT Id \(word) FROM A", .syntax, 11, "'\(word)' (expected an alias)"),
                RejectedQuery("SELECT Id FROM \(word)", .syntax, 16, "'\(word)' (expected an object)"),
                RejectedQuery("SELECT Id FROM A AS \(word)", .syntax, 21, "'\(word)' (expected an alias)"),
                RejectedQuery("SELECT Id FROM A WHERE \(word) = 1", .syntax, 24, "'\(word)' (expected a field)"),
                RejectedQuery("SELECT Id FROM A ORDER BY \(word)", .syntax, 27, "'\(word)' (expected a field)"),
            ]
        }

    /// Strings with characters that the table cannot contain.
    private static let unusual = [
        RejectedQuery("", .syntax, 1, "unexpected token: <EOF> (expected SELECT)"),
        RejectedQuery("   ", .syntax, 4, "<EOF>"),
        RejectedQuery("SELECT Id\nFROM A\n  WHERE ?", .syntax, line: 3, 9, "'?'"),
        RejectedQuery("SELECT Id\r\nFROM A\rWHERE ?", .syntax, line: 3, 7, "'?'"),
        RejectedQuery("SELECT Id FROM A WHERE B = \u{201C}x\u{201D}", .syntax, 28, "U+201C"),
        RejectedQuery("SELECT\u{A0}Id FROM A", .syntax, 7, "U+00A0"),
        RejectedQuery("SELECT Id\u{0} FROM A", .syntax, 10, "U+0000"),
        RejectedQuery("SELECT Id FROM A WHERE B = 'x\ny'", .syntax, 28, "must end on the line on which it begins"),
    ]

    private static let syntax = #"""
        1 MALFORMED_QUERY | SELEC Id FROM A | 'SELEC' (expected SELECT)
        8 MALFORMED_QUERY | SELECT FROM Account | unexpected token: 'FROM' (expected a field)
        8 MALFORMED_QUERY | SELECT * FROM A | unexpected token: '*'
        12 MALFORMED_QUERY | SELECT Id, FROM A | 'FROM'
        16 MALFORMED_QUERY | SELECT Id Name Owner FROM A | 'Owner' (expected FROM)
        11 MALFORMED_QUERY | SELECT Id AS x FROM A | without AS
        10 MALFORMED_QUERY | SELECT Id | <EOF> (expected FROM)
        15 MALFORMED_QUERY | SELECT Id FROM | <EOF> (expected an object)
        16 MALFORMED_QUERY | SELECT Id FROM WHERE B = 1 | 'WHERE' (expected an object)
        18 MALFORMED_QUERY | SELECT Id FROM A, | <EOF> (expected an object)
        23 MALFORMED_QUERY | SELECT Id FROM A WHERE | <EOF> (expected a field)
        25 MALFORMED_QUERY | SELECT Id FROM A WHERE B | <EOF> (expected an operator)
        27 MALFORMED_QUERY | SELECT Id FROM A WHERE B = | <EOF> (expected a literal)
        27 MALFORMED_QUERY | SELECT Id FROM A WHERE B == 1 | '='
        27 MALFORMED_QUERY | SELECT Id FROM A WHERE B => 1 | '>'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = C | 'C' (expected a literal)
        24 MALFORMED_QUERY | SELECT Id FROM A WHERE 1 = B | '1' (expected a field)
        24 MALFORMED_QUERY | SELECT Id FROM A WHERE '1' = '1' | (expected a field)
        26 MALFORMED_QUERY | SELECT Id FROM A WHERE B IS NULL | 'IS' (expected an operator)
        26 MALFORMED_QUERY | SELECT Id FROM A WHERE B BETWEEN 1 AND 2 | 'BETWEEN'
        30 MALFORMED_QUERY | SELECT Id FROM A WHERE B NOT LIKE 'x' | 'LIKE' (expected IN)
        31 MALFORMED_QUERY | SELECT Id FROM A WHERE B LIKE 5 | (expected a string)
        30 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN () | ')' (expected a literal)
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN 'a' | (expected '(')
        34 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN ('a' 'b') | (expected ',' or ')')
        34 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN ('a',) | (expected a literal)
        36 MALFORMED_QUERY | SELECT Id FROM A WHERE B INCLUDES (1) | (expected a string)
        40 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 1 AND C = 2 OR D = 3 | AND and OR cannot be mixed
        39 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 1 OR C = 2 AND D = 3 | AND and OR cannot be mixed
        34 MALFORMED_QUERY | SELECT Id FROM A WHERE NOT B = 1 AND C = 2 | NOT and its condition
        34 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 1 AND NOT C = 2 | 'NOT'
        30 MALFORMED_QUERY | SELECT Id FROM A WHERE (B = 1 | <EOF> (expected ')')
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 1) | ')'
        25 MALFORMED_QUERY | SELECT Id FROM A WHERE () | (expected a field)
        23 MALFORMED_QUERY | SELECT Id FROM A LIMIT | <EOF> (expected a whole number)
        24 MALFORMED_QUERY | SELECT Id FROM A LIMIT 1.5 | '1.5' (expected a whole number)
        24 MALFORMED_QUERY | SELECT Id FROM A LIMIT 1e9 | malformed number: '1e9'
        24 MALFORMED_QUERY | SELECT Id FROM A LIMIT 99999999999999999999 | too large
        25 MALFORMED_QUERY | SELECT Id FROM A LIMIT 1; DELETE | ';'
        26 MALFORMED_QUERY | SELECT Id FROM A LIMIT 5 WHERE B = 1 | 'WHERE'
        27 MALFORMED_QUERY | SELECT Id FROM A OFFSET 5 LIMIT 1 | 'LIMIT'
        18 MALFORMED_QUERY | SELECT Id FROM A HAVING COUNT(Id) > 1 | 'HAVING'
        24 MALFORMED_QUERY | SELECT Id FROM A GROUP Id | (expected BY)
        27 MALFORMED_QUERY | SELECT Id FROM A ORDER BY 1 | (expected a field)
        35 MALFORMED_QUERY | SELECT Id FROM A ORDER BY B NULLS MIDDLE | (expected FIRST or LAST)
        8 MALFORMED_QUERY | SELECT COUNT(), Id FROM A | COUNT() must be the only item
        12 MALFORMED_QUERY | SELECT Id, COUNT() FROM A | COUNT() must be the only item
        16 MALFORMED_QUERY | SELECT COUNT() n FROM A | (expected FROM)
        19 MALFORMED_QUERY | SELECT MAX(Amount FROM A | (expected ')')
        14 MALFORMED_QUERY | SELECT Owner . Name FROM A | '.' (expected FROM)
        13 MALFORMED_QUERY | SELECT Owner. FROM A | '.'
        9 MALFORMED_QUERY | SELECT (Id) FROM A | (expected SELECT)
        27 MALFORMED_QUERY | SELECT (SELECT Id FROM Bs FROM A | 'FROM'
        8 MALFORMED_QUERY | SELECT _x FROM A | '_'
        18 MALFORMED_QUERY | SELECT Id FROM A -- comment | '-'
        11 MALFORMED_QUERY | SELECT Id /* c */ FROM A | '/'
        24 MALFORMED_QUERY | SELECT Id FROM A UNION SELECT Id FROM B | 'SELECT'
        23 MALFORMED_QUERY | SELECT Id FROM A JOIN B | 'B'
        1 MALFORMED_QUERY | DELETE FROM A | (expected SELECT)
        1 MALFORMED_QUERY | PRAGMA table_info(A) | (expected SELECT)
        14 MALFORMED_QUERY | SELECT Größe ? FROM A | '?'
        37 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN (SELECT C, D FROM E) | exactly one field
        52 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN (SELECT C FROM E LIMIT 1) | no clause after WHERE
        55 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN (SELECT C FROM E ORDER BY C) | no clause after WHERE
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 5. | malformed number: '5.'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 1e5 | malformed number: '1e5'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 10L | malformed number: '10L'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 1.2.3 | malformed number: '1.2.3'
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = -'x' | (expected a number)
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = USD-5 | 'USD'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = "x" | '"'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 'x | the string is not closed
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 'x\' | the string is not closed
        32 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 'it''s' | 's'
        30 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 'ü\q' | Invalid Escape Character: '\q'
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\f' | Invalid Escape Character
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\%' | Invalid Escape Character
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\u12' | Invalid Escape Character
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\u+123' | Invalid Escape Character
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\uD800' | Invalid Escape Character
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\uD800A' | Invalid Escape Character
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B = '\uDC00' | Invalid Escape Character
        32 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 2026-1-5 | '-'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 2026-01-29T10:11Z | \#
        malformed date or time: '2026-01-29T10:11Z'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 2026-01-29T10:11:12 | malformed date or time
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 2026-01-29T10:11:12.Z | malformed date or time
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 2026-01-29T10:11:12+1 | malformed date or time
        30 MALFORMED_QUERY | SELECT Id FROM A WHERE B = 10:11:12 | ':'
        33 MALFORMED_QUERY | SELECT Id FROM A WHERE B = TODAY:3 | TODAY takes no number
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = LAST_N_DAYS | LAST_N_DAYS needs a number: LAST_N_DAYS:n
        40 MALFORMED_QUERY | SELECT Id FROM A WHERE B = LAST_N_DAYS:-1 | '-'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = THIS_DAY | 'THIS_DAY'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = LAST_30_DAYS | 'LAST_30_DAYS'
        43 MALFORMED_QUERY | SELECT TYPEOF What WHEN Account THEN Name FROM Event | \#
        'FROM' (expected ',', WHEN, ELSE or END)
        33 MALFORMED_QUERY | SELECT TYPEOF What WHEN Account Name END FROM Event | 'Name' (expected THEN)
        42 MALFORMED_QUERY | SELECT TYPEOF What WHEN Account THEN END FROM Event | \#
        'FROM' (expected ',', WHEN, ELSE or END)
        41 MALFORMED_QUERY | SELECT TYPEOF What WHEN A THEN B ELSE C WHEN D THEN E END FROM F | \#
        'WHEN' (expected ',' or END)
        15 MALFORMED_QUERY | SELECT FIELDS(SOME) FROM A | 'SOME' (expected ALL, STANDARD or CUSTOM)
        15 MALFORMED_QUERY | SELECT FIELDS() FROM A | ')' (expected ALL, STANDARD or CUSTOM)
        20 MALFORMED_QUERY | SELECT FIELDS(ALL) x FROM A | 'x' (expected FROM)
        12 MALFORMED_QUERY | SELECT MAX(FIELDS(ALL)) FROM A | FIELDS() is allowed only as an item of a select list
        24 MALFORMED_QUERY | SELECT Id FROM A USING mine | 'mine' (expected SCOPE)
        29 MALFORMED_QUERY | SELECT Id FROM A USING SCOPE | <EOF> (expected the name of a scope)
        22 MALFORMED_QUERY | SELECT Id FROM A WITH | \#
        (expected SECURITY_ENFORCED, USER_MODE, SYSTEM_MODE, DATA CATEGORY or
        39 MALFORMED_QUERY | SELECT Id FROM A WITH DATA CATEGORY G UNDER x | \#
        (expected AT, ABOVE, BELOW or ABOVE_OR_BELOW)
        45 MALFORMED_QUERY | SELECT Id FROM A WITH DATA CATEGORY G AT (x y) | (expected ',' or ')')
        28 MALFORMED_QUERY | SELECT Id FROM A WITH C (a 1) | '1' (expected '=')
        33 MALFORMED_QUERY | SELECT Id FROM A WITH USER_MODE WHERE B = 1 | 'WHERE'
        22 MALFORMED_QUERY | SELECT Id FROM A FOR NOTHING | 'NOTHING' (expected VIEW, REFERENCE or UPDATE)
        31 MALFORMED_QUERY | SELECT Id FROM A FOR VIEW FOR VIEW | 'VIEW' (expected UPDATE)
        35 MALFORMED_QUERY | SELECT Id FROM A UPDATE TRACKING, x | 'x' (expected TRACKING or VIEWSTAT)
        27 MALFORMED_QUERY | SELECT Id FROM A ALL ROWS LIMIT 1 | 'LIMIT'
        33 MALFORMED_QUERY | SELECT B FROM A GROUP BY ROLLUP B | 'B' (expected '(')
        29 MALFORMED_QUERY | SELECT B FROM A GROUP BY B, CUBE(C) | 'CUBE' (expected a field)
        31 MALFORMED_QUERY | SELECT B FROM A GROUP BY CUBE() | ')' (expected a field)
        8 MALFORMED_QUERY | SELECT GEOLOCATION(1, 2) FROM A | GEOLOCATION() is allowed only inside DISTANCE()
        20 MALFORMED_QUERY | SELECT DISTANCE(L, M, 'mi') FROM A | 'M' (expected GEOLOCATION)
        33 MALFORMED_QUERY | SELECT DISTANCE(L, GEOLOCATION(1), 'mi') FROM A | ')' (expected ',')
        35 MALFORMED_QUERY | SELECT DISTANCE(L, GEOLOCATION(1, 'x'), 'mi') FROM A | (expected a number)
        39 MALFORMED_QUERY | SELECT DISTANCE(L, GEOLOCATION(1, 2), 'm') FROM A | (expected 'mi' or 'km')
        47 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN (SELECT C FROM D, D.E) | a semi-join reads one object
        46 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN (SELECT C FROM D FOR VIEW) | no clause after WHERE
        15 MALFORMED_QUERY | SELECT MAX(B) group FROM A | 'group' (expected an alias)
        21 MALFORMED_QUERY | SELECT Id FROM A AS Group | 'Group' (expected an alias)
        24 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM A USING LOOKUP B | USING LOOKUP is not supported here
        18 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM A BIND x = 1 | the BIND clause is not supported here
        26 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM A WHERE B + C > 1 | \#
        arithmetic in a condition is not supported here
        """#

    private static let variables = #"""
        40 MALFORMED_QUERY | SELECT Id FROM A WHERE B = LAST_N_DAYS:x | 'x'
        28 MALFORMED_QUERY | SELECT Id FROM A WHERE B = :x | Bind variables only allowed in Apex code
        29 MALFORMED_QUERY | SELECT Id FROM A WHERE B IN :x | Bind variables only allowed in Apex code
        24 MALFORMED_QUERY | SELECT Id FROM A LIMIT :x | Bind variables only allowed in Apex code
        37 MALFORMED_QUERY | SELECT Id FROM Account WHERE Name = :name | Bind variables only allowed in Apex
        38 MALFORMED_QUERY | SELECT Id FROM Account WHERE Name IN :names | Bind variables only allowed
        30 MALFORMED_QUERY | SELECT Id FROM Account LIMIT :most | Bind variables only allowed in Apex code
        """#
}
