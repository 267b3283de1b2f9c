// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import SOQLSyntax
import Testing

@Suite("Queries composed in code")
struct SOQLBuilderTests {
    private static let amount: SOQL.Field = "Amount"
    private static let name: SOQL.Field = "Name"

    @Test("every piece stands where it belongs, and values are bound")
    func pieces() throws {
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

    @Test("children, rows behind IN, patterns and sets")
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

    @Test("the org runs them: rows, groups and counts")
    func atTheOrg() async throws {
        try await withClient { client, _ in
            let drafts = (0..<6).map {
                RecordDraft(
                    "Account",
                    [
                        "Name": JSONValue("Built \($0)"), "Industry": $0 < 4 ? "Shipping" : "Energy",
                        "NumberOfEmployees": JSONValue($0),
                    ])
            }
            _ = try await client.create(drafts).get()
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

    private static let refusals: [(SOQL.Select, String)] = [
        (.init("Account", []), "selects at least one field"), (.init("Account; DROP", ["Id"]), "no object's name"),
        (.init("Account", ["Id, Name"]), "is no name"), (.init("Account", ["a..b"]), "is no name"),
        (.init("Account", ["Name FROM User"]), "is no name"), (.init("Account", ["a.b.c.d.e.f.G"]), "five parents"),
        (.init("Account", [.function("F(", of: "Id")]), "no function's name"),
        (.init("Account", ["Id"]).where(SOQL.Field("x y") == 1), "is no name"),
        (.init("Account", ["Id"]).where(name.isIn([String]())), "the list is empty"),
        (.init("Account", ["Id"]).where(amount > Double.nan), "the value of Amount has no literal"),
        (.init("Account", ["Id"]).limit(-1), "must not be negative"),
        (.init("Account", ["Id"]).offset(2_001), "outside 0–2000"),
        (.init("Account", ["Id"]).order(by: "Name--"), "is no name"),
        (.init("Account", ["Name"]).group(by: "Industry"), "must be grouped by"),
        (.init("Account", ["Name"]).having(SOQL.Field.count("Id") > 1), "HAVING needs groups"),
        (.init("Account", [.count, "Name"]), "stands alone"),
        (.init("Account", ["Id"]).selecting("Name", as: "n"), "other names"),
        (.init("Account", [.count("Id")]).selecting(.sum("Amount"), as: "a b"), "no name for a column"),
        (.init("Account", [.count("Id")]).children(.init("Contacts", ["Id"])), "has no children"),
        (.init("Account", ["Id"]).where(name.isIn(.init("Contact", ["Id", "Name"]))), "selects one field"),
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

    @Test("what the platform would refuse is refused before it is sent", arguments: refusals.indices)
    func refused(index: Int) async throws {
        let (select, reason) = Self.refusals[index]
        let stub = StubTransport()
        let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).send(.query(SOQL(select))) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }

    @Test("long chains cost no depth; no text from outside becomes a part of the query")
    func chains() throws {
        let conditions = (0..<500).map { SOQL.Field("Name") == "' OR Id != '\($0)" }
        let condition = conditions.dropFirst().reduce(conditions[0]) { $0 || $1 }
        let query = SOQL(SOQL.Select("Account", ["Id"]).where(condition))
        let tree = try SOQLQuery(parsing: query.text)
        guard case .or(let parts) = tree.where else {
            Issue.record("not a chain of OR")
            return
        }
        #expect(parts.count == 500)
        #expect(SOQL.Condition.all([]) == nil)
        let any = SOQL(SOQL.Select("Account", ["Id"]).where(.any(Array(conditions.prefix(2)))))
        #expect(any.text.hasSuffix(#"WHERE Name = '\' OR Id != \'0' OR Name = '\' OR Id != \'1'"#))
    }
}
