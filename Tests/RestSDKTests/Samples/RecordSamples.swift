// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The samples of the article on single records, word for word; all of them run.
enum RecordSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await lifetime(client)
        try await upsert(client)
        try await failure(client)
        try await types(client)
        try await options(client)
        try await binAndMerge(client)
        await org.stop()
    }

    private static func lifetime(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 1
        let created = try await client.send(.create("Account", ["Name": "Harbour Lights", "Industry": "Energy"]))
        let id = created.payload["id"]?.string ?? ""

        let record = try await client.send(.retrieve("Account", id: id, fields: ["Name", "Industry"]))
        print(record.payload["Industry"]?.string ?? "none")

        _ = try await client.send(.update("Account", id: id, ["Industry": "Banking", "Website": nil]))
        _ = try await client.send(.delete("Account", id: id))
        // end
    }

    private static func upsert(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 2
        let saved = try await client.send(
            .upsert("Account", externalID: "ExternalId__c", "X-1", ["Name": "Harbour Lights"]))
        print(saved.payload["created"]?.bool == true ? "created" : "changed")
        // end
    }

    private static func failure(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 4
        do {
            _ = try await client.send(.create("Account", ["Industry": "Energy"]))
        } catch {
            switch error.faults.first?.errorCode {
            case .requiredFieldMissing?: print("please fill in", error.faults[0].fields)
            case .duplicateValue?, .duplicatesDetected?: print("there is one already")
            default: print(error, error.advice)
            }
            if error.outcome == .unknown { print("look whether it was created") }
        }
        // end
    }

    private static func types(_ client: RestClient) async throws {
        let id = try await client.send(.create("Account", ["Name": "A"])).payload["id"]?.string ?? ""
        // sample: docs/RestSDK.docc/Records.md 5
        struct Account: Decodable {
            let Name: String
            let AnnualRevenue: Decimal?
            let CreatedDate: Date
        }
        let account = try await client.send(.retrieve("Account", id: id), as: Account.self)
        print(account.Name, account.CreatedDate)
        // end

        // sample: docs/RestSDK.docc/Records.md 6
        struct Revenue: Encodable {
            let AnnualRevenue: Decimal
        }
        _ = try await client.send(.update("Account", id: id, Revenue(AnnualRevenue: 1250.5)))
        // end
    }

    private static func binAndMerge(_ client: RestClient) async throws {
        let id = try await client.send(.create("Account", ["Name": "Bin"])).payload["id"]?.string ?? ""
        let duplicate = try await client.send(.create("Account", ["Name": "Bin"])).payload["id"]?.string ?? ""
        _ = try await client.send(.delete("Account", id: id))
        // sample: docs/RestSDK.docc/Records.md 7
        let restored = try await client.undelete(ids: [id])
        print(restored[0].isSuccess ? "is back" : restored[0].faults.description)
        // end

        // sample: docs/RestSDK.docc/Records.md 8
        let merged = try await client.merge("Account", ids: [duplicate], into: id, ["Phone": "+1 555 0100"])
        print(merged.mergedIDs, "went into", merged.id, "with", merged.movedIDs.count, "related records")
        // end
        #expect(merged.mergedIDs == [duplicate])
    }

    private static func options(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Records.md 3
        var options = RestRequest.CallOptions(clientName: "Order desk")
        options.duplicateRule = .init(allowsSave: true)
        options.autoAssign = .off
        _ = try await client.send(.create("Lead", ["LastName": "Roe", "Company": "Acme"]).options(options))
        // end
    }
}

/// The samples of the article on several calls in one, word for word; all of them run.
enum ManyRecordsSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await composite(client)
        try await collection(client)
        try await tree(client)
        try await runs(client)
        await org.stop()
    }

    private static func composite(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 1
        var composite = Composite(allOrNone: true)
        let account = composite.add(.create("Account", ["Name": "Acme"]), as: "account")
        let id = account["id"]
        composite.add(.create("Contact", ["LastName": "Roe", "AccountId": id.json]), as: "contact", using: [id])
        composite.add(.query("SELECT Name FROM Contact WHERE AccountId = \(id)"), as: "contacts", using: [id])

        let answers = try await client.send(composite).get()
        print(answers[2].payload["totalSize"]?.int ?? 0)
        // end
    }

    private static func collection(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 2
        let drafts = ["Acme", "Bolt"].map { RecordDraft("Account", ["Name": JSONValue($0)]) }
        let results = try await client.create(drafts)
        for (position, result) in results.failures {
            print(drafts[position], result.faults)
        }
        // or: the ids of all, or an error with every fault and its place
        let ids = try results.get()

        let records = try await client.retrieve("Account", ids: ids, fields: ["Id", "Name"])
        print(records.compactMap { $0?["Name"]?.string })
        // end
    }

    private static func tree(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 4
        let tree = RecordTree(
            "Account", as: "acme", ["Name": "Acme"],
            children: ["Contacts": [RecordTree("Contact", as: "roe", ["LastName": "Roe"])]])
        let made = try await client.createTree([tree])
        print(made["roe"] ?? "")
        // end
    }

    private static func runs(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/ManyRecords.md 3
        let many = (1...450).map { RecordDraft("Account", ["Name": JSONValue("Branch \($0)")]) }
        let saved = try await client.createAll(many, afterFailure: .goesOn)
        for place in saved.failures {
            print(many[place], saved[place].outcome)
        }
        let all = try await client.retrieveAll("Account", ids: saved.compactMap(\.id), fields: ["Id", "Name"])
        // end
        if all.count != 450 { throw CocoaError(.featureUnsupported) }
    }
}

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
        var next: GraphQL? = query
        while let page = next {
            let list = try await client.send(page).get()["uiapi"]?["query"]?["Account"]
            for edge in list?["edges"]?.array ?? [] {
                print(edge["node"]?["Id"]?.string ?? "", edge["node"]?["Name"]?["value"]?.string ?? "")
            }
            let info = list?["pageInfo"]
            next = info?["hasNextPage"] == true ? info?["endCursor"].map { page.variable("after", $0) } : nil
        }
        // end
    }
}

