// SPDX-License-Identifier: Apache-2.0

import Costs
import SOQLStore
import SOQLSyntax
import Testing

@Suite("Large queries run or are rejected, without an error of SQLite")
struct QueryLimitTests {
    private static let accounts = "SELECT COUNT() FROM Account WHERE "

    private func chain(_ count: Int, _ separator: String) -> String {
        (0..<count).map { "Name != 'x\($0)'" }.joined(separator: separator)
    }

    @Test("5,000 terms of OR and 4,000 of AND run")
    func longChains() throws {
        let database = try QueryTestDatabase()
        let terms = Array(repeating: "Name = 'x'", count: 5_000).joined(separator: " OR ")
        #expect(try database.records(Self.accounts + terms) == ["0"])
        #expect(try database.records(Self.accounts + "NOT (\(terms))") == ["5"])
        #expect(try database.records(Self.accounts + chain(4_000, " AND ")) == ["5"])
    }

    @Test("A list as long as the query text permits runs")
    func longLists() throws {
        let database = try QueryTestDatabase()
        let names = "'acme'," + Array(repeating: "'a'", count: 24_000).joined(separator: ",")
        #expect(try database.records(Self.accounts + "Name IN (\(names))") == ["2"])
        #expect(try database.records(Self.accounts + "Name NOT IN (\(names))") == ["3"])
        let numbers = Array(repeating: "3", count: 49_000).joined(separator: ",")
        #expect(try database.records(Self.accounts + "NumberOfEmployees IN (\(numbers))") == ["1"])
    }

