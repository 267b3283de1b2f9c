// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestSDK
import RestSQLite
import SOQLStore
import Synchronization

extension SyncStore {
    /// Adds a subset of the org to the copy, without a network.
    ///
    /// The next sync reads its records. If the copy has the subset, nothing happens.
    ///
    /// - Parameter subset: the query, with bound values, as ``pull(_:with:)`` takes it.
    /// - Throws: ``SyncError/Code/subset`` for a query that is not a subset.
    public func add(_ subset: SOQL) throws(SyncError) { _ = try parts(of: subset) }

    /// Adds a subset of the org to the copy, and reads its records.
    ///
    /// A subset is a query with a condition, whose select list can have fields of parents and lists of children, to any
    /// depth. Several subsets may overlap. Every sync reads the changes of all subsets. A record leaves the copy
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
        if let problem = subset.problem { throw SyncError(.subset, problem) }
        _ = try SubsetQuery(subset.text, schema)
        return try await exclusively { () async throws(SyncError) in
            var run = SyncRun(self, client)
            try await run.identify()
            // After the check, so that another account leaves nothing in the copy.
            let numbers = try self.parts(of: subset)
            try await run.settle()
            let parts = try self.parts(numbers)
            for part in parts { try await run.pull(part) }
            try await run.pullFiles(parts)
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
    /// - Parameters:
    ///   - client: the client of the org.
    ///   - progress: called with the numbers so far, whenever they change.
    /// - Returns: the numbers of records and conflicts.
    /// - Throws: ``SyncError/Code/request`` if a request failed, and ``SyncError/Code/busy`` during another sync.
    @concurrent @discardableResult
    public func sync(
        with client: RestClient, progress: @escaping @Sendable (SyncReport) -> Void = { _ in }
    ) async throws(SyncError) -> SyncReport {
        try await sync(with: client, isLive: false, progress)
    }

    package func sync(
        with client: RestClient, isLive: Bool, _ progress: @escaping @Sendable (SyncReport) -> Void = { _ in }
    ) async throws(SyncError) -> SyncReport {
        try await exclusively(isLive: isLive) { () async throws(SyncError) in
            var run = SyncRun(self, client, progress)
            try await run.identify()
            try await run.settle()
            try await run.pullAll()
            run.report.removed += try self.purge()
            try await run.push()
            try await run.pullFiles(try self.parts())
            try self.write { (connection) throws(OrgError) in
                try connection.change(
                    "INSERT OR REPLACE INTO \"sync.Value\" VALUES ('synced', ?1)",
                    [.text(String(WireTime.milliseconds / 1_000))])
            }
            return run.report
        }
    }

    /// Removes a subset, and the records that no other subset contains and that have no pending change.
    public func remove(_ subset: SOQL) throws(SyncError) {
        try write { (connection) throws(OrgError) in
            let parts = """
                (SELECT p."Number" FROM "sync.Part" p JOIN "sync.Subset" s ON s."Number" = p."Subset" WHERE s."Query" = ?1)
                """
            let query = [SQLValue.text(SubsetQuery.canonical(subset.text))]
            try connection.change("DELETE FROM \"sync.Member\" WHERE \"Part\" IN \(parts)", query)
            try connection.change("DELETE FROM \"sync.Part\" WHERE \"Number\" IN \(parts)", query)
            try connection.change("DELETE FROM \"sync.Subset\" WHERE \"Query\" = ?1", query)
            try Outbox.requestPurge(connection)
        }
        _ = try purge()
    }

    /// Runs the body while no other sync runs.
    ///
    /// A live copy waits for a sync. A sync waits only for the changes that a live copy is reading.
    func exclusively(
        isLive: Bool = false, _ body: () async throws(SyncError) -> SyncReport
    ) async throws(SyncError) -> SyncReport {
        try checkWritable()
        while let (end, isLiveWork) = turn.withLock({ $0.begin(isLive: isLive) }) {
            guard isLive || isLiveWork else {
                throw SyncError(.busy, "another sync of \(path) is in progress; wait for its end")
            }
            await end.value(ifCancelled: ())
            if Task.isCancelled { throw SyncError(RestError(.cancelled, "the task was cancelled")) }
        }
        defer {
            turn.withLock { $0.end() }
            makeIndexes()
        }
        let before = try conflicts
        var report = try await body()
        report.conflicts = try conflicts.count { conflict in
            let known = before.first { $0.id == conflict.id || $0.recordID == conflict.recordID }
            return !Set(conflict.fields.map(\.name)).isSubset(of: known?.fields.map(\.name) ?? []) || known == nil
        }
        return report
    }
}

/// The sync that may run now.
struct SyncTurn {
    private var current: (end: AwaitedValue<Void>, isLive: Bool)?

    /// Begins a sync, or returns the one in progress.
    mutating func begin(isLive: Bool) -> (end: AwaitedValue<Void>, isLive: Bool)? {
        if let current { return current }
        current = (AwaitedValue(), isLive)
        return nil
    }

    mutating func end() {
        current?.end.resolve(())
        current = nil
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
    /// The objects whose descriptions in the org differ from the schema, with the names of the fields that differ.
    ///
    /// A list is empty if the org does not have the object. New fields of the org are no difference. Describe the
    /// objects again, and open the copy with the new schema.
    public internal(set) var outdatedObjects: [String: [String]] = [:]
    /// The subsets that were not read, because the schema no longer has their object or a field of their condition.
    ///
    /// Their records stay in the copy. Remove the subsets, and pull others.
    public internal(set) var unusableSubsets: [String] = []
    /// The objects of which a Bulk 2.0 job has read records.
    ///
    /// The first read of a part with more than ``SyncStore/Options/exportLimit`` records is such a job. All other
    /// records were read page by page.
    public internal(set) var exportedObjects: Set<String> = []
    /// The number of files that were downloaded for subsets.
    public internal(set) var files = 0
    /// The ids of records whose files the server did not give, which the next sync requests again.
    public internal(set) var missingFiles: [String] = []
    /// The number of requests, in which a Bulk job counts as one.
    public internal(set) var requests = 0
}