/// The samples of the article on descriptions, word for word; all of them run.
enum ObjectSamples {
    static func run(in folder: String) async throws {
        // The org's times have whole seconds.
        let start = Date.now.addingTimeInterval(-2)
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        try await describe(client)
        try await keep(client, folder)
        try await look(RestClient.of(Self.platform))
        _ = try await client.create([RecordDraft("Account", ["Name": "Changed"])]).get()
        try await changes(client, start)
        await org.stop()
    }

    private static func describe(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 1
        let account = try await client.describe("Account")
        let required = account.fields.filter(\.isRequired).map(\.name)
        let owner = account.parentField(named: "Owner")?.name ?? ""
        let contacts = account.childRelationship(named: "Contacts")?.field ?? ""
        print(required, owner, contacts)
        // end

        // sample: docs/RestSDK.docc/DescribingObjects.md 2
        let industries = account.picklistValues(of: "Industry") ?? []
        print(industries.map(\.label))
        let cities = account.picklistValues(of: "City__c", where: "Canada")  // nil: this org has no such field
        // end
        if cities != nil { throw CocoaError(.featureUnsupported) }
    }

    private static func keep(_ client: RestClient, _ folder: String) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 3
        let catalog = ObjectDescription.Catalog(client, storage: .folder(folder), maximumAge: .seconds(3_600))
        let contact = try await catalog.object("Contact")
        print(contact.fields.count)
        // end
    }

    /// The platform, which has list views and actions of its own, where the embedded org has none.
    private static var platform: StubTransport {
        let stub = StubTransport()
        for body in [
            #"{"DailyApiRequests":{"Max":15000,"Remaining":14998}}"#, #"{"sObjects":[{"name":"Account","count":1}]}"#,
            #"{"done":true,"listviews":[{"id":"00B000000000001AAA","developerName":"AllAccounts"}]}"#,
            #"{"columns":[],"query":"SELECT Name FROM Account"}"#,
            #"{"totalSize":1,"done":true,"records":[{"Name":"A"}]}"#,
            #"[{"actionName":"emailSimple","errors":null,"isSuccess":true,"outputValues":{}}]"#,
        ] {
            stub.enqueue(body)
        }
        return stub
    }

    private static func look(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 4
        let limits = try await client.limits()
        print(limits.dailyAPIRequests?.remaining ?? 0)
        print(try await client.recordCounts(of: ["Account", "Contact"]))

        for view in try await client.send(.listViews(of: "Account")).payload["listviews"]?.array ?? [] {
            let definition = try await client.send(.describeListView(view["id"]?.string ?? "", of: "Account"))
            guard let query = definition.payload["query"]?.string else { continue }
            for try await record in client.records(SOQL(raw: query)) { print(record["Name"]?.string ?? "") }
        }

        let results = try await client.invoke(
            .standard("emailSimple"),
            [["emailAddresses": "ada@example.com", "emailSubject": "Hello", "emailBody": "…"]])
        for result in results { print(result.isSuccess, result.faults) }
        // end
    }

    private static func changes(_ client: RestClient, _ start: Date) async throws {
        // sample: docs/RestSDK.docc/DescribingObjects.md 5
        var position = RecordChanges.Window.Position(start)
        for try await window in client.changes(of: "Account", since: position) {
            print("gone:", window.deleted.map(\.id))
            let changed = try await client.retrieveAll("Account", ids: window.updated, fields: ["Id", "Name"])
            print("there:", changed.compactMap { $0?.id })
            position = window.position
        }
        // end
        if position.date <= start { throw CocoaError(.featureUnsupported) }
    }
}
