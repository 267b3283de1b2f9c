// SPDX-License-Identifier: Apache-2.0

import RestBase

extension RestClient {
    /// Bulk API 2.0 of the client's org, which runs large queries and loads as jobs.
    ///
    /// ```swift
    /// let export = try await client.bulk.query("SELECT Id, Name FROM Account").export(to: "accounts.csv")
    /// ```
    public var bulk: Bulk { Bulk(client: self) }
}

/// Bulk API 2.0 of one org.
///
/// Jobs read or write any number of records.
public struct Bulk: Sendable {
    let client: RestClient

    /// Returns a query that the org runs as a job.
    ///
    /// Nothing is sent until the query is read, exported or begun. The platform rejects aggregates, `GROUP BY`,
    /// `OFFSET`, `TYPEOF`, child queries and compound fields in such a query.
    ///
    /// - Parameters:
    ///   - soql: the query. Interpolated values are bound and escaped.
    ///   - includingDeleted: whether the result includes deleted and archived records.
    ///   - options: the format of the result and the waiting for the job.
    /// - Returns: the query.
    public func query(
        _ soql: SOQL, includingDeleted: Bool = false, options: BulkQuery.Options = BulkQuery.Options()
    ) -> BulkQuery {
        BulkQuery(client: client, origin: .query(soql, includingDeleted: includingDeleted), options: options)
    }

    /// Returns a query that continues at a position, also in another process.
    ///
    /// - Parameters:
    ///   - position: the position, from an iterator or an error.
    ///   - options: the waiting for the job. The dialect of the job is used.
    /// - Returns: the query.
    public func query(
        from position: BulkPosition, options: BulkQuery.Options = BulkQuery.Options()
    ) -> BulkQuery {
        BulkQuery(client: client, origin: .position(position), options: options)
    }

    /// Returns a load that writes records with as many jobs as it needs.
    ///
    /// Nothing is sent until the load is run.
    ///
    /// - Parameters:
    ///   - operation: the operation on the records.
    ///   - object: the name of the object.
    ///   - rows: the records.
    ///   - journal: the path of the journal, with which another process can continue the load after a crash. The load
    ///     keeps its rows next to it. If `nil`, both are in a temporary directory that is removed with the load.
    ///   - options: the size of the jobs and the waiting for them.
    /// - Returns: the load.
    public func ingest(
        _ operation: BulkOperation, into object: String, from rows: BulkSource, journal: String? = nil,
        options: BulkLoad.Options = BulkLoad.Options()
    ) -> BulkLoad {
        BulkLoad(
            client: client, target: LoadTarget(operation: operation, object: object), source: rows, journal: journal,
            options: options)
    }

    /// Returns the status of a job.
    ///
    /// - Throws: ``BulkError``, with ``BulkError/Code/jobGone`` if the org does not have the job.
    public func job(_ id: String, _ kind: BulkJob.Kind) async throws(BulkError) -> BulkJob {
        try await JobCalls(client: client, kind: kind).job(id)
    }

    /// Returns the org's jobs of a kind that this user can see, in no particular order.
    public func jobs(_ kind: BulkJob.Kind) async throws(BulkError) -> [BulkJob] {
        try await JobCalls(client: client, kind: kind).all()
    }

    /// Aborts a job, without undoing what it has written.
    ///
    /// - Returns: the status of the job afterwards.
    @discardableResult
    public func abort(_ job: BulkJob) async throws(BulkError) -> BulkJob {
        try await JobCalls(client: client, kind: job.kind).set("Aborted", of: job.id)
    }

    /// Deletes a job that has ended, and its results.
    public func delete(_ job: BulkJob) async throws(BulkError) {
        try await JobCalls(client: client, kind: job.kind).delete(job.id)
    }
}

/// The progress of an export or a load.
public struct BulkProgress: Sendable, Hashable {
    /// The number of rows that were read, from the org's result or from the source of the load.
    public internal(set) var rows = 0
    /// The number of rows that are in the file, or that the org has processed.
    public internal(set) var rowsProcessed = 0
    /// The number of records that the jobs have processed, as the org reports.
    ///
    /// An export reads its rows after the job has finished. Until then, this is the only number that grows.
    public internal(set) var recordsProcessed = 0
    /// The number of rows that the org has rejected.
    public internal(set) var rowsFailed = 0
    /// The number of bytes of rows that were written to the file, or sent.
    public internal(set) var bytes: Int64 = 0
    /// The number of jobs that were created, not counting abandoned jobs.
    public internal(set) var jobs = 0
    /// The number of jobs that have ended.
    public internal(set) var jobsEnded = 0

    init() {}
}

/// The operation of a load on its records.
public enum BulkOperation: Sendable, Hashable {
    /// Creates the records.
    case insert
    /// Changes the records. Each row has the column `Id`.
    case update
    /// Changes the record that has the row's value of an external id field, or creates it if it does not exist.
    case upsert(externalID: String)
    /// Moves the records to the recycle bin. `Id` is the only column of the rows.
    case delete
    /// Deletes the records permanently, which needs a permission. `Id` is the only column of the rows.
    case hardDelete

    var name: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .upsert: "upsert"
        case .delete: "delete"
        case .hardDelete: "hardDelete"
        }
    }

    package var externalID: String? { if case .upsert(let field) = self { field } else { nil } }
}

struct LoadTarget: Sendable {
    let operation: BulkOperation
    let object: String

    /// The maximum length of the header, in characters.
    static let longestHeader = 32_000
    static let mostColumns = 5_000

    /// Rejects column names because of which the org would reject all rows.
    func check(_ columns: [String]) throws(BulkError) {
        guard columns.count <= Self.mostColumns else {
            throw BulkError(.tooLarge, "there are \(columns.count) columns; Salesforce accepts \(Self.mostColumns)")
        }
        guard columns.reduce(columns.count, { $0 + $1.utf16.count }) <= Self.longestHeader else {
            throw BulkError(.tooLarge, "the names of the columns have more than \(Self.longestHeader) characters")
        }
        var seen: Set<String> = []
        for name in columns {
            guard !name.isBlank else { throw rejection("a column has no name", name) }
            guard seen.insert(name.lowercased()).inserted else {
                throw rejection("a column name is repeated; use each name once", name)
            }
        }
        switch operation {
        case .insert: break
        case .update: try require("Id", seen)
        case .upsert(let field): try require(field, seen)
        case .delete, .hardDelete:
            try require("Id", seen)
            if let other = columns.first(where: { $0.lowercased() != "id" }) {
                throw rejection("a deletion has only the column Id; remove the other columns", other)
            }
        }
    }

    private func require(_ name: String, _ columns: Set<String>) throws(BulkError) {
        guard columns.contains(name.lowercased()) else { throw rejection("the column is missing", name) }
    }

    private func rejection(_ what: String, _ column: String) -> BulkError { BulkError(.row, what, column: column) }
}
