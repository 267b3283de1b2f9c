// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

@testable import SyncJob

/// An org, a client of the org, and a file for the copy of its accounts.
final class Sandbox: Sendable {
    static let fields = ["Id", "Name", "Industry", "NumberOfEmployees"]

    let org: LocalOrg
    let client: RestClient
    let file = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID().uuidString).sqlite").path

    init(records: Int = 0) async throws {
        org = try await LocalOrg.start(LocalOrgConfiguration(records: records))
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    deinit {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
        let org = org
        Task { await org.stop() }
    }

    func replica() throws -> Replica {
        try Replica(of: "Account", fields: Self.fields, in: Database(path: file))
    }

    func synchronizer(pageSize: Int = 500) throws -> Synchronizer {
        Synchronizer(client: client, replica: try replica(), pageSize: pageSize)
    }

    /// The rows of the copy, by ID.
    func copied() throws -> [[Database.Value]] {
        try Database(path: file).rows("SELECT * FROM Account ORDER BY Id")
    }

    /// The org's records as rows, as the copy should have them.
    func expected() async throws -> [[Database.Value]] {
        let query: SOQL = "SELECT Id, Name, Industry, NumberOfEmployees FROM Account ORDER BY Id"
        return try await client.records(query).collect(limit: 100_000).map { record in
            Self.fields.map { field in
                record[field]?.string.map { .text($0) } ?? record[field]?.int.map { .integer(Int64($0)) } ?? .null
            }
        }
    }

    func change(_ round: Int) async throws {
        let created = try await client.send(
            .create(
                (0..<4).map { Record.Draft("Account", ["Name": JSONValue("Round \(round), \($0)")]) }
            )
        ).get()
        _ = try await client.send(
            .update("Account", id: created[0], ["Name": JSONValue("Changed \(round)"), "NumberOfEmployees": 7]))
        _ = try await client.send(.delete(ids: [created[1], created[2]], allOrNone: true)).get()
    }
}
