// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("GraphQL")
struct GraphQLTests {
    private static let accounts = """
        query Accounts($industry: Picklist, $first: Int, $after: String) {
            uiapi { query { Account(where: {Industry: {eq: $industry}}, orderBy: {Name: {order: ASC}}, first: $first,
                after: $after) {
                totalCount
                edges { cursor node { Id Name { value } Industry { value displayValue } Owner { Username { value } } } }
                pageInfo { hasNextPage endCursor } } } }
        }
        """

    private static func seeded(_ client: RestClient, _ count: Int) async throws -> [String] {
        let drafts = (0..<count).map { number in
            Record.Draft(
                "Account",
                ["Name": JSONValue("Graph \(String(number + 1_000).dropFirst())"), "Industry": "Shipping"])
        }
        return try await client.createAll(drafts).get()
    }

    @Test("variables are used, and values, parents and the total count are returned")
    func values() async throws {
        try await withClient { client, org in
            let ids = try await Self.seeded(client, 3)
            let response = try await client.send(GraphQL(Self.accounts, variables: ["industry": "Shipping"]))
            let list = try #require(try response.get()["uiapi"]?["query"]?["Account"])
            #expect(list["totalCount"] == 3)
            let nodes = (list["edges"]?.array ?? []).compactMap { $0["node"] }
            #expect(nodes.map { $0["Id"]?.string ?? "" } == ids)
            #expect(nodes[0]["Name"]?["value"] == "Graph 000")
            let owner = try await client.send(.retrieve("User", id: org.userID, fields: ["Username"]))
            #expect(nodes[0]["Owner"]?["Username"]?["value"] == owner.payload["Username"])
            #expect(list["pageInfo"]?["hasNextPage"] == false)
        }
    }

