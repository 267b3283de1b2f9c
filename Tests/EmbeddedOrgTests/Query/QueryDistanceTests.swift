// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import SOQLSyntax
import Testing

@Suite("Distances")
struct QueryDistanceTests {
    /// Where some of the accounts are: San Francisco, Los Angeles, London, and beside the date line.
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

    /// By the angle between two vectors, not by the haversine formula.
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
        "Both units, from places near and far",
        arguments: [(37.775, -122.418), (0, 0), (-90, 0), (-17, -179.9), (51.5074, 179.8722)])
    func values(latitude: Double, longitude: Double) throws {
        let database = try database()
        for (unit, size) in [("km", 1), ("MI", 1.609344)] {
            let far = "DISTANCE(Place__c, GEOLOCATION(\(latitude), \(longitude)), '\(unit)')"
            let answer = try database.column(
                "SELECT \(far) far FROM Account WHERE Place__Latitude__s != null ORDER BY Id")
            #expect(answer.count == Self.places.count)
            for (text, place) in zip(answer, Self.places) {
                let expected = kilometers((latitude, longitude), (place.latitude, place.longitude)) / size
                let distance = try #require(Double(text))
                #expect(abs(distance - expected) < 0.001, "\(text), \(expected)")
            }
        }
    }

    @Test("Rows without a place are near nothing, and first or last in an order")
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

    @Test("A distance has a number for a name, or an alias, in child queries and of parents too")
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

    static let refusals = [
        QueryErrorTests.Refusal(
            "SELECT Id FROM Account WHERE DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi') = 5", .invalidFilterOperator, 30,
            "by < and > only"),
        QueryErrorTests.Refusal(
            "SELECT Id FROM Account WHERE DISTANCE(Place__c, GEOLOCATION(91, 2), 'mi') < 5", .numberOutsideRange, 30,
            "a latitude is between"),
        QueryErrorTests.Refusal(
            "SELECT Id FROM Account WHERE DISTANCE(Name, GEOLOCATION(1, 2), 'mi') < 5", .invalidField, 39,
            "takes a geolocation or an address, not Name"),
        QueryErrorTests.Refusal(
            "SELECT Id FROM Account WHERE DISTANCE(Nowhere__c, GEOLOCATION(1, 2), 'mi') < 5", .invalidField, 39,
            "No such column 'Nowhere__Latitude__s'"),
        QueryErrorTests.Refusal(
            "SELECT Id FROM Account WHERE DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi') < 'x'", .invalidField, 76,
            "must be of type double"),
        QueryErrorTests.Refusal(
            "SELECT COUNT(Id) FROM Account GROUP BY DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi')", .malformedQuery, 40,
            "not allowed in a query for groups"),
    ]

    @Test("Misuse is refused", arguments: refusals)
    func misuse(_ refusal: QueryErrorTests.Refusal) throws {
        let error = #expect(throws: QueryError.self) { _ = try QueryTestDatabase.compile(refusal.soql) }
        #expect(error?.code == refusal.code && error?.position?.column == refusal.column, "\(error?.message ?? "")")
        #expect(error?.message.contains(refusal.reason) == true, "\(error?.message ?? "")")
    }
}
