// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import SOQLSyntax
import Testing

@testable import RestSDK

@Suite("Values bound into queries")
struct SOQLTests {
    @Test(
        "a string is quoted and cannot end its literal",
        arguments: [
            ("Acme", "'Acme'"), ("D'Arcy", #"'D\'Arcy'"#), (#"a\' OR Name != '"#, #"'a\\\' OR Name != \''"#),
            ("a\nb\r\tc", #"'a\nb\r\tc'"#), ("\u{0C}", #"'\u000C'"#), ("", "''"), ("Zoë 日本", "'Zoë 日本'"),
        ])
    func text(value: String, literal: String) {
        let query: SOQL = "SELECT Id FROM A WHERE Name = \(value)"
        #expect(query.text.lowercased() == "SELECT Id FROM A WHERE Name = \(literal)".lowercased())
    }

    @Test("numbers, Booleans, null and lists have literals")
    func literals() {
        let none: String? = nil
        let query: SOQL = "A = \(1) B = \(-2.5) C = \(true) D = \(none) E IN \(["x", "y'"]) F IN \([1, 2])"
        #expect(query.text == #"A = 1 B = -2.5 C = true D = null E IN ('x','y\'') F IN (1,2)"#)
    }

    @Test(
        "a double of any size has no exponent",
        arguments: [(1e21, "1000000000000000000000"), (1e-7, "0.0000001")])
    func exponents(value: Double, text: String) {
        let query: SOQL = "N = \(value)"
        #expect(query.text == "N = " + text && query.problem == nil)
    }

    @Test("a date with time is bound in UTC, and a day as a day")
    func dates() {
        let (date, day) = (Date(timeIntervalSince1970: 1_700_000_000.25), SOQLDate(year: 2024, month: 2, day: 29))
        let query: SOQL = "A = \(date) AND B = \(day)"
        #expect(query.text == "A = 2023-11-14T22:13:20.25Z AND B = 2024-02-29")
    }

    @Test(
        "a date is bound by the Gregorian calendar, like dates in records, even before 1582",
        arguments: [
            (-14_000_000_000, "1526-05-11T23:06:40Z"), (-12_219_292_801, "1582-10-14T23:59:59Z"),
            (-12_219_292_800, "1582-10-15T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (253_402_300_798, "9999-12-31T23:59:58Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        ] as [(Double, String)])
    func oldDates(seconds: Double, text: String) {
        let query: SOQL = "A = \(Date(timeIntervalSince1970: seconds))"
        #expect(query.text == "A = " + text && query.problem == nil)
        #expect(JSONTimestamp(text).map { abs($0.secondsSince1970 - seconds) < 0.000_1 } == true)
    }

    @Test("a day that does not exist cannot be bound")
    func noSuchDay() async throws {
        let client = try RestClient(instanceURL: "https://example.my.salesforce.com", accessToken: "t")
        let query: SOQL = "SELECT Id FROM A WHERE D = \(SOQLDate(year: 2023, month: 2, day: 29))"
        await expectFailure(.invalidRequest) { try await client.send(.query(query)) }
    }

    @Test("wildcards of the value are escaped in a pattern, and those next to it are not")
    func like() {
        let query: SOQL = "Name LIKE \(like: "100%_'", suffix: .anyRun)"
        #expect(query.text == #"Name LIKE '100\%\_\'%'"#)
        let pattern = SOQLPattern([.text("a_"), .anyOne, .text("'"), .anyRun])
        #expect(("N LIKE \(like: pattern)" as SOQL).text == #"N LIKE 'a\__\'%'"#)
        #expect(("N LIKE \(like: "", prefix: .anyOne, suffix: .anyOne)" as SOQL).text == "N LIKE '__'")
    }

    enum Stage: String, SOQL.Bindable {
        case won = "Closed 'Won'"
    }

    enum Level: Int16, SOQL.Bindable {
        case high = 3
    }

    @Test("integers of every width, enumerations and substrings have literals")
    func kinds() {
        let narrow: SOQL = "A IN (\(Int8.min), \(UInt8.max), \(Int16.min), \(UInt16.max), \(Int32.min), \(UInt32.max))"
        #expect(narrow.text == "A IN (-128, 255, -32768, 65535, -2147483648, 4294967295)")
        let wide: SOQL = "A IN (\(Int64.min), \(UInt64.max), \(UInt.max), \(Int128.min), \(UInt128.max))"
        #expect(wide.text == "A IN (\(Int64.min), \(UInt64.max), \(UInt.max), \(Int128.min), \(UInt128.max))")
        let enums: SOQL = "A = \(Stage.won) AND B IN \([Level.high]) AND C = \("it's".dropFirst(2))"
        #expect(enums.text == #"A = 'Closed \'Won\'' AND B IN (3) AND C = '\'s'"#)
        #expect(
            ("A = \(Float(0.1)) AND B = \(-Float.greatestFiniteMagnitude)" as SOQL).text.hasPrefix(
                "A = 0.1 AND B = -340282"))
        #expect([narrow, wide, enums].allSatisfy { $0.problem == nil })
        #expect(("A = \(Float.nan)" as SOQL).problem != nil)
    }

    @Test("a value without a literal is named in the error, with the values that can be bound")
    func withoutLiteral() {
        let rule = "has no literal; bind a finite number, or a date in the calendar from 0001-01-01 to 9999-12-31"
        let none: Date? = .distantPast
        for (query, value) in [
            ("A > \(Date.distantPast)", "Date.distantPast"), ("A > \(none)", "Date.distantPast"),
            ("A IN \([Date.now, .distantPast])", "Date.distantPast"), ("A > \(Double.infinity)", "the number inf"),
            ("A > \(SOQLDate(year: 2024, month: 2, day: 30))", "the date 2024-02-30"),
        ] as [(SOQL, String)] {
            #expect(query.problem == "value 1: \(value) \(rule)")
        }
    }

    @Test("floating-point numbers of every size are parsed back to the same number, or rejected")
    func floats() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let value = Double(bitPattern: random.next())
            let query: SOQL = "SELECT Id FROM A WHERE N = \(value)"
            guard query.problem == nil else { continue }
            guard case .comparison(let comparison)? = try SOQLQuery(parsing: query.text).where,
                case .literal(let literal) = comparison.right, case .number(let number) = literal.literal
            else {
                Issue.record("\(query.text) is not a comparison with a number")
                return
            }
            #expect(number.double == value)
        }
    }