    @Test("a list resumes at the cursor of its page")
    func pages() async throws {
        try await withClient { client, _ in
            let ids = try await Self.seeded(client, 25)
            var query = GraphQL(Self.accounts, variables: ["industry": "Shipping", "first": 10])
            var pages: [[String]] = []
            while pages.count < 4 {
                let list = try #require(try await client.send(query)[["uiapi", "query", "Account"]])
                #expect(list["totalCount"] == 25)
                pages.append((list["edges"]?.array ?? []).compactMap { $0["node"]?["Id"]?.string })
                guard list["pageInfo"]?["hasNextPage"] == true else { break }
                query = query.variable("after", try #require(list["pageInfo"]?["endCursor"]))
            }
            #expect(pages.map(\.count) == [10, 10, 5] && pages.flatMap(\.self) == ids)
        }
    }

    @Test("children, aliases, fragments, directives and all kinds of conditions are supported")
    func shapes() async throws {
        try await withClient { client, _ in
            let account = try await client.send(
                .create([
                    Record.Draft("Account", ["Name": "Graph O'Hara \\ %", "NumberOfEmployees": 7])
                ])
            )
            .get()[0]
            _ = try await client.send(
                .create(
                    (0..<3).map {
                        Record.Draft(
                            "Contact", ["LastName": JSONValue("Child \($0)"), "AccountId": JSONValue(account)])
                    }
                )
            ).get()
            let query = GraphQL(
                """
                query ($name: String!, $skips: Boolean = true) { uiapi { query {
                    mine: Account(where: {and: [{Name: {eq: $name}}, {or: [{NumberOfEmployees: {gte: 7}}, {Site: {ne: null}}]},
                        {not: {Industry: {in: ["Banking", "Energy"]}}}]}) {
                        edges { node { ...Names kids: Contacts(first: 2, orderBy: {LastName: {order: DESC}}) {
                            edges { node { LastName { value } } } pageInfo { hasNextPage } } Site @skip(if: $skips) { value } } } }
                    Contact(where: {Account: {Name: {eq: $name}}}) { totalCount }
                } } }
                fragment Names on Account { __typename Name { value } ... on Account { NumberOfEmployees { value displayValue } } }
                """, variables: ["name": "Graph O'Hara \\ %"])
            let data = try await client.send(query).get()["uiapi"]?["query"]
            let node = try #require(data?["mine"]?["edges"]?[0]?["node"])
            #expect(node["__typename"] == "Account")
            #expect(node["Name"]?["value"] == "Graph O'Hara \\ %")
            #expect(node["NumberOfEmployees"] == ["value": 7, "displayValue": "7"])
            #expect(node["Site"] == nil)
            let kids = node["kids"]?["edges"]?.array?.compactMap { $0["node"]?["LastName"]?["value"]?.string }
            #expect(kids == ["Child 2", "Child 1"])
            #expect(node["kids"]?["pageInfo"]?["hasNextPage"] == true)
            #expect(data?["Contact"]?["totalCount"] == 3)
        }
    }

    @Test("patterns, days, times and date formulas work as conditions")
    func conditions() async throws {
        try await withClient { client, _ in
            _ = try await client.send(
                .create([
                    Record.Draft(
                        "Opportunity",
                        ["Name": "Graph deal", "StageName": "Prospecting", "CloseDate": "2031-05-06", "Amount": 12.5])
                ])
            ).get()
            func count(_ condition: String) async throws -> Int? {
                let document = "{ uiapi { query { Opportunity(where: \(condition)) { totalCount } } } }"
                return try await client.send(GraphQL(document)).get()["uiapi"]?["query"]?["Opportunity"]?["totalCount"]?
                    .int
            }
            #expect(try await count(#"{Name: {like: "Graph d%"}}"#) == 1)
            #expect(try await count(#"{Name: {like: "graph _eal"}}"#) == 1)
            #expect(try await count(#"{CloseDate: {eq: {value: "2031-05-06"}}, Amount: {lt: 12.6, gt: 1e1}}"#) == 1)
            #expect(try await count(#"{CloseDate: {lt: "2031-05-06"}, Name: {eq: "Graph deal"}}"#) == 0)
            #expect(try await count(#"{CreatedDate: {eq: {literal: TODAY}}, Name: {eq: "Graph deal"}}"#) == 1)
            #expect(try await count(#"{CreatedDate: {lt: "2020-01-01T00:00:00Z"}}"#) == 0)
        }
    }

    @Test(
        "errors have a message, a position and a path, and the other data is kept",
        arguments: [
            (
                "{ uiapi { query { Account { edges { node { Nope { value } } } } } } }",
                "uiapi.query.Account.edges.node.Nope"
            ),
            ("{ uiapi { query { Nothing { totalCount } } } }", "uiapi.query.Nothing"),
            ("{ uiapi { query { Account(where: {Nope: {eq: 1}}) { totalCount } } } }", "uiapi.query.Account"),
            ("{ uiapi { query { Account(where: {Name: {almost: 1}}) { totalCount } } } }", "uiapi.query.Account"),
            ("{ uiapi { query { Account(first: 0) { totalCount } } } }", "uiapi.query.Account"),
            ("{ uiapi { query { Account(first: 99999999999999999999) { totalCount } } } }", "uiapi.query.Account"),
            ("{ uiapi { query { Account(orderBy: {Name: {order: UP}}) { totalCount } } } }", "uiapi.query.Account"),
            ("{ uiapi { mutation { x } } }", "uiapi.mutation"),
            (
                "{ uiapi { query { Account { edges { node { Name } } } } } }",
                "uiapi.query.Account.edges.node.Name"
            ),
        ])
    func validation(document: String, path: String) async throws {
        try await withClient { client, _ in
            let response = try await client.send(GraphQL(document))
            let failure = #expect(throws: GraphQL.ResponseError.self) { try response.get() }
            let error = try #require(failure?.errors.first)
            #expect(error.path.map(\.description).joined(separator: ".") == path)
            #expect(error.locations.count == 1 && error.extensions["ErrorType"] == "ValidationError")
            #expect(response.response.head.status == 200)
        }
    }

    @Test("a failed list does not affect the others")
    func partial() async throws {
        try await withClient { client, _ in
            let document = """
                { uiapi { query { bad: Account(after: "nonsense") { totalCount } good: Account(first: 1) { edges { node { Id } } } } } }
                """
            let response = try await client.send(GraphQL(document))
            #expect(response[["uiapi", "query", "bad"]]?.isNull == true)
            #expect(response[["uiapi", "query", "good", "edges"]]?.array?.count == 1)
            let failure = #expect(throws: GraphQL.ResponseError.self) { try response.get() }
            #expect(failure?.errors.map { $0.path.map(\.description) } == [["uiapi", "query", "bad"]])
            #expect(failure?.data["uiapi"]?["query"]?["good"] != nil)
        }
    }

    @Test(
        "invalid documents are rejected with the position",
        arguments: [
            "{", "query {", "{ uiapi { } }", "{ a(b: ) }", "{ a(b: \"x) }", "{ \u{1F600} }", "{ ...A }",
            "query A { a } query B { b }",
            "{ ...A } fragment A on X { ...A }", "{ a @unknown }",
            "query ($x: Int!) { uiapi { query { Account(first: $x) { totalCount } } } }",
            "{ uiapi { query { Account(first: $x) { totalCount } } } }", "mutation { uiapi }",
            "{ a: uiapi { __typename } a: b }",
            "{ a(b: 01) }", "{ a(b: \"\\ud800\") }", "{ a(b: 1e999) }",
            String(repeating: "{ a ", count: 60) + String(repeating: "}", count: 60),
            "{ ...A0 }"
                + (0..<20).map { " fragment A\($0) on X { a: b { ...A\($0 + 1) } c: b { ...A\($0 + 1) } }" }.joined()
                + " fragment A20 on X { d }",
        ])
    func malformed(document: String) async throws {
        try await withClient { client, _ in
            let response = try await client.send(GraphQL(document))
            #expect(response.data.isNull)
            #expect(response.errors.count == 1)
        }
    }

    @Test("a response of another shape is an error", arguments: ["{}", "[]"])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        await expectFailure(.decoding) { try await RestClient.of(stub).send(GraphQL("{ l }")) }
    }

    @Test("errors with unexpected numbers and shapes are still read")
    func oddErrors() async throws {
        let stub = StubTransport()
        stub.enqueue(
            #"{"data":null,"errors":[{"message":1,"path":["a",1e300,-1,2,null],"locations":[{"line":1e99,"column":1},{"line":2,"column":3}]},{}, 7]}"#
        )
        let response = try await RestClient.of(stub).send(GraphQL("{ a }"))
        #expect(response.errors.count == 3)
        #expect(response.errors[0].path == [.key("a"), .index(2)])
        #expect(response.errors[0].locations == [.init(row: 2, column: 3)])
    }

    @Test("a query may be sent again after a lost response, and a mutation may not")
    func effects() async throws {
        #expect(GraphQL("{ mutationless }").request.effect == .reads)
        #expect(GraphQL("mutation { a }").request.effect == .writes(idempotent: false))
        let stub = StubTransport()
        await expectFailure(.invalidRequest) { try await RestClient.of(stub).send(GraphQL(" ")) }
    }
}
