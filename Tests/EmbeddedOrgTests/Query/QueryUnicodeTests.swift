// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Testing

@Suite("Texts beyond ASCII are compared without case")
struct QueryUnicodeTests {
    /// Users whose names differ in case, beyond ASCII; the ids are in the order of this list.
    private static let names = [
        "Édouard", "éDOUARD", "edouard", "Ωmega", "ωMEGA", "straße", "STRASSE", "Zoë", "zOË Ö", "Дмитрий", "_low",
        "Abc",
        "İstanbul", "ıstanbul", "😀 Ünï",
    ]

    private func database() throws -> QueryTestDatabase {
        let database = try QueryTestDatabase()
        try database.execute("DELETE FROM \"User\"")
        for (number, name) in Self.names.enumerated() {
            let id = QueryTestSchema.id("005", number + 1)
            try database.execute(
                "INSERT INTO \"User\" (\"Id\", \"Name\", \"Email\") VALUES ('\(id)', '\(name)', '\(name)')")
        }
        return database
    }

    static let filters: [(String, [String])] = [
        ("Name = 'éDOUARD'", ["Édouard", "éDOUARD"]), ("Name = 'ÉDOUARD'", ["Édouard", "éDOUARD"]),
        ("Name = 'EDOUARD'", ["edouard"]), ("Name != 'Édouard' AND Name LIKE '%douard'", ["edouard"]),
        ("Name IN ('ZOË', 'abc', 'ΩMEGA')", ["Ωmega", "ωMEGA", "Zoë", "Abc"]), ("Name = 'дМИТРИЙ'", ["Дмитрий"]),
        ("Name NOT IN ('ÉDOUARD', 'ωmega') AND Name < 'é' AND Name > 'zz'", ["_low"]),
        ("Name LIKE 'É%'", ["Édouard", "éDOUARD"]), ("Name LIKE '_DOUARD'", ["Édouard", "éDOUARD", "edouard"]),
        ("Name LIKE '%ö'", ["zOË Ö"]), ("Name LIKE 'zoë%'", ["Zoë", "zOË Ö"]), ("Name LIKE '%ë__'", ["zOË Ö"]),
        ("Name LIKE 'ë'", []), ("Name LIKE '_ ünÏ'", ["😀 Ünï"]), ("Name LIKE '😀%'", ["😀 Ünï"]),
        ("Name LIKE '%ë%ö%'", ["zOË Ö"]), ("Name LIKE '%ω%g%'", ["Ωmega", "ωMEGA"]),
        // One letter is one letter: what would become two, or ASCII, stays itself.
        ("Name = 'STRASSE'", ["STRASSE"]), ("Name = 'STRAßE'", ["straße"]), ("Name = 'istanbul'", []),
        ("Name LIKE 'ı%'", ["ıstanbul"]), ("Name LIKE 'İSTANBUL'", ["İstanbul"]),
    ]

    @Test("Conditions", arguments: filters)
    func found(condition: String, expected: [String]) throws {
        #expect(try database().column("SELECT Name FROM User WHERE \(condition) ORDER BY Id") == expected)
    }

    /// The order that is documented: by the UTF-8 of the upper case.
    private func key(_ name: String) -> [UInt8] {
        var key = ""
        for scalar in name.unicodeScalars {
            let upper = scalar.properties.uppercaseMapping
            key +=
                upper.unicodeScalars.count == 1 && (scalar.isASCII || !upper.unicodeScalars.allSatisfy(\.isASCII))
                ? upper : String(scalar)
        }
        return Array(key.utf8)
    }

    @Test("ORDER BY goes by the UTF-8 of the upper case, and so do MIN and MAX")
    func order() throws {
        let database = try database()
        let expected = Self.names.enumerated().sorted { left, right in
            let (one, other) = (key(left.element), key(right.element))
            return one == other ? left.offset < right.offset : one.lexicographicallyPrecedes(other)
        }.map(\.element)
        #expect(try database.column("SELECT Name FROM User ORDER BY Name, Id") == expected)
        #expect(try database.column("SELECT MIN(Name) FROM User") == ["Abc"])
        #expect(try database.column("SELECT MAX(Name) FROM User") == ["😀 Ünï"])
        #expect(expected.first == "Abc" && expected[6] == "_low")
    }

    @Test("Groups and distinct values do not tell cases apart")
    func groups() throws {
        let database = try database()
        #expect(try database.column("SELECT COUNT_DISTINCT(Name) FROM User") == ["13"])
        #expect(
            try database.column(
                "SELECT COUNT(Id) FROM User WHERE Name LIKE '%mega' OR Name LIKE 'é%' GROUP BY Name") == ["2", "2"])
    }

    @Test("Values of multi-select picklists beyond ASCII are found")
    func sets() throws {
        let database = try database()
        try database.execute("UPDATE \"Account\" SET \"Tags\" = 'Über;rot' WHERE rowid = 1")
        #expect(
            try database.column("SELECT Id FROM Account WHERE Tags INCLUDES ('üBER;ROT')") == ["001000000000001AAA"])
        #expect(try database.column("SELECT Id FROM Account WHERE Tags INCLUDES ('ber', 'Übe', 'ü%')").isEmpty)
    }
}
