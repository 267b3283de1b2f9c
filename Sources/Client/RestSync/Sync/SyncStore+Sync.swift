// SPDX-License-Identifier: Apache-2.0

public import RestSDK
import RestSQLite
import SOQLStore
import Synchronization

extension SyncStore {
    /// Adds a subset of the org to the copy, and reads its records.
    ///
    /// A subset is a query with a condition, whose select list can have fields of direct parents and lists of direct
    /// children. Several subsets may overlap. Every sync reads the changes of all subsets. A record leaves the copy
    /// when no subset contains it and it has no pending change.
    ///
    /// - Parameters:
    ///   - subset: the query, with bound values.
    ///   - client: the client of the org.
    /// - Returns: the numbers of records. An interrupted pull continues at the next pull or sync.
    /// - Throws: ``SyncError/Code/subset`` for a query that is not a subset, ``SyncError/Code/request`` if a request
    ///   failed, and ``SyncError/Code/busy`` during another sync.
    @concurrent @discardableResult
    public func pull(_ subset: SOQL, with client: RestClient) async throws(SyncError) -> SyncReport {
        let numbers = try add(subset)
        return try await exclusively { () async throws(SyncError) in
            var run = SyncRun(self, client)
            try await run.identify()
            try await run.settle()
            for part in try self.parts(numbers) { try await run.pull(part) }
            run.report.pending = try self.pendingCount
            return run.report
        }
    }

    /// Brings the copy and the org to the same state: reads the changes of all subsets, merges them with the local
    /// changes, and sends these.
    ///
    /// A sync can be interrupted at any time, even by the end of the process, and run again. An edit made meanwhile is
    /// sent by this sync or the next one.
    ///
    /// - Parameter client: the client of the org.
    /// - Returns: the numbers of records and conflicts.
    /// - Throws: ``SyncError/Code/request`` if a request failed, and ``SyncError/Code/busy`` during another sync.
    @concurrent @discardableResult
    public func sync(with client: RestClient) async throws(SyncError) -> SyncReport {
        try await exclusively { () async throws(SyncError) in
            var run = SyncRun(self, client)
            try await run.identify()
            try await run.settle()
            for part in try self.parts() { try await run.pull(part) }
            run.report.removed += try self.purge()
            try await run.push()
            return run.report
        }
    }

    /// Removes a subset, and the records that no other subset contains and that have no pending change.
    public func remove(_ subset: SOQL) throws(SyncError) {
        try write { (connection) throws(OrgError) in
            let parts = """
                (SELECT p."Number" FROM "sync.Part" p JOIN "sync.Subset" s ON s."Number" = p."Subset" WHERE s."Query" = ?1)
                """
            let query = [SQLValue.text(subset.text)]
            try connection.change("DELETE FROM \"sync.Member\" WHERE \"Part\" IN \(parts)", query)
            try connection.change("DELETE FROM \"sync.Part\" WHERE \"Number\" IN \(parts)", query)
            try connection.change("DELETE FROM \"sync.Subset\" WHERE \"Query\" = ?1", query)
            try connection.change("INSERT OR REPLACE INTO \"sync.Value\" VALUES ('purge', '1')")
        }
        _ = try purge()
    }

    private func exclusively(
        _ body: () async throws(SyncError) -> SyncReport
    ) async throws(SyncError) -> SyncReport {
        let isFree = isSyncing.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw SyncError(.busy, "another sync of \(path) is in progress; wait for its end") }
        defer { isSyncing.withLock { $0 = false } }
        let before = try conflicts
        var report = try await body()
        report.conflicts = try conflicts.count { conflict in
            let known = before.first { $0.id == conflict.id || $0.recordID == conflict.recordID }
            return !Set(conflict.fields.map(\.name)).isSubset(of: known?.fields.map(\.name) ?? []) || known == nil
        }
        return report
    }
}

/// The result of a sync.
public struct SyncReport: Sendable, Hashable {
    /// The number of records that were read from the org and written to the copy.
    public internal(set) var pulled = 0
    /// The number of records that left the copy.
    public internal(set) var removed = 0
    /// The numbers of records that were created, updated and deleted on the server.
    public internal(set) var created = 0, updated = 0, deleted = 0
    /// The number of new conflicts, which are in ``SyncStore/conflicts``.
    public internal(set) var conflicts = 0
    /// The number of local changes that remain to be sent, without conflicts.
    public internal(set) var pending = 0
    /// The fields that the org no longer has, or that the user may no longer read, by object.
    public internal(set) var missingFields: [String: [String]] = [:]
    /// The number of requests.
    public internal(set) var requests = 0
}
