// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import RestJSON
import RestSDK

/// The calls that get the responses, one for each way in which the SDK reads a response.
enum FuzzedCall: CaseIterable {
    case query, children, typed, walk, create, update, upsert, composite, batch, collection, retrieve, search, versions
    case userInfo, singleAccess, graphs, graphQL, describe, limits, changes, actions, code, bin, merge

    private struct Row: Decodable, Sendable {
        let id: String?
        let amount: Double?
        let children: [Row]?
    }

    /// The maximum number of records that are read from pages.
    private static let mostRecords = 10_000

    func run(_ client: RestClient) async throws(RestError) {
        switch self {
        case .query: _ = try await client.send(.query("SELECT Id FROM Account"))
        case .children:
            let query: SOQL = "SELECT Id, (SELECT Id FROM Contacts) FROM Account"
            _ = try await client.records(query).collect(limit: Self.mostRecords)
        case .typed:
            _ = try await client.records("SELECT Id FROM Account", as: Row.self).collect(limit: Self.mostRecords)
        case .walk: try await Self.walk(client)
        case .create: _ = try await client.send(.create("Account", ["Name": "x"]))
        case .update: _ = try await client.send(.update("Account", id: "001", ["Name": "x"]))
        case .upsert: _ = try await client.send(.upsert("Account", externalID: "Key__c", "1", ["Name": "x"]))
        case .composite: _ = try await client.send(Self.composite())
        case .batch: _ = try await client.send(Batch([.resources, .query("SELECT Id FROM Account")]))
        case .collection:
            let drafts = ["x", "y"].map { Record.Draft("Account", ["Name": JSONValue($0)]) }
            _ = try await client.send(.create(drafts))
        case .retrieve: _ = try await client.send(.retrieve("Account", ids: ["001000000000001AAA"], fields: ["Name"]))
        case .search: _ = try await client.send(.search("FIND {x}"))
        case .versions: _ = try await client.send(.versions)
        case .userInfo: _ = try await client.send(.userInfo)
        case .singleAccess: _ = try await client.send(.singleAccess(to: "/lightning"))
        case .graphs:
            var graphs = Composite.Graphs()
            graphs.add(Self.composite(), as: "graph")
            _ = try await client.send(graphs).get()
        case .graphQL: try await Self.nodes(client)
        case .describe: Self.look(at: try await client.send(.describe("Account")))
        case .limits:
            _ = try await client.send(.limits)
            _ = try await client.send(.recordCounts())
        case .changes: try await Self.changes(client)
        case .actions: _ = try await client.send(.invoke(.standard("emailSimple"), [[:]]))
        case .code: try await client.send(.executeAnonymous("x();")).get()
        case .bin: _ = try await client.send(.undelete(ids: ["001000000000001AAA"]))
        case .merge:
            let (other, master) = ("001000000000001AAA", "001000000000002AAA")
            _ = try await client.send(.merge("Account", ids: [other], into: master))
        }
    }

    /// Reads pages, and resumes after an error if it has a position.
    private static func walk(_ client: RestClient) async throws(RestError) {
        do throws(RestError) {
            try await take(client.pages("SELECT Id FROM Account"))
        } catch {
            guard let position = error.queryPosition else { throw error }
            require(position.totalSize >= 0 && position.recordCount >= 0, "a position from 0")
            try await take(client.pages(from: position))
        }
    }

    private static func take(_ pages: QueryPages) async throws(RestError) {
        var count = 0
        var iterator = pages.makeAsyncIterator()
        while count <= mostRecords, let page = try await iterator.next() {
            require(page.totalSize >= 0, "a total from 0")
            count += page.records.count
        }
    }

    private static func nodes(_ client: RestClient) async throws(RestError) {
        let response = try await client.send(GraphQL("{ a }"))
        require(response.errors.count <= APIFault.mostFaults, "as many errors as are read")
    }

    private static func changes(_ client: RestClient) async throws(RestError) {
        let start = RecordChanges.Window.Position(Date(timeIntervalSince1970: 1_800_000_000))
        var last = start.date
        var iterator = client.changes(
            of: "Account", since: start, until: last.addingTimeInterval(100 * 86_400)
        ).makeAsyncIterator()
        while let window = try await iterator.next() {
            require(window.start < window.end && window.end > last, "windows that go on")
            last = window.end
        }
    }

    /// Uses all properties of an object description.
    private static func look(at description: ObjectDescription) {
        for field in description.fields {
            require(description[field.name] != nil, "a field under its name")
            for value in [nil, "true", "x"] as [String?] {
                let values = description.picklistValues(of: field.name, where: value) ?? []
                require(values.count <= (description[field.name]?.picklistValues.count ?? 0), "no value twice")
            }
        }
    }

    private static func composite() -> Composite {
        var composite = Composite(allOrNone: true)
        let account = composite.add(.create("Account", ["Name": "x"]), as: "account")
        let id = account["id"]
        composite.add(.create("Contact", ["LastName": "y", "AccountId": id.json]), as: "contact", using: [id])
        return composite
    }
}
