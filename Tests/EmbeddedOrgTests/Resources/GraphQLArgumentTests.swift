// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Arguments of GraphQL lists")
struct GraphQLArgumentTests {
    private func list(_ client: OrgClient, _ arguments: String) throws -> JSONValue {
        let query =
            "{ uiapi { query { Account(\(arguments)) { totalCount edges { cursor node { Id } } pageInfo { hasNextPage } } } } }"
        let body = JSONValue(["query": JSONValue(query)]).description
        return try client.send("POST", "\(OrgClient.data)/graphql", body: body).json
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
        "an argument of another type or range is an error",
        arguments: ["upperBound: 0", "upperBound: \"x\"", "first: 0"])
    func ranges(argument: String) async throws {
        let client = try await SharedOrg.client
        let answer = try list(client, argument)
        #expect(
            answer["data"]?.isNull != false
                && answer["errors"]?[0]?["message"]?.string?.contains("must be a number") == true)
    }
}
