// SPDX-License-Identifier: Apache-2.0

extension RestClient {
    /// Bulk API 2.0 of the client's org: queries and loads too large for single requests, which the org runs as jobs.
    ///
    /// ```swift
    /// let export = try await client.bulk.query("SELECT Id, Name FROM Account").export(to: "accounts.csv")
    /// ```
    public var bulk: Bulk { Bulk(client: self) }
}

/// Bulk API 2.0 of one org: jobs that read or write any number of records.
///
/// A value that may be shared by any number of tasks.
public struct Bulk: Sendable {
    let client: RestClient

    /// A query that the org runs as a job; nothing is sent until it is read, exported or begun.
    ///
    /// The platform refuses aggregates, `GROUP BY`, `OFFSET`, `TYPEOF`, lists of children and compound fields in such
    /// a query.
    ///
    /// - Parameters:
    ///   - soql: the query; interpolated values are bound, never pasted.
    ///   - includingDeleted: whether deleted and archived records are seen.
    ///   - options: how it is asked for and waited for.
    /// - Returns: the query.
    public func query(
        _ soql: SOQL, includingDeleted: Bool = false, options: BulkQuery.Options = BulkQuery.Options()
    ) -> BulkQuery {
        BulkQuery(client: client, origin: .query(soql, includingDeleted: includingDeleted), options: options)
    }

    /// A query from a position on, which an iterator or an error gave, also in another process.
    ///
    /// - Parameters:
    ///   - position: where it stood.
    ///   - options: how it is waited for; the dialect is that of the job.
    /// - Returns: the query.
    public func query(
        from position: BulkPosition, options: BulkQuery.Options = BulkQuery.Options()
    ) -> BulkQuery {
        BulkQuery(client: client, origin: .position(position), options: options)
    }

    /// Records that are to be written, as jobs of a size that the org takes; nothing is sent until it is run.
    ///
    /// - Parameters:
    ///   - operation: what is to become of them.
    ///   - object: the object's name.
    ///   - rows: the records.
    ///   - journal: where the load notes what it did, and keeps its rows beside it, so that another process goes on
    ///     after a crash; without one they are in a temporary folder, and go with the load.
    ///   - options: how they are split and waited for.
    /// - Returns: the load.
    public func ingest(
        _ operation: BulkOperation, into object: String, from rows: BulkSource, journal: String? = nil,
        options: BulkLoad.Options = BulkLoad.Options()
    ) -> BulkLoad {
        BulkLoad(
            client: client, target: LoadTarget(operation: operation, object: object), source: rows, journal: journal,
            options: options)
    }

    /// How a job stands.
    ///
    /// - Throws: ``BulkError/Code/jobGone`` for one that the org does not know, or does not know any more.
    public func job(_ id: String, _ kind: BulkJob.Kind) async throws(BulkError) -> BulkJob {
        try await JobCalls(client: client, kind: kind).job(id)
    }

    /// The org's jobs of a kind, of all users that this one may see, in no certain order.
    public func jobs(_ kind: BulkJob.Kind) async throws(BulkError) -> [BulkJob] {
        try await JobCalls(client: client, kind: kind).all()
    }

    /// Ends a job; what it has done stays done.
    ///
    /// - Returns: how it stands then.
    @discardableResult
    public func abort(_ job: BulkJob) async throws(BulkError) -> BulkJob {
        try await JobCalls(client: client, kind: job.kind).set("Aborted", of: job.id)
    }

    /// Removes a job that has ended, and its results.
    public func delete(_ job: BulkJob) async throws(BulkError) {
        try await JobCalls(client: client, kind: job.kind).delete(job.id)
    }
}
