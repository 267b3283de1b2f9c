// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryCorpus
import SOQLStore
import SOQLSyntax
import Testing

/// Queries like `FROM Account a, a.Contacts c`, with a row for each child.
@Suite("Children in FROM")
struct QueryFromTests {
    private func texts(_ soql: String, all: Bool = false) throws -> [String] {
        try QueryTestDatabase().records(soql, all: all)
    }

    @Test(
        "There is a row for each child that is not deleted, and no row for records without children",
        arguments: [
            ("SELECT Id FROM Account a, a.Contacts c", 3, 4),
            ("SELECT Id FROM Account, Account.Contacts", 3, 4),
            ("SELECT Id FROM Account a, Contacts c WHERE c.LastName != 'Moor'", 2, 3),
            ("SELECT Id FROM Account a, a.Contacts c, c.Tasks t", 1, 1),
            ("SELECT Id FROM Account a, a.Contacts c, c.Owner o WHERE o.Name = 'ann grey'", 1, 1),
            ("SELECT Id FROM Account a, a.ChildAccounts c", 3, 3),
        ])
    func rows(soql: String, count: Int, withDeleted: Int) throws {
        #expect(try texts(soql).count == count)
        #expect(try texts(soql, all: true).count == withDeleted)
        let counted = soql.replacing(/^SELECT Id/, with: "SELECT COUNT()")
        #expect(try texts(counted) == ["\(count)"])
    }

    @Test("A child's fields are under the name of the relationship, and can be filtered and sorted")
    func fields() throws {
        let records = try texts(
            """
            SELECT a.Name, c.LastName, c.Owner.Name FROM Account a, a.Contacts c WHERE c.LastName LIKE '%m%' \
            ORDER BY c.LastName DESC
            """)
        #expect(records.count == 3)
        let object = try JSONSerialization.jsonObject(with: Data(records[0].utf8)) as? [String: Any]
        let child = try #require(object?["Contacts"] as? [String: Any])
        #expect(object?["Name"] as? String == "Acme" && child["LastName"] as? String == "Zimmer")
        #expect((child["attributes"] as? [String: String])?["type"] == "Contact")
        #expect((child["Owner"] as? [String: Any])?["Name"] as? String == "Ann Grey")
        #expect(records[1].contains("\"beta 50%\"") && records[2].contains("\"adams\""))
    }

    @Test("Children can be grouped by fields of their parents")
    func groups() throws {
        #expect(
            try texts(
                """
                SELECT a.Industry, COUNT(c.Id) n, MAX(c.Score) most FROM Account a, a.Contacts c GROUP BY a.Industry \
                ORDER BY COUNT(c.Id) DESC
                """) == [
                    #"{"attributes":{"type":"AggregateResult"},"Industry":"Banking","n":2,"most":2.0}"#,
                    #"{"attributes":{"type":"AggregateResult"},"Industry":"Energy","n":1,"most":null}"#,
                ])
    }

    @Test("A child query can join further children, and have the joined children and its own list")
    func nested() throws {
        let records = try texts(
            """
            SELECT (SELECT c.LastName, t.Subject FROM a.Contacts c, c.Tasks t) calls, (SELECT Id FROM Contacts) \
            FROM Account a WHERE Name = 'Acme' AND Industry = 'Banking' AND AnnualRevenue > 0
            """)
        #expect(records.count == 1)
        #expect(records[0].contains(#""calls":{"totalSize":1,"#) && records[0].contains(#""Subject":"Call""#))
        #expect(records[0].contains(#""Contacts":{"totalSize":2,"#))
    }

    @Test("A list of children cannot have the name of the joined child")
    func duplicate() throws {
        let error = #expect(throws: OrgError.self) {
            try QueryTestDatabase.compile(
                "SELECT c.LastName, (SELECT Id FROM Contacts) FROM Account a, a.Contacts c")
        }
        #expect(error?.code == QueryCode.malformedQuery.rawValue)
    }
}

@Suite("Strings beyond ASCII are compared without case")
struct QueryUnicodeTests {
    private func database() throws -> QueryTestDatabase {
        let database = try QueryTestDatabase()
        try database.execute("DELETE FROM \"User\"")
        for (number, name) in ComputedQueries.names.enumerated() {
            let id = QueryTestSchema.id("005", number + 1)
            try database.execute(
                "INSERT INTO \"User\" (\"Id\", \"Name\", \"Email\") VALUES ('\(id)', '\(name)', '\(name)')")
        }
        return database
    }

    @Test("A condition finds the expected names", arguments: ComputedQueries.filters)
    func found(condition: String, expected: [String]) throws {
        #expect(try database().column("SELECT Name FROM User WHERE \(condition) ORDER BY Id") == expected)
    }

    /// Returns the documented sort key: the UTF-8 of the uppercase name.
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