    @Test("the description shows no value, and the text has the values")
    func description() {
        let query: SOQL =
            "SELECT Id FROM A WHERE Name = \("secret") AND B IN \(["secret"]) AND C LIKE \(like: "secret")"
        #expect("\(query)" == "SELECT Id FROM A WHERE Name = ? AND B IN ? AND C LIKE ?")
        #expect(String(reflecting: query) == query.description)
        #expect(query.text.contains("secret"))
        #expect(query == SOQL(raw: query.text))
    }

    @Test("raw text is inserted unchanged")
    func raw() {
        let field = "Name"
        let query: SOQL = "SELECT \(raw: field) FROM A"
        #expect(query.text == "SELECT Name FROM A")
    }
}

@Suite("Queries built in code")
struct SOQLBuilderTests {
    private static let amount: SOQL.Field = "Amount"
    private static let name: SOQL.Field = "Name"

    @Test("every part of a query is at its position, and values are bound")
    func chunks() throws {
        let select = SOQL.Select("Opportunity", ["Id", "Owner.Name"])
            .selecting("StageName")
            .where(Self.amount > 1_000 && (Self.name == "D'Arcy \\" || !Self.name.isIn(["a", "b"])))
            .where(SOQL.Field("CloseDate").isNotNull)
            .order(by: "CloseDate", descending: true, nulls: .last).order(by: "Name")
            .limit(50).offset(10)
        let query = SOQL(select)
        #expect(
            query.text
                == #"SELECT Id, Owner.Name, StageName FROM Opportunity WHERE Amount > 1000 AND (Name = 'D\'Arcy \\' OR (NOT Name IN ('a','b'))) AND CloseDate != null ORDER BY CloseDate DESC NULLS LAST, Name LIMIT 50 OFFSET 10"#
        )
        #expect(query.description.contains("Amount > ? AND (Name = ? OR (NOT Name IN ?)) AND CloseDate != ?"))
        #expect(try SOQLQuery(parsing: query.text).limit?.value == 50)
    }

    @Test("child queries, semi-joins, patterns and sets are supported")
    func nested() throws {
        let contacts = SOQL.Select("Contacts", ["LastName"]).where(SOQL.Field("Email").isLike("100%", suffix: .anyRun))
            .limit(3)
        let open = SOQL.Select("Opportunity", ["AccountId"]).where(Self.amount >= 5)
        let query = SOQL(
            SOQL.Select("Account", ["Id"]).children(contacts)
                .where(SOQL.Field("Id").isIn(open) && SOQL.Field("Types__c").includes(["a;b", "c"])))
        #expect(
            query.text
                == #"SELECT Id, (SELECT LastName FROM Contacts WHERE Email LIKE '100\%%' LIMIT 3) FROM Account WHERE Id IN (SELECT AccountId FROM Opportunity WHERE Amount >= 5) AND Types__c INCLUDES ('a;b','c')"#
        )
        let tree = try SOQLQuery(parsing: query.text)
        #expect(tree.select.count == 2)
    }

    @Test("built queries for rows, groups and counts run in the org")
    func atTheOrg() async throws {
        try await withClient { client, _ in
            let drafts = (0..<6).map {
                Record.Draft(
                    "Account",
                    [
                        "Name": JSONValue("Built \($0)"), "Industry": $0 < 4 ? "Shipping" : "Energy",
                        "NumberOfEmployees": JSONValue($0),
                    ])
            }
            _ = try await client.send(.create(drafts)).get()
            let built = SOQL.Select("Account", ["Name"]).where(Self.name.isLike("Built ", suffix: .anyRun))
            let names = try await client.records(SOQL(built.order(by: "Name", descending: true).limit(2))).collect(
                limit: 10)
            #expect(names.map { $0["Name"]?.string } == ["Built 5", "Built 4"])
            let groups = SOQL.Select("Account", ["Industry"]).selecting(.count("Id"), as: "total")
                .selecting(.sum("NumberOfEmployees"))
                .where(Self.name.isLike("Built ", suffix: .anyRun)).group(by: "Industry")
                .having(SOQL.Field.count("Id") > 2)
            let rows = try await client.records(SOQL(groups)).collect(limit: 10)
            #expect(rows.map { $0["total"]?.int } == [4])
            #expect(rows[0]["expr0"]?.double == 6)
            let count = try await client.send(
                .query(SOQL(SOQL.Select("Account", [.count]).where(Self.name.isLike("Built ", suffix: .anyRun)))))
            #expect(count.payload["totalSize"] == 6)
        }
    }

    private static let rejections: [(SOQL.Select, String)] = [
        (.init("Account", []), "select at least one field"),
        (.init("Account; DROP", ["Id"]), "not a valid name of an object"),
        (.init("Account", ["Id, Name"]), "is not a valid name"), (.init("Account", ["a..b"]), "is not a valid name"),
        (.init("Account", ["Name FROM User"]), "is not a valid name"),
        (.init("Account", ["a.b.c.d.e.f.G"]), "five parents"),
        (.init("Account", [.function("F(", of: "Id")]), "not a valid name of a function"),
        (.init("Account", ["Id"]).where(SOQL.Field("x y") == 1), "is not a valid name"),
        (.init("Account", ["Id"]).where(name.isIn([String]())), "the list is empty"),
        (.init("Account", ["Id"]).where(amount > Double.nan), "the value of Amount has no literal"),
        (.init("Account", ["Id"]).limit(-1), "must not be negative"),
        (.init("Account", ["Id"]).offset(2_001), "outside 0–2000"),
        (.init("Account", ["Id"]).order(by: "Name--"), "is not a valid name"),
        (.init("Account", ["Name"]).group(by: "Industry"), "must be grouped or aggregated"),
        (.init("Account", ["Name"]).having(SOQL.Field.count("Id") > 1), "HAVING needs groups"),
        (.init("Account", [.count, "Name"]), "must be the only field"),
        (.init("Account", ["Id"]).selecting("Name", as: "n"), "can rename columns"),
        (.init("Account", [.count("Id")]).selecting(.sum("Amount"), as: "a b"), "not a valid name of a column"),
        (.init("Account", [.count("Id")]).children(.init("Contacts", ["Id"])), "cannot select children"),
        (.init("Account", ["Id"]).where(name.isIn(.init("Contact", ["Id", "Name"]))), "must select exactly one field"),
        (
            (0..<21).reduce(.init("Account", ["Id"])) { select, _ in select.children(.init("Contacts", ["Id"])) },
            "21 lists"
        ),
        (
            .init("A", ["Id"]).children(
                .init("B", ["Id"]).children(
                    .init("C", ["Id"]).children(
                        .init("D", ["Id"]).children(
                            .init("E", ["Id"]).children(.init("F", ["Id"])))))), "5 levels"
        ),
        (
            .init("Account", ["Id"]).where((0..<60).reduce(name == "x") { condition, _ in !condition }),
            "nested too deeply"
        ),
        (.init("Account", ["Id"]).where(name == String(repeating: "x", count: 100_001)), "the server accepts 100000"),
    ]

    @Test("a query that the server would reject is rejected before it is sent", arguments: rejections.indices)
    func refused(index: Int) async throws {
        let (select, reason) = Self.rejections[index]
        let stub = StubTransport()
        let error = await expectFailure(.invalidRequest) { try await RestClient.of(stub).send(.query(SOQL(select))) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }

    @Test("long chains do not increase the depth, and untrusted strings cannot become part of the query")
    func chains() throws {
        let conditions = (0..<500).map { SOQL.Field("Name") == "' OR Id != '\($0)" }
        let condition = conditions.dropFirst().reduce(conditions[0]) { $0 || $1 }
        let query = SOQL(SOQL.Select("Account", ["Id"]).where(condition))
        let tree = try SOQLQuery(parsing: query.text)
        guard case .or(let parts) = tree.where else { throw Unexpected("not a chain of OR") }
        #expect(parts.count == 500)
        #expect(SOQL.Condition.all([]) == nil)
        let any = SOQL(SOQL.Select("Account", ["Id"]).where(.any(Array(conditions.prefix(2)))))
        #expect(any.text.hasSuffix(#"WHERE Name = '\' OR Id != \'0' OR Name = '\' OR Id != \'1'"#))
    }
}
