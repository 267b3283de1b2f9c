// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Graphs, Apex REST, custom actions and browsers")
struct GraphAndApexTests {
    @Test("each graph is independently written as a whole or not at all")
    func graphs() async throws {
        let client = try await OrgClient.start()
        let path = "\(OrgClient.data)/sobjects"
        func node(_ id: String, _ object: String, _ body: String) -> String {
            #"{"method":"POST","url":"\#(path)/\#(object)","referenceId":"\#(id)","body":\#(body)}"#
        }
        let good = [
            node("a", "Account", #"{"Name":"g"}"#), node("c", "Contact", ##"{"LastName":"x","AccountId":"@{a.id}"}"##),
        ]
        let bad = [node("a", "Account", #"{"Name":"undone"}"#), node("b", "Account", "{}")]
        let body = [("1", good), ("2", bad)].map {
            #"{"graphId":"\#($0)","compositeRequest":[\#($1.joined(separator: ","))]}"#
        }.joined(separator: ",")
        let response = try client.send("POST", "\(OrgClient.data)/composite/graph", body: #"{"graphs":[\#(body)]}"#)
        let graphs = response.json["graphs"]
        #expect(graphs?.array?.map { $0["isSuccessful"]?.bool } == [true, false])
        let undone = graphs?[1]?["graphResponse"]?["compositeResponse"]?.array?.compactMap {
            $0["body"]?[0]?["errorCode"]?.string
        }
        #expect(undone == ["PROCESSING_HALTED", "REQUIRED_FIELD_MISSING"])
        #expect(try client.query("SELECT Id FROM Contact WHERE Account.Name = 'g'").json["totalSize"]?.int == 1)
        #expect(try client.query("SELECT Id FROM Account WHERE Name = 'undone'").json["totalSize"]?.int == 0)
        let many = (0...500).map { node("n\($0)", "Account", #"{"Name":"x"}"#) }.joined(separator: ",")
        let refused = try client.send(
            "POST", "\(OrgClient.data)/composite/graph",
            body: #"{"graphs":[{"graphId":"1","compositeRequest":[\#(many)]}]}"#)
        #expect(refused.status == 400 && refused.errorCode == "INVALID_INPUT")
    }

    @Test("handlers answer paths below apexrest, the longest match first, and only with a session")
    func apex() async throws {
        let client = try await OrgClient.start()
        client.org.apex.handle("/orders/*") { request in
            ApexResponse(body: Array(#"{"path":"\#(request.path)","size":\#(request.body.count)}"#.utf8))
        }
        client.org.apex.handle("/orders/special") { _ in ApexResponse(status: 202) }
        let response = try client.send("POST", "/services/apexrest/orders/1", body: "{}")
        #expect(response.json["path"]?.string == "/orders/1" && response.json["size"]?.int == 2)
        #expect(response.field("Sforce-Limit-Info") != nil)
        #expect(try client.send("GET", "/services/apexrest/orders/special").status == 202)
        #expect(try client.send("GET", "/services/apexrest/other").errorCode == "NOT_FOUND")
        #expect(try client.send("GET", "/services/apexrest/orders/1", token: .some(nil)).status == 401)
    }

    @Test("custom actions are described, and run by the program's handlers")
    func customActions() async throws {
        let client = try await OrgClient.start()
        client.org.actions.handle(
            .flow, "Divide", label: "Divide numbers",
            inputs: [.init("of", .number, isRequired: true), .init("by", .number, isRequired: true)],
            outputs: [.init("result", .number)]
        ) { input in
            guard let by = input["by"]?.double, by != 0 else {
                return .failure(code: "DIVISION", message: "by must not be 0")
            }
            return .success(["result": JSONValue(floatLiteral: (input["of"]?.double ?? 0) / by)])
        }
        let path = "/actions/custom/flow"
        let list = try client.get(path).json["actions"]?[0]
        #expect(list?["name"]?.string == "Divide" && list?["type"]?.string == "FLOW")
        let action = try client.get(path + "/Divide").json
        #expect(action["inputs"]?[1]?["required"]?.bool == true && action["standard"]?.bool == false)
        func run(_ inputs: String) throws -> RawClient.Response {
            try client.send("POST", OrgClient.data + path + "/Divide", body: #"{"inputs":[\#(inputs)]}"#)
        }
        let done = try run(#"{"of":8,"by":2}"#)
        #expect(done.status == 200 && done.json[0]?["outputValues"]?["result"]?.double == 4)
        let mixed = try run(#"{"of":8,"by":2},{"of":1,"by":0},{"of":1},{"of":"1","by":1},{"of":1,"by":1,"x":1},7"#)
        #expect(mixed.status == 400)
        #expect(mixed.json.array?.compactMap { $0["isSuccess"]?.bool } == [true, false, false, false, false, false])
        let codes = mixed.json.array?.dropFirst().map { $0["errors"]?[0]?["statusCode"]?.string }
        #expect(codes == ["DIVISION"] + Array(repeating: "INVALID_API_INPUT", count: 4))
        #expect(try run("").errorCode == "INVALID_INPUT")
        #expect(try client.get("/actions/custom/apex").json["actions"]?.array?.isEmpty == true)
        for wrong in ["/actions/custom/nope", "/actions/custom/flow/Nope", "/actions/standard", "/actions/nope"] {
            #expect(try client.get(wrong).status == 404, "\(wrong)")
        }
    }
}

@Suite("Documents and arguments of GraphQL")
struct GraphQLArgumentTests {
    private func ask(_ client: OrgClient, _ document: String) throws -> JSONValue {
        let body = JSONValue(["query": JSONValue(document)]).description
        return try client.send("POST", "\(OrgClient.data)/graphql", body: body).json
    }

    private func list(_ client: OrgClient, _ arguments: String) throws -> JSONValue {
        let list = "Account(\(arguments)) { totalCount edges { cursor node { Id } } pageInfo { hasNextPage } }"
        return try ask(client, "{ uiapi { query { \(list) } } }")
    }

    /// Forty fragments, each of which spreads the next fragment twice, and an empty last fragment.
    private static let doubling =
        "{ ...F0 } " + (0..<40).map { "fragment F\($0) on A { ...F\($0 + 1) ...F\($0 + 1) } " }.joined()
        + "fragment F40 on A { ...F0 @skip(if: true) }"

    @Test(
        "a small document that requires endless work is an error", .timeLimit(.minutes(1)),
        arguments: [
            doubling, String(repeating: "{ a ", count: 1_000) + String(repeating: "}", count: 1_000),
            "{ a(b: \(String(repeating: "[", count: 5_000))) }",
            "{ ...A } fragment A on X { ...B } fragment B on X { ...A }",
            "{ \(String(repeating: "...A ", count: 4_000))} fragment A on X { #\(String(repeating: "x", count: 50_000))\n a }",
        ])
    func endless(document: String) async throws {
        let response = try ask(try await SharedOrg.client, document)
        #expect(response["errors"]?[0]?["message"]?.string?.isEmpty == false, "\(response.description.prefix(200))")
    }

    @Test("upperBound limits all pages together")
    func upperBound() async throws {
        let client = try await SharedOrg.client
        let bound = #"first: 10, upperBound: 15, orderBy: {Name: {order: ASC}}"#
        let first = try list(client, bound)["data"]?["uiapi"]?["query"]?["Account"]
        #expect(first?["edges"]?.array?.count == 10 && first?["totalCount"]?.int == 15)
        #expect(first?["pageInfo"]?["hasNextPage"]?.bool == true)
        let cursor = try #require(first?["edges"]?[9]?["cursor"]?.string)
        let second = try list(client, bound + #", after: "\#(cursor)""#)["data"]?["uiapi"]?["query"]?["Account"]
        #expect(second?["edges"]?.array?.count == 5 && second?["pageInfo"]?["hasNextPage"]?.bool == false)
    }

    @Test(
        "an argument of the wrong type or out of range is an error",
        arguments: ["upperBound: 0", "upperBound: \"x\"", "first: 0"])
    func ranges(argument: String) async throws {
        let client = try await SharedOrg.client
        let response = try list(client, argument)
        #expect(
            response["data"]?.isNull != false
                && response["errors"]?[0]?["message"]?.string?.contains("must be a number") == true)
    }
}
