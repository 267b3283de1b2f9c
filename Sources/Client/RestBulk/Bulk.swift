// SPDX-License-Identifier: Apache-2.0

import RestBase

extension RestClient {
    /// Bulk API 2.0 of the client's org, for queries and loads that are too large for single requests.
    ///
    /// ```swift
    /// let export = try await client.bulk.query("SELECT Id, Name FROM Account").export(to: "accounts.csv")
    /// ```
    public var bulk: Bulk { Bulk(client: self) }
}

/// Bulk API 2.0 of one org, whose jobs read or write any number of records.
public struct Bulk: Sendable {
    let client: RestClient

    /// Creates a query that the org runs as a job.
    ///
    /// Nothing is sent until the query is read, exported or begun. The org rejects aggregates, `GROUP BY`, `OFFSET`,
    /// `TYPEOF`, lists of children and compound fields in a bulk query.
    ///
    /// - Parameters:
    ///   - soql: the query. Interpolated values are bound, never pasted.
    ///   - includingDeleted: whether the result includes deleted and archived records.
    ///   - options: the format and the page size of the result, and the timing of the polls.
    /// - Returns: the query.
    public func query(
        _ soql: SOQL, includingDeleted: Bool = false, options: BulkQuery.Options = BulkQuery.Options()
    ) -> BulkQuery {
        BulkQuery(client: client, origin: .query(soql, includingDeleted: includingDeleted), options: options)
    }

    /// Creates a query that resumes at a position from an iterator or an error, also in another process.
    ///
    /// - Parameters:
    ///   - position: the position in the results of the job.
    ///   - options: the page size and the timing of the polls. The dialect is that of the job.
    /// - Returns: the query.
    public func query(
        from position: BulkPosition, options: BulkQuery.Options = BulkQuery.Options()
    ) -> BulkQuery {
        BulkQuery(client: client, origin: .position(position), options: options)
    }

    /// Creates a load, which writes records with jobs of a size that the org accepts.
    ///
    /// Nothing is sent until the load is run.
    ///
    /// - Parameters:
    ///   - operation: the operation on the records.
    ///   - object: the object's name.
    ///   - rows: the records.
    ///   - journal: the path of the load's journal. Another process can resume the load from it after a crash. The rows
    ///     are stored next to it. If `nil`, they are in a temporary directory, which is removed with the load.
    ///   - options: the size of the jobs and the timing of the polls.
    /// - Returns: the load.
    public func ingest(
        _ operation: BulkOperation, into object: String, from rows: BulkSource, journal: String? = nil,
        options: BulkLoad.Options = BulkLoad.Options()
    ) -> BulkLoad {
        BulkLoad(
            client: client, target: LoadTarget(operation: operation, object: object), source: rows, journal: journal,
            options: options)
    }

    /// Requests the status of a job.
    ///
    /// - Throws: ``BulkError/Code/jobGone`` if the org does not know the job, or no longer knows it.
    public func job(_ id: String, _ kind: BulkJob.Kind) async throws(BulkError) -> BulkJob {
        try await JobCalls(client: client, kind: kind).job(id)
    }

    /// Requests all jobs of a kind that are visible to the user, in no particular order.
    public func jobs(_ kind: BulkJob.Kind) async throws(BulkError) -> [BulkJob] {
        try await JobCalls(client: client, kind: kind).all()
    }

    /// Aborts a job without undoing the work that it has done.
    ///
    /// - Returns: the status of the job after that.
    @discardableResult
    public func abort(_ job: BulkJob) async throws(BulkError) -> BulkJob {
        try await JobCalls(client: client, kind: job.kind).set("Aborted", of: job.id)
    }

    /// Deletes a finished job and its results.
    public func delete(_ job: BulkJob) async throws(BulkError) {
        try await JobCalls(client: client, kind: job.kind).delete(job.id)
    }
}

/// The progress of an export or a load.
public struct BulkProgress: Sendable, Hashable {
    /// The number of rows read from the org's result or from the source of a load.
    public internal(set) var rows = 0
    /// The number of rows written to the file of an export, or processed by the org.
    public internal(set) var rowsProcessed = 0
    /// The number of records that the jobs have processed, as reported by the org.
    ///
    /// An export reads its rows after the job has finished. Until then, this is the only number that grows.
    public internal(set) var recordsProcessed = 0
    /// The number of processed rows that the org rejected.
    public internal(set) var rowsFailed = 0
    /// The number of bytes of rows written to the file or sent.
    public internal(set) var bytes: Int64 = 0
    /// The number of jobs created, without abandoned jobs.
    public internal(set) var jobs = 0
    /// The number of finished jobs.
    public internal(set) var jobsEnded = 0

    init() {}
}

/// The operation of a load on its records.
public enum BulkOperation: Sendable, Hashable {
    /// Creates records.
    case insert
    /// Updates records, which the column `Id` identifies.
    case update
    /// Updates the record with the row's value of an external ID field, or creates a record if there is none.
    case upsert(externalID: String)
    /// Moves records to the recycle bin, for rows with the column `Id` only.
    case delete
    /// Deletes records permanently, for rows with the column `Id` only and a user with the permission to do so.
    case hardDelete

    /// Salesforce's name of the operation.
    var name: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .upsert: "upsert"
        case .delete: "delete"
        case .hardDelete: "hardDelete"
        }
    }

    var externalID: String? { if case .upsert(let field) = self { field } else { nil } }
}

struct LoadTarget: Sendable {
    let operation: BulkOperation
    let object: String

    /// The maximum length of the header, in characters.
    static let longestHeader = 32_000
    /// The maximum number of columns.
    static let mostColumns = 5_000

    /// Throws for columns with which the org would reject every row.
    func check(_ columns: [String]) throws(BulkError) {
        guard columns.count <= Self.mostColumns else {
            throw BulkError(.tooLarge, "there are \(columns.count) columns; the platform takes \(Self.mostColumns)")
        }
        guard columns.reduce(columns.count, { $0 + $1.utf16.count }) <= Self.longestHeader else {
            throw BulkError(.tooLarge, "the names of the columns have more than \(Self.longestHeader) characters")
        }
        var seen: Set<String> = []
        for name in columns {
            guard !name.isBlank else { throw refusal("a column has no name", name) }
            guard seen.insert(name.lowercased()).inserted else { throw refusal("a column stands twice", name) }
        }
        switch operation {
        case .insert: break
        case .update: try require("Id", seen)
        case .upsert(let field): try require(field, seen)
        case .delete, .hardDelete:
            try require("Id", seen)
            if let other = columns.first(where: { $0.lowercased() != "id" }) {
                throw refusal("a record is deleted by its id alone", other)
            }
        }
    }

    private func require(_ name: String, _ columns: Set<String>) throws(BulkError) {
        guard columns.contains(name.lowercased()) else { throw refusal("the column is missing", name) }
    }

    private func refusal(_ what: String, _ column: String) -> BulkError { BulkError(.row, what, column: column) }
}
