// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// Copies an object's records to a table, and then applies later changes to the copy.
actor Synchronizer {
    /// The result of a round.
    struct Tally: Equatable, Sendable {
        var written = 0
        var deleted = 0
    }

    private let client: RestClient
    private let replica: Replica
    private let pageSize: Int

    /// Creates a synchronizer.
    ///
    /// - Parameters:
    ///   - client: the client of the org.
    ///   - replica: the table.
    ///   - pageSize: the number of records that the first copy reads in one call and writes in one transaction.
    init(client: RestClient, replica: sending Replica, pageSize: Int = 500) {
        (self.client, self.replica, self.pageSize) = (client, replica, pageSize)
    }

    /// Resumes at the progress of the copy, until the copy is up to date.
    ///
    /// If the org no longer knows the changes since then, all records are read again.
    func catchUp() async throws -> Tally {
        var tally = Tally()
        var hasStartedOver = false
        var progress = try replica.progress ?? replica.start()
        while true {
            do {
                guard let next = try await step(from: progress, &tally) else { return tally }
                progress = next
            } catch let error as RestError where error.code == .changesForgotten && !hasStartedOver {
                hasStartedOver = true
                progress = try replica.start(since: error.changesPosition ?? .init(.now))
            }
        }
    }

    /// Copies one page or applies the latest changes, or returns `nil` if nothing is left to do.
    private func step(from progress: Progress, _ tally: inout Tally) async throws -> Progress? {
        switch progress {
        case .copying(let last, let position):
            return try await copyPage(after: last, since: position, &tally)
        case .following(let position):
            try await follow(from: position, &tally)
            return nil
        }
    }

    private func copyPage(
        after last: String?, since position: RecordChanges.Window.Position, _ tally: inout Tally
    ) async throws -> Progress {
        let id: SOQL.Field = "Id"
        var page = SOQL.Select(replica.object, replica.fields.map { SOQL.Field($0) }).order(by: id).limit(pageSize)
        if let last { page = page.where(id > last) }
        let records = try await client.records(SOQL(page)).collect(limit: pageSize)
        let next =
            records.count < pageSize
            ? Progress.following(position) : .copying(after: records.last?.id, since: position)
        try replica.apply(
            written: records, deleted: [], from: .copying(after: last, since: position), to: next)
        tally.written += records.count
        return next
    }

    private func follow(from position: RecordChanges.Window.Position, _ tally: inout Tally) async throws {
        var progress = Progress.following(position)
        for try await window in client.changes(of: replica.object, since: position) {
            let records = try await client.retrieveAll(replica.object, ids: window.updated, fields: replica.fields)
            // Records that can no longer be read have been deleted in the meantime.
            let gone = zip(window.updated, records).filter { $0.1 == nil }.map(\.0)
            let deleted = window.deleted.map(\.id) + gone
            let written = records.compactMap(\.self)
            let next = Progress.following(window.position)
            try replica.apply(written: written, deleted: deleted, from: progress, to: next)
            progress = next
            tally.written += written.count
            tally.deleted += deleted.count
        }
    }
}