    @Test("Many sets of picklist values run, and a set that is too wide is rejected")
    func manySets() throws {
        let database = try QueryTestDatabase()
        let sets = Array(repeating: "'a'", count: 5_000).joined(separator: ",")
        #expect(try database.records(Self.accounts + "Tags INCLUDES (\(sets))") == ["1"])
        let wide = Array(repeating: "a", count: 45_000).joined(separator: ";")
        let error = #expect(throws: OrgError.self) {
            try QueryTestDatabase.compile(Self.accounts + "Tags INCLUDES ('\(wide)')")
        }
        #expect(error?.code == QueryCode.tooComplicated.rawValue)
    }

    @Test("Patterns with many wildcards run, and a pattern that is too long is rejected")
    func patterns() throws {
        let database = try QueryTestDatabase()
        #expect(try database.records(Self.accounts + "Name LIKE '\(String(repeating: "%", count: 10_000))'") == ["5"])
        #expect(try database.records(Self.accounts + "Name LIKE '\(String(repeating: "%a", count: 10_000))'") == ["0"])
        let error = #expect(throws: OrgError.self) {
            try QueryTestDatabase.compile(Self.accounts + "Name LIKE '\(String(repeating: "x", count: 60_000))'")
        }
        #expect(error?.code == QueryCode.tooComplicated.rawValue)
    }

    @Test("Nested conditions run at every depth", arguments: 1...40)
    func nesting(depth: Int) throws {
        var condition = "Name = 'a'"
        for level in 0..<depth {
            condition = level.isMultiple(of: 2) ? "Name = 'b' OR (\(condition))" : "Name = 'c' AND (\(condition))"
        }
        let database = try QueryTestDatabase()
        let deepest = "Id NOT IN (SELECT AccountId FROM Contact WHERE \(condition.replacing("Name", with: "LastName")))"
        let children = (0..<4).reduce("SELECT Id FROM ChildAccounts WHERE \(deepest)") { query, _ in
            "SELECT (\(query)) FROM ChildAccounts"
        }
        for (text, leastDepth) in [
            (Self.accounts + condition, 20), (Self.accounts + "NOT (\(condition))", 20),
            (
                "SELECT (SELECT (SELECT Id FROM Tasks WHERE \(condition.replacing("Name", with: "Subject"))) "
                    + "FROM Contacts) FROM Account", 12
            ),
            (String(children.dropLast("ChildAccounts".count)) + "Account", 1),
        ] {
            do {
                _ = try database.records(text)
            } catch let error as OrgError {
                #expect(error.code == QueryCode.tooComplicated.rawValue)
                #expect(depth > leastDepth)
            }
        }
    }

    @Test("The conditions that need the most of SQLite's parser stack run in any position")
    func deepTests() throws {
        let database = try QueryTestDatabase()
        for test in [
            "WEEK_IN_YEAR(convertTimezone(CreatedDate)) != 3", "Name NOT IN ('a', 'b')", "Tags EXCLUDES ('a;b')",
            "Name != 'a' AND (Industry != 'b' OR FoundedOn != TODAY)", "Owner.Type != 'User'", "Name LIKE 'é%'",
            "DISTANCE(Parent.Place__c, GEOLOCATION(1, 2), 'mi') > 5", "Tags EXCLUDES ('ü;é')",
        ] {
            let children = (0..<3).reduce("SELECT Id FROM ChildAccounts WHERE \(test)") { query, _ in
                "SELECT (\(query)) FROM ChildAccounts"
            }
            #expect(try database.records("SELECT (\(children)) FROM Account").count == 5, "\(test)")
        }
    }

    @Test("The items that need the most of SQLite's parser stack run in a select list three child queries deep")
    func deepSelections() throws {
        let database = try QueryTestDatabase()
        let far = "DISTANCE(Parent.Place__c, GEOLOCATION(1, 2), 'mi')"
        for (item, order) in [
            ("Owner.Manager.Name", "Name"), ("FORMAT(AnnualRevenue)", "Name"),
            ("FORMAT(AnnualRevenue)", "Rating__c DESC NULLS LAST"), ("FORMAT(CreatedDate) c", "Owner.Type"),
            ("Owner.Type", "Name"), ("Owner.Type", far), (far, "Parent.Rating__c"),
            ("TYPEOF Owner WHEN User THEN Name, Manager.Name END", "Name"),
        ] {
            let children = (0..<2).reduce("SELECT \(item) FROM ChildAccounts ORDER BY \(order)") { query, _ in
                "SELECT (\(query)) FROM ChildAccounts"
            }
            #expect(try database.records("SELECT (\(children)) FROM Account").count == 5, "\(item)")
        }
    }

    @Test("Branches of TYPEOF run two child queries deep")
    func deepBranches() throws {
        let who = "TYPEOF Who WHEN Contact THEN LastName, Account.Owner.Name WHEN Lead THEN Email ELSE Type END"
        let tasks = (0..<1).reduce("SELECT \(who) FROM Tasks ORDER BY Who.Type") { query, _ in
            "SELECT (\(query)) FROM ChildAccounts"
        }
        #expect(try QueryTestDatabase().records("SELECT (\(tasks)) FROM Account").count == 5)
    }

    @Test("Types, distances and patterns beyond ASCII run inside nested conditions", arguments: 1...30)
    func nestedTests(depth: Int) throws {
        let database = try QueryTestDatabase()
        for test in [
            "Who.Type = 'Lead'", "Who.Name LIKE 'é%'", "DISTANCE(What.Place__c, GEOLOCATION(1, 2), 'km') < 5",
        ] {
            let condition = (0..<depth).reduce(test) { condition, level in
                level.isMultiple(of: 2) ? "Subject = 'b' OR (\(condition))" : "Subject = 'c' AND (\(condition))"
            }
            do {
                _ = try database.records("SELECT COUNT() FROM Task WHERE \(condition)")
            } catch let error as OrgError {
                #expect(error.code == QueryCode.tooComplicated.rawValue && depth > 18, "\(test)")
            }
        }
    }

    @Test("Subtotals with long conditions run, or are rejected as too complicated")
    func subtotals() throws {
        let database = try QueryTestDatabase()
        let query = "SELECT COUNT(Id) FROM Account WHERE \(chain(600, " AND "))"
        #expect(try database.records(query + " GROUP BY CUBE(Industry, IsActive, OwnerId)").count > 8)
        let error = #expect(throws: OrgError.self) {
            let long = "SELECT COUNT(Id) FROM Account WHERE \(chain(4_500, " AND "))"
            return try QueryTestDatabase.compile(long + " GROUP BY CUBE(Industry, IsActive, OwnerId)")
        }
        #expect(error?.code == QueryCode.tooComplicated.rawValue)
    }

    @Test("Nested negations run, or are rejected as too complicated", arguments: [10, 30, 99])
    func negations(depth: Int) throws {
        let database = try QueryTestDatabase()
        let text = String(repeating: "NOT (", count: depth) + "Name = 'acme'" + String(repeating: ")", count: depth)
        do {
            #expect(try database.records(Self.accounts + text) == [depth.isMultiple(of: 2) ? "2" : "3"])
        } catch let error as OrgError {
            #expect(error.code == QueryCode.tooComplicated.rawValue && depth > 15)
        }
    }

    @Test("Long chains inside nested conditions run")
    func chainsInside() throws {
        let database = try QueryTestDatabase()
        var condition = "Name = 'a'"
        for level in 0..<8 {
            let names = chain(300, level.isMultiple(of: 2) ? " AND " : " OR ")
            condition = level.isMultiple(of: 2) ? "\(names) AND (\(condition))" : "\(names) OR (\(condition))"
        }
        #expect(throws: Never.self) { try database.records(Self.accounts + condition) }
    }

    @Test("Relationships and subqueries have limits")
    func relationships() throws {
        let subqueries = (0..<21).map { _ in "(SELECT Id FROM Contacts)" }.joined(separator: ", ")
        let error = #expect(throws: OrgError.self) {
            try QueryTestDatabase.compile("SELECT \(subqueries) FROM Account")
        }
        #expect(error?.code == QueryCode.malformedQuery.rawValue)
        let deep = "SELECT Parent.Parent.Parent.Parent.Parent.Name FROM Account"
        #expect(try QueryTestDatabase().records(deep).count == 5)
        let path = Array(repeating: "a", count: 10_000).joined(separator: ".")
        #expect(throws: OrgError.self) { try QueryTestDatabase.compile("SELECT \(path) FROM Account") }
        let name = String(repeating: "x", count: 90_000)
        let long = #expect(throws: OrgError.self) { try QueryTestDatabase.compile("SELECT \(name) FROM Account") }
        #expect(long?.message.utf8.count ?? 0 < 1_000)
    }
}

