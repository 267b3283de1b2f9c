// SPDX-License-Identifier: Apache-2.0

/// Queries that are none, that want more than they may, or that want to be SQL.
extension BadInput {
    private static let noQuery = "MALFORMED_QUERY"
    private static let field = "INVALID_FIELD"
    private static let from = "SELECT Id FROM Account"

    static let queries: [BadInput] = [literals, statements, sql, large, names, limits, locators].flatMap(\.self)

    private static let literals: [BadInput] = [
        query(63, #"\#(from) WHERE Name = '\' OR \'1\'=\'1'"#, [200]),
        query(63, "\(from) WHERE Name = 'x' OR '1'='1'", [400], noQuery, at: "Column:"),
        query(66, #"\#(from) WHERE Name = '\"#, [400], noQuery),
        query(66, #"\#(from) WHERE Name = '\\"#, [400], noQuery),
        query(66, #"\#(from) WHERE Name = '\q'"#, [400], noQuery), query(66, #"\#(from) WHERE Name = '\u00zz'"#, [400]),
        query(66, #"\#(from) WHERE Name = '\u0027 OR \u0027'"#, [200]),
        query(66, "\(from) WHERE Name = ‘x’", [400], noQuery),
        query(66, "\(from) WHERE Name = 'x", [400], noQuery), query(66, "\(from) WHERE Name = 'x''", [400], noQuery),
        query(66, "\(from) WHERE Name = '\u{202E}x'", [200]), query(66, "\(from)\u{202E} LIMIT 1", [400], noQuery),
        query(66, "\(from) WHERE Name = \"x\"", [400], noQuery), query(66, "\(from) WHERE Name = '\n'", [200, 400]),
        call(66, "NUL", "GET", "{data}/query?q=SELECT+Id+FROM+Account%00+WHERE", [400]),
        call(66, "no text", "GET", "{data}/query", [400], noQuery),
        call(66, "an empty text", "GET", "{data}/query?q=", [400], noQuery),
    ]

    private static let statements: [BadInput] = [
        "'; DROP TABLE account;--", "\(from) UNION SELECT 1", "\(from) /* */", "\(from) -- x", "PRAGMA user_version",
        "ATTACH 'x' AS y", "SELECT load_extension('x') FROM Account", "SELECT randomblob(1000000000) FROM Account",
        "\(from) LIMIT 1;", "\(from); DELETE FROM Account", "SELECT \"Id\" FROM Account", "SELECT `Id` FROM Account",
        "SELECT [Id] FROM Account", "DELETE FROM Account", "VACUUM", "SELECT 1", "SELECT", "x", "\(from) WHERE 1 = 1",
        "WITH x AS (SELECT 1) SELECT Id FROM Account", "SELECT Id, sqlite_version() FROM Account", "EXPLAIN \(from)",
    ].map { query(64, $0, [400]) }
    private static let sql: [BadInput] = [
        query(64, "SELECT Id FROM sqlite_master", [400], "INVALID_TYPE", at: "sqlite_master"),
        query(64, "SELECT rowid FROM Account", [400], field, at: "rowid"),
        query(64, "SELECT Id FROM main.Account", [400]),
    ]

    private static func many(_ count: Int, _ text: String, _ separator: String = "") -> String {
        Array(repeating: text, count: count).joined(separator: separator)
    }

    /// What a header can hold of a long query; longer ones come in the body of a composite.
    private static let large: [BadInput] = [
        query(65, "\(from) WHERE Name LIKE '\(many(2_000, "%"))'", [200, 400]),
        query(65, "\(from) WHERE Name LIKE '\(many(1_000, "%a"))'", [200, 400]),
        query(65, "\(from) WHERE Name LIKE '\(many(1_500, "_"))%'", [200, 400]),
        query(65, "\(from) WHERE \(many(400, "Site = 'x'", " OR "))", [200, 400]),
        query(65, "\(from) WHERE Site IN (\(many(1_000, "'x'", ",")))", [200, 400]),
        query(65, "\(from) WHERE \(many(1_000, "("))Site = 'x'\(many(1_000, ")"))", [200, 400]),
        query(65, "\(from) WHERE \(many(1_000, "NOT "))Site = 'x'", [200, 400]),
        query(65, "SELECT \(many(1_000, "Id", ",")) FROM Account", [200, 400]),
        query(65, "\(from) WHERE Id IN (\(many(60, "SELECT AccountId FROM Contact WHERE AccountId IN (")))", [400]),
        query(69, "SELECT \(many(50, "Parent.")).Name FROM Account", [400]),
        query(69, "SELECT \(many(50, "Parent."))Name FROM Account", [400]),
        query(69, "SELECT a.b.c.d.e.f.g FROM Account", [400]),
        query(69, "\(from) WHERE \(many(60, "Owner.Manager."))Name = 'x'", [400]),
        query(69, "\(from) a, \(many(100, "a.Owner o", ", "))", [400]),
    ]

    private static let names: [BadInput] = [
        query(67, "SELECT \"a\"; drop FROM Account", [400], noQuery),
        query(67, "SELECT Name\" -- FROM Account", [400], noQuery),
        query(67, "SELECT \(many(10_000, "a")) FROM Account", [400], at: "aaa"),
        query(67, "SELECT Nope FROM Account", [400], field, at: "Nope"),
        query(67, "SELECT Id FROM Nope", [400], "INVALID_TYPE", at: "Nope"),
        query(67, "SELECT SELECT FROM Account", [400]), query(67, "SELECT Id FROM FROM", [400]),
        query(67, "\(from) WHERE Nope = 1", [400], field, at: "Nope"),
        query(67, "\(from) ORDER BY Nope", [400], field, at: "Nope"),
        query(67, "SELECT Id, (SELECT Id FROM Nopes) FROM Account", [400], at: "Nopes"),
        query(67, "SELECT Name, COUNT(Id) FROM Account GROUP BY Nope", [400], field, at: "Nope"),
        query(67, "SELECT Nope(Id) FROM Account", [400], at: "Nope"),
    ]

    private static let limits: [BadInput] = [
        query(68, "\(from) LIMIT 1; DROP TABLE Account", [400], noQuery), query(68, "\(from) LIMIT -1", [400], noQuery),
        query(68, "\(from) LIMIT 1e9", [400]), query(68, "\(from) LIMIT 1.5", [400]),
        query(68, "\(from) LIMIT x", [400]),
        query(68, "\(from) LIMIT 99999999999999999999", [400]), query(68, "\(from) LIMIT (SELECT 1)", [400], noQuery),
        query(68, "\(from) OFFSET 2001", [400], "NUMBER_OUTSIDE_VALID_RANGE", at: "2000"),
        query(68, "\(from) OFFSET -1", [400], noQuery), query(68, "\(from) OFFSET 99999999999999999999", [400]),
        query(68, "\(from) ORDER BY 1", [400]), query(68, "\(from) ORDER BY Name; --", [400], noQuery),
        query(68, "\(from) ORDER BY (SELECT 1)", [400], noQuery),
        query(68, "\(from) ORDER BY Name COLLATE BINARY", [400], noQuery),
    ]

    private static let locators: [BadInput] = [
        "0r8AAAAAAAAAAAAAAA-2000", "x", "-", "-2000", "%2e%2e", "..", "%2e%2e%2f%2e%2e", "%27%20OR%201=1", "0r8-1-2-3",
        "0r8AAAAAAAAAAAAAAA-99999999999999999999", "0r8AAAAAAAAAAAAAAA--1",
    ].map { call(70, $0, "GET", "{data}/query/\($0)", [400], "INVALID_QUERY_LOCATOR") }
}
