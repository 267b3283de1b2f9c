// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSync

@testable import FieldService

/// An org, its client, and a directory for the file of a copy.
final class Sandbox: Sendable {
    let org: LocalOrg
    let client: RestClient
    let file: String
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cases-\(UUID().uuidString)")

    init() async throws {
        file = folder.appending(path: "cases.sqlite").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        org = try await LocalOrg.start()
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        let org = org
        Task { await org.stop() }
    }

    /// Opens and syncs the copy, and returns two editors of it.
    @MainActor
    func editors() async throws -> (online: Editor, offline: Editor) {
        let store = try await SyncStore.cases(in: file, from: client)
        _ = try await store.sync(with: client)
        let nowhere = try RestClient(loginURL: "http://127.0.0.1:9", clientID: "none", clientSecret: "none")
        return (Editor(store, Synchronizer(store, client)), Editor(store, Synchronizer(store, nowhere)))
    }

    /// The values of a field of a case in the org, by the case's number or subject.
    func values(of field: String, _ name: String) async throws -> [String?] {
        let query: SOQL = "SELECT \(raw: field) FROM Case WHERE CaseNumber = \(name) OR Subject = \(name)"
        return try await client.records(query).collect(limit: 100).map { $0[field]?.string }
    }

    func set(_ number: String, _ fields: JSONObject) async throws {
        guard let id = try await values(of: "Id", number).first ?? nil else { throw CancellationError() }
        _ = try await client.send(.update("Case", id: id, fields))
    }
}
