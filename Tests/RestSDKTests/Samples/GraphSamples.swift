// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

/// The samples of the article on graphs and GraphQL, word for word; all of them run.
enum GraphSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await graphs(client)
        try await query(client)
        await org.stop()
    }

    private static func graphs(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/GraphAndGraphQL.md 1
        var graphs = Composite.Graphs()
        for name in ["Acme", "Bolt"] {
            var graph = Composite(allOrNone: true)
            let account = graph.add(.create("Account", ["Name": JSONValue(name)]), as: "account")
            let id = account["id"]
            graph.add(.create("Contact", ["LastName": "Roe", "AccountId": id.json]), as: "contact", using: [id])
            graphs.add(graph, as: name)
        }

        let answers = try await client.send(graphs)
        for graph in answers.graphs {
            print(graph.id, graph.isSuccess, graph.parts["account"]?.failure ?? "done")
        }
        // or: the answers of all, or an error with the faults of every graph that failed
        let all = try answers.get()
        // end
        print(all.count)
    }

    private static func query(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/GraphAndGraphQL.md 2
        let query = GraphQL(
            """
            query Accounts($industry: Picklist, $after: String) {
                uiapi { query { Account(where: {Industry: {eq: $industry}}, first: 50, after: $after) {
                    edges { node { Id Name { value } Owner { Username { value } } } }
                    pageInfo { hasNextPage endCursor } } } }
            }
            """, variables: ["industry": "Energy"])

        let answer = try await client.send(query)
        print(answer[["uiapi", "query", "Account", "edges"]]?.array?.count ?? 0)
        // end

        // sample: docs/RestSDK.docc/GraphAndGraphQL.md 3
        do {
            print(try answer.get())
        } catch {
            for problem in error.errors { print(problem.path, problem.message) }
            print("what there is all the same:", error.data)
        }
        // end

        // sample: docs/RestSDK.docc/GraphAndGraphQL.md 4
        nonisolated struct Account: Decodable {
            struct Text: Decodable { let value: String? }
            let Id: String
            let Name: Text
        }

        for try await account in client.nodes(of: query, at: ["uiapi", "query", "Account"], as: Account.self) {
            print(account.Id, account.Name.value ?? "")
        }
        // end
    }
}
