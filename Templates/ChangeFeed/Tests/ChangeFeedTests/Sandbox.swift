// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestEvents
import Synchronization

@testable import ChangeFeed

/// An org, a client of the org, and a file for the copy of its accounts.
final class Sandbox: Sendable {
    static let fields = ["Id", "Name", "Industry", "NumberOfEmployees", "BillingCity"]

    let org: LocalOrg
    let client: RestClient
    let file: String
    private let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString)")
    /// The steps of all feeds in this process.
    let reports = Mutex<[String]>([])

    init(records: Int = 0) async throws {
        file = folder.appending(path: "accounts.sqlite").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        org = try await LocalOrg.start(LocalOrgConfiguration(records: records))
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        let org = org
        Task { await org.stop() }
    }

    /// Starts a feed, which ends after a number of changes.
    func feed(changes: Int? = nil, pageSize: Int = 500) -> Task<Void, any Error> {
        Task {
            let replica = try Replica(of: "Account", fields: Self.fields, in: file)
            let feed = Feed(client: client, replica: replica, pageSize: pageSize) { [weak self] report in
                self?.reports.withLock { $0.append("\(report)") }
            }
            try await feed.run(changes: changes)
        }
    }

    /// The number of full reads.
    var copies: Int { reports.withLock { $0.count { $0.hasSuffix("records read") } } }

    /// Waits until a condition is met, or until the time limit of the tests.
    func wait(until isMet: () async throws -> Bool) async throws {
        while try await !isMet() { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// The rows of the copy, by ID.
    func copied() throws -> [[Database.Value]] {
        try Database(path: file).rows("SELECT * FROM Account ORDER BY Id")
    }

    /// The org's records as rows, as the copy should have them.
    func expected() async throws -> [[Database.Value]] {
        let query: SOQL = "SELECT Id, Name, Industry, NumberOfEmployees, BillingCity FROM Account ORDER BY Id"
        return try await client.records(query).collect(limit: 100_000).map { record in
            Self.fields.map { field in
                record[field]?.string.map { .text($0) } ?? record[field]?.int.map { .integer(Int64($0)) } ?? .null
            }
        }
    }

    /// Makes eight changes: four new records, of which two are changed, one twice, and one is deleted.
    func change(_ round: Int) async throws {
        let created = try await client.send(
            .create((0..<4).map { Record.Draft("Account", ["Name": JSONValue("Round \(round), \($0)")]) })
        ).get()
        _ = try await client.send(
            .update("Account", id: created[0], ["Name": JSONValue("Changed \(round)"), "NumberOfEmployees": 7]))
        _ = try await client.send(.update("Account", id: created[0], ["NumberOfEmployees": nil]))
        _ = try await client.send(.update("Account", id: created[1], ["BillingCity": "Oslo", "Industry": "Energy"]))
        _ = try await client.send(.delete(ids: [created[2]], allOrNone: true)).get()
    }

    static let changesOfRound = 8
}
