// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestJSON
import RestSDK

/// The calls that get the answers: one of each way in which the SDK reads an answer.
enum FuzzedCall {
    typealias Call = @Sendable (RestClient) async throws(RestError) -> Void

    private struct Row: Decodable, Sendable {
        let id: String?
        let amount: Double?
        let children: [Row]?
    }

    /// No walk over pages takes more records than this.
    private static let mostRecords = 10_000

    static let all: [Call] = [
        { (client) async throws(RestError) in _ = try await client.send(.query("SELECT Id FROM Account")) },
        { (client) async throws(RestError) in
            _ = try await client.records("SELECT Id, (SELECT Id FROM Contacts) FROM Account").collect(limit: mostRecords)
        },
        { (client) async throws(RestError) in
            _ = try await client.records("SELECT Id FROM Account", as: Row.self).collect(limit: mostRecords)
        },
        { (client) async throws(RestError) in try await walk(client) },
        { (client) async throws(RestError) in _ = try await client.send(.create("Account", ["Name": "x"])) },
        { (client) async throws(RestError) in _ = try await client.send(.update("Account", id: "001", ["Name": "x"])) },
        { (client) async throws(RestError) in
            _ = try await client.send(.upsert("Account", externalID: "Key__c", "1", ["Name": "x"]))
        },
        { (client) async throws(RestError) in _ = try await client.send(composite()) },
        { (client) async throws(RestError) in
            _ = try await client.send(BatchRequest([.limits, .query("SELECT Id FROM Account")]))
        },
        { (client) async throws(RestError) in
            _ = try await client.create([RecordDraft("Account", ["Name": "x"]), RecordDraft("Account", ["Name": "y"])])
        },
        { (client) async throws(RestError) in
            _ = try await client.retrieve("Account", ids: ["001000000000001AAA"], fields: ["Name"])
        },
        { (client) async throws(RestError) in _ = try await client.send(.search("FIND {x}")) },
        { (client) async throws(RestError) in _ = try await client.send(.versions) },
        { (client) async throws(RestError) in _ = try await client.send(.userInfo) },
        { (client) async throws(RestError) in _ = try await client.send(.singleAccess(to: "/lightning")) },
    ]

    /// Walks over pages, and takes the walk up again where it broke off.
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

    private static func composite() -> CompositeRequest {
        var composite = CompositeRequest(allOrNone: true)
        let account = composite.add(.create("Account", ["Name": "x"]), as: "account")
        composite.add(.create("Contact", ["LastName": "y", "AccountId": account["id"].json]), as: "contact")
        return composite
    }
}