@Suite("The cost of queries is linear")
struct QueryCostTests {
    /// A kind of query whose length is a number of terms.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: Int
        private let start: String
        private let separator: String
        private let end: String
        private let term: @Sendable (Int) -> String

        init(
            _ name: String, _ size: Int, _ start: String, _ separator: String, end: String = "",
            term: @escaping @Sendable (Int) -> String
        ) {
            (testDescription, self.size, self.start, self.separator, self.end) = (name, size, start, separator, end)
            self.term = term
        }

        func text(_ count: Int) -> String { start + (0..<count).map(term).joined(separator: separator) + end }
    }

    static let kinds = [
        Kind("terms of OR", 1_500, "SELECT Id FROM Account WHERE ", " OR ") { "Name = 'x\($0)'" },
        Kind("values of a list", 4_000, "SELECT Id FROM Account WHERE Name IN (", ",", end: ")") { "'x\($0)'" },
        Kind("sets of picklist values", 3_000, "SELECT Id FROM Account WHERE Tags INCLUDES (", ",", end: ")") {
            "'x\($0)'"
        },
        Kind("aggregates with names", 1_500, "SELECT ", ",", end: " FROM Account") { "COUNT(Id) n\($0)" },
        Kind("fields to sort by", 3_000, "SELECT Id FROM Account ORDER BY ", ",") { _ in "Name DESC" },
        Kind("aliases of parents", 2_000, "SELECT Id FROM Account a, ", ",") { "a.Owner o\($0)" },
        Kind("chains of aliases", 2_000, "SELECT Id FROM Account o0, ", ",") { "o\($0).Parent o\($0 + 1)" },
        Kind("fields of TYPEOF", 3_000, "SELECT TYPEOF Who WHEN Lead THEN ", ",", end: " END FROM Task") { _ in
            "Email"
        },
        Kind("branches of TYPEOF", 1_500, "SELECT TYPEOF Who ", " ", end: " END FROM Task") {
            "WHEN A\($0) THEN Email"
        },
        Kind("categories", 3_000, "SELECT Id FROM Account WITH DATA CATEGORY A AT (", ",", end: ")") { "c\($0)" },
        Kind(
            "terms of a condition under CUBE", 500, "SELECT COUNT(Id) FROM Account WHERE ", " OR ",
            end: " GROUP BY CUBE(Name, Industry)"
        ) { "Name = 'x\($0)'" },
        Kind("wildcards", 8_000, "SELECT Id FROM Account WHERE Name LIKE '", "", end: "'") { _ in "%a" },
    ]

    @Test(
        "compiling is linear: quadratic work would cost sixteen times as much at four times the size", arguments: kinds)
    func compiling(kind: Kind) {
        checkCost(of: kind) { text in _ = try? QueryTestDatabase.compile(text) }
    }

    private func checkCost(of kind: Kind, _ work: (String) -> Void) {
        let (short, long) = (kind.text(kind.size / 4), kind.text(kind.size))
        #expect(costRatio(below: 8, short: { work(short) }, long: { work(long) }) < 8)
    }

    /// Long queries of one construct each, which are parsed and printed.
    static let texts = [
        Kind("terms", 2_000, "SELECT Id FROM A WHERE ", " AND ") { "B\($0) = 'x'" },
        Kind(
            "conditions deep inside conditions", 900,
            "SELECT Id FROM A WHERE " + String(repeating: "(B = 1 AND ", count: 90) + "(", " OR ",
            end: String(repeating: ")", count: 91)
        ) { "C\($0) = 1" },
        Kind(
            "fields deep inside child queries", 2_000, String(repeating: "SELECT (", count: 90) + "SELECT ", ",",
            end: " FROM B" + String(repeating: ") FROM B", count: 90)
        ) { "F\($0)" },
        Kind("open parentheses", 40_000, "SELECT Id FROM A WHERE ", "") { _ in "(" },
        Kind("words of TYPEOF", 4_000, "SELECT ", ",", end: " FROM A") { _ in "TYPEOF" },
        Kind("settings", 2_000, "SELECT Id FROM A ", " ") { "WITH S\($0) = 'x'" },
    ]

    @Test("parsing and printing are linear", arguments: texts)
    func reading(kind: Kind) {
        checkCost(of: kind) { text in _ = (try? SOQLQuery(parsing: text))?.text }
    }
}