    @Test("ORDER BY, MIN and MAX use the UTF-8 of the uppercase string")
    func order() throws {
        let database = try database()
        let expected = ComputedQueries.names.enumerated().sorted { left, right in
            let (one, other) = (key(left.element), key(right.element))
            return one == other ? left.offset < right.offset : one.lexicographicallyPrecedes(other)
        }.map(\.element)
        #expect(try database.column("SELECT Name FROM User ORDER BY Name, Id") == expected)
        #expect(try database.column("SELECT MIN(Name) FROM User") == ["Abc"])
        #expect(try database.column("SELECT MAX(Name) FROM User") == ["😀 Ünï"])
        #expect(expected.first == "Abc" && expected[6] == "_low")
    }

    @Test("Groups and distinct values ignore case")
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

@Suite("Distances")
struct QueryDistanceTests {
    /// The positions of some accounts: San Francisco, Los Angeles, London, and next to the date line.
    private static let places: [(id: Int, latitude: Double, longitude: Double)] = [
        (1, 37.7749, -122.4194), (2, 34.0522, -118.2437), (4, 51.5074, -0.1278), (6, -17.7134, 178.065),
    ]

    private func database() throws -> QueryTestDatabase {
        let database = try QueryTestDatabase()
        for place in Self.places {
            try database.execute(
                """
                UPDATE "Account" SET "Place__Latitude__s" = \(place.latitude), "Place__Longitude__s" = \(place.longitude)
                WHERE "Id" = '\(QueryTestSchema.id("001", place.id))'
                """)
        }
        return database
    }

    /// Returns the distance by the angle between two vectors, instead of the haversine formula.
    private func kilometers(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
        func vector(_ place: (Double, Double)) -> [Double] {
            let (latitude, longitude) = (place.0 * .pi / 180, place.1 * .pi / 180)
            return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
        }
        let (left, right) = (vector(one), vector(other))
        let cosine = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
        let cross = [
            left[1] * right[2] - left[2] * right[1], left[2] * right[0] - left[0] * right[2],
            left[0] * right[1] - left[1] * right[0],
        ]
        return 6_371.0088 * atan2(cross.reduce(0) { $0 + $1 * $1 }.squareRoot(), cosine)
    }

    @Test(
        "Distances are correct in both units, from near and far positions",
        arguments: [(37.775, -122.418), (0, 0), (-90, 0), (-17, -179.9), (51.5074, 179.8722)])
    func values(latitude: Double, longitude: Double) throws {
        let database = try database()
        for (unit, size) in [("km", 1), ("MI", 1.609344)] {
            let far = "DISTANCE(Place__c, GEOLOCATION(\(latitude), \(longitude)), '\(unit)')"
            let response = try database.column(
                "SELECT \(far) far FROM Account WHERE Place__Latitude__s != null ORDER BY Id")
            #expect(response.count == Self.places.count)
            for (text, place) in zip(response, Self.places) {
                let expected = kilometers((latitude, longitude), (place.latitude, place.longitude)) / size
                let distance = try #require(Double(text))
                #expect(abs(distance - expected) < 0.001, "\(text), \(expected)")
            }
        }
    }

    @Test("Rows without a position match no distance, and are first or last in an order")
    func conditions() throws {
        let database = try database()
        let far = "DISTANCE(a.Place__c, GEOLOCATION(37.775, -122.418), 'mi')"
        func ids(_ clauses: String) throws -> [Int] {
            try database.column("SELECT Id FROM Account a \(clauses)").map { Int($0.dropLast(3).suffix(3)) ?? 0 }
        }
        #expect(try ids("WHERE \(far) < 20") == [1])
        #expect(try ids("WHERE \(far) < 400 ORDER BY \(far) DESC") == [2, 1])
        #expect(try ids("WHERE \(far) > 400 ORDER BY \(far)") == [4, 6])
        #expect(try ids("ORDER BY \(far) NULLS LAST") == [1, 2, 4, 6, 3])
        #expect(try ids("WHERE Parent.Name != null AND IsActive = false ORDER BY \(far)") == [2, 4])
    }

    @Test("The column of a distance is named by a number or an alias, also in child queries and of parents")
    func names() throws {
        let database = try database()
        let records = try database.records(
            """
            SELECT DISTANCE(Account.Place__c, GEOLOCATION(37.7749, -122.4194), 'km'), \
            DISTANCE(Account.Place__c, GEOLOCATION(37.7749, -122.4194), 'mi') far FROM Contact WHERE LastName = 'Zimmer'
            """)
        #expect(records[0].hasSuffix(#","expr0":0.0,"far":0.0}"#), "\(records[0])")
        let nested = try database.records(
            """
            SELECT (SELECT DISTANCE(Place__c, GEOLOCATION(34.0522, -118.2437), 'km') d FROM ChildAccounts ORDER BY Id \
            LIMIT 1) FROM Account WHERE Id = '001000000000001'
            """)
        #expect(nested[0].contains(#""d":0.0}"#), "\(nested[0])")
    }
}
