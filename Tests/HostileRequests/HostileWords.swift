// SPDX-License-Identifier: Apache-2.0

/// Texts that stand where others are expected.
enum HostileWords {
    /// Anywhere in a name, an id or a parameter.
    static let texts =
        [
            "", " ", "'", "\"", "\\", "' OR '1'='1", "'; DROP TABLE \"Account\";--", "\u{0}", "a\u{0}b", "a\r\nX: y",
            "../../etc/passwd", "..", ".", "%", "%zz", "{id}", "@{a.id}", "😀", "\u{202E}abc", "e\u{301}", "\u{FEFF}x",
            "\u{FFFF}", "-1", "0", "1", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400",
            "NaN", "null", "true", "[]", "{}", "001", "001bZ0000000001AAA", "001bZ000000zzzz", "٠٠١bZ0000000001",
            "000000000000000", "Id", "Name", "name", "id,id,Id", "sqlite_master", "org.Job", "rowid", "Account.Name",
            "Account;Contact", "2026-13-45", "2026-02-30T25:61:61Z", "0000-00-00T00:00:00Z", "9999-12-31T23:59:59Z",
            "http://evil.com/", "//evil.com", "javascript:1", "<b>", "${7*7}", "Account,Contact",
            "SELECT Id FROM Account",
        ] + [300, 5_000].map { String(repeating: "x", count: $0) } + [String(repeating: "(", count: 900)]

    /// Path segments and parameters that no encoder writes.
    static let raw = [
        "%00", "%0d%0aX:%20y", "%ff", "%c0%af", "%zz", "%", "%2", ";", "", "%2e%2e%2f", "%252e%252e", "a%2fb", "+", "*",
        "é", "?", "??", "a?b=c", "&&", "=", "a=b=c", "#x",
    ]

    /// Values in JSON.
    static let values =
        [
            "null", "true", "false", "0", "-0", "-1", "1", "1.5", "1e400", "1e-400", "-1e999", "2147483648",
            "9007199254740993", "9223372036854775808", "0e9223372036854775807", "NaN", "01", "+1", "''", #""""#,
            #"" ""#, #""a""#, #""\u0000""#, #""\ud800""#, #""\udc00\ud800""#, #""\u202Eabc""#, #""a\r\nb""#,
            "\"a\u{1}\"",
            #""' OR '1'='1""#, #""{id}""#, #""005000000000000""#, #""2026-02-30""#, #""2026-01-01T00:00:00Z""#,
            #""99999-01-01T00:00:00Z""#, #""@{a.id}""#, "{}", "[]", #"{"a":1}"#, "[1,2,3]", #"{"Id":1,"Id":2}"#, "[[]]",
            #"{"attributes":{"type":"Account"}}"#, #"{"attributes":5}"#, #"{"type":"Account"}"#, "undefined", "",
        ] + [
            "\"" + String(repeating: "y", count: 300) + "\"", "\"" + String(repeating: "z", count: 40_000) + "\"",
            String(repeating: "9", count: 400), String(repeating: "[", count: 5_000),
            String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
            String(repeating: #"{"a":"#, count: 63) + "1" + String(repeating: "}", count: 63),
        ]

    /// Values that most fields take.
    static let goodValues = [#""Good""#, #""x@example.com""#, "5", "true", #""2026-01-01""#, "null", #""{id}""#]

    /// Queries, from good to none.
    static let queries = [
        "SELECT Id, Name FROM Account LIMIT 3", "SELECT COUNT() FROM Contact",
        "SELECT FIELDS(ALL) FROM Account LIMIT 5",
        "SELECT Id, (SELECT LastName FROM Contacts) FROM Account LIMIT 2",
        "SELECT Industry, COUNT(Id) FROM Account GROUP BY Industry",
        "SELECT Id FROM Account WHERE Name = '{text}'", "SELECT {text} FROM Account", "SELECT Id FROM {text}",
        "SELECT Id FROM Account ORDER BY {text}", "SELECT Id FROM Account LIMIT {text}",
        "SELECT Id FROM Account OFFSET {text}",
        "SELECT Id FROM Account WHERE CreatedDate = LAST_N_DAYS:{text}", "SELECT Id FROM Account WHERE {text} = 1",
        "SELECT Id FROM Account WHERE Name LIKE '%{text}%'", "SELECT Id FROM Account WHERE Id IN ('{id}', '{text}')",
        "SELECT Id FROM Account WHERE AnnualRevenue > {text}", "SELECT {text}(Name) FROM Account GROUP BY {text}",
        "FIND {{text}} IN ALL FIELDS RETURNING Account(Id, Name)", "FIND {Acme} RETURNING {text}", "SELECT", "{text}",
        "SELECT Id FROM Account WHERE DISTANCE(BillingAddress, GEOLOCATION({text}, 2), 'mi') < 5",
        "SELECT Id FROM Account; DROP TABLE Account", "SELECT Id FROM Account UNION SELECT 1",
        "SELECT Id FROM Account FOR VIEW",
        "SELECT TYPEOF What WHEN Account THEN {text} END FROM Task", "SELECT Id FROM Account WHERE Name = 'x' ALL ROWS",
    ]
}
