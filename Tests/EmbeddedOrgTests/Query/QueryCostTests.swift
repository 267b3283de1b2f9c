// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import SOQLSyntax
import Testing

@Suite("A query four times as long costs four times as much")
struct QueryCostTests {
    /// A query that grows with a number.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: Int
        let make: @Sendable (Int) -> String
    }

    private static func list(_ count: Int, _ separator: String, _ term: (Int) -> String) -> String {
        (0..<count).map(term).joined(separator: separator)
    }

    static let kinds = [
        Kind(testDescription: "terms of OR", size: 1_500) { count in
            "SELECT Id FROM Account WHERE " + list(count, " OR ") { "Name = 'x\($0)'" }
        },
        Kind(testDescription: "values of a list", size: 4_000) { count in
            "SELECT Id FROM Account WHERE Name IN (" + list(count, ",") { "'x\($0)'" } + ")"
        },
        Kind(testDescription: "sets of picklist values", size: 3_000) { count in
            "SELECT Id FROM Account WHERE Tags INCLUDES (" + list(count, ",") { "'x\($0)'" } + ")"
        },
        Kind(testDescription: "aggregates with names", size: 1_500) { count in
            "SELECT " + list(count, ",") { "COUNT(Id) n\($0)" } + " FROM Account"
        },
        Kind(testDescription: "fields to sort by", size: 3_000) { count in
            "SELECT Id FROM Account ORDER BY " + list(count, ",") { _ in "Name DESC" }
        },
        Kind(testDescription: "aliases of parents", size: 2_000) { count in
            "SELECT Id FROM Account a, " + list(count, ",") { "a.Owner o\($0)" }
        },
        Kind(testDescription: "chains of aliases", size: 2_000) { count in
            "SELECT Id FROM Account o0, " + list(count, ",") { "o\($0).Parent o\($0 + 1)" }
        },
        Kind(testDescription: "fields of TYPEOF", size: 3_000) { count in
            "SELECT TYPEOF Who WHEN Lead THEN " + list(count, ",") { _ in "Email" } + " END FROM Task"
        },
        Kind(testDescription: "branches of TYPEOF", size: 1_500) { count in
            "SELECT TYPEOF Who " + list(count, " ") { "WHEN A\($0) THEN Email" } + " END FROM Task"
        },
        Kind(testDescription: "categories", size: 3_000) { count in
            "SELECT Id FROM Account WITH DATA CATEGORY A AT (" + list(count, ",") { "c\($0)" } + ")"
        },
        Kind(testDescription: "terms of a condition under CUBE", size: 500) { count in
            "SELECT COUNT(Id) FROM Account WHERE " + list(count, " OR ") { "Name = 'x\($0)'" }
                + " GROUP BY CUBE(Name, Industry)"
        },
        Kind(testDescription: "wildcards", size: 8_000) { count in
            "SELECT Id FROM Account WHERE Name LIKE '" + list(count, "") { _ in "%a" } + "'"
        },
    ]

    private func cost(_ text: String) -> Duration {
        let start = ProcessorTime.ofThread
        _ = try? QueryTestDatabase.compile(text)
        return ProcessorTime.ofThread - start
    }

    /// The least processor times of several tries, taken in turn: other programs lengthen some, and never shorten one.
    @Test("compiling is linear: what is quadratic costs sixteen times as much at four times the size", arguments: kinds)
    func compiling(kind: Kind) throws {
        let (short, long) = (kind.make(kind.size / 2), kind.make(2 * kind.size))
        let costs = (0..<7).map { _ in (short: cost(short), long: cost(long)) }
        let half = try #require(costs.map(\.short).min())
        let double = try #require(costs.map(\.long).min())
        #expect(double < half * 8, "\(half), \(double)")
    }

    /// Texts that are mostly one thing, whose trees are printed again.
    static let texts = [
        Kind(testDescription: "terms", size: 2_000) { count in
            "SELECT Id FROM A WHERE " + list(count, " AND ") { "B\($0) = 'x'" }
        },
        Kind(testDescription: "conditions deep inside conditions", size: 900) { count in
            "SELECT Id FROM A WHERE " + String(repeating: "(B = 1 AND ", count: 90)
                + "(" + list(count, " OR ") { "C\($0) = 1" } + String(repeating: ")", count: 91)
        },
        Kind(testDescription: "fields deep inside child queries", size: 2_000) { count in
            String(repeating: "SELECT (", count: 90) + "SELECT " + list(count, ",") { "F\($0)" } + " FROM B"
                + String(repeating: ") FROM B", count: 90)
        },
        Kind(testDescription: "open parentheses", size: 40_000) { count in
            "SELECT Id FROM A WHERE " + String(repeating: "(", count: count)
        },
        Kind(testDescription: "words of TYPEOF", size: 4_000) { count in
            "SELECT " + list(count, ",") { _ in "TYPEOF" } + " FROM A"
        },
        Kind(testDescription: "settings", size: 2_000) { count in
            "SELECT Id FROM A " + list(count, " ") { "WITH S\($0) = 'x'" }
        },
    ]

    private func printing(_ text: String) -> Duration {
        let start = ProcessorTime.ofThread
        _ = (try? SOQLQuery(parsing: text))?.text
        return ProcessorTime.ofThread - start
    }

    @Test("reading and printing are linear", arguments: texts)
    func reading(kind: Kind) throws {
        let (short, long) = (kind.make(kind.size / 2), kind.make(2 * kind.size))
        let costs = (0..<7).map { _ in (short: printing(short), long: printing(long)) }
        let half = try #require(costs.map(\.short).min())
        let double = try #require(costs.map(\.long).min())
        #expect(double < half * 8, "\(half), \(double)")
    }

    @Test("a field asked for again and again is refused")
    func repeatedFields() async throws {
        let client = try await SharedOrg.client
        let path = "\(OrgClient.data)/sobjects/Account/001bZ0000000001?fields="
        let names = Array(repeating: "Name", count: 2_500).joined(separator: ",")
        let answer = try client.send("GET", path + names)
        #expect(answer.status == 400 && answer.errorCode == "INVALID_FIELD")
        #expect(try client.send("GET", path + "Name,Id").status == 200)
    }
}
