// SPDX-License-Identifier: Apache-2.0

import RestBase

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

/// How far an export or a load is.
public struct BulkProgress: Sendable, Hashable {
    /// The rows that were read: of the org's result, or of those that are to be loaded.
    public internal(set) var rows = 0
    /// The rows that are in the file, or that the org has worked on.
    public internal(set) var rowsProcessed = 0
    /// The records that the jobs have processed, as the org reports.
    ///
    /// An export reads its rows after the job has finished. Until then, this is the only number that grows.
    public internal(set) var recordsProcessed = 0
    /// How many of those that the org has worked on it refused.
    public internal(set) var rowsFailed = 0
    /// The bytes of rows that were written to the file, or sent.
    public internal(set) var bytes: Int64 = 0
    /// The jobs that were made, those that were given up not counted.
    public internal(set) var jobs = 0
    /// How many of them have ended.
    public internal(set) var jobsEnded = 0

    /// Nothing was done yet.
    init() {}
}

/// What becomes of the records of a load.
public enum BulkOperation: Sendable, Hashable {
    /// They are created.
    case insert
    /// They are changed; each row has the column `Id`.
    case update
    /// They are changed where a record has the value of an external id field, and created where none has.
    case upsert(externalID: String)
    /// They go to the recycle bin; the rows have the column `Id` alone.
    case delete
    /// They are gone for good, where the user may do that; the rows have the column `Id` alone.
    case hardDelete

    /// The platform's word for it.
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

/// What a load is to do.
struct LoadTarget: Sendable {
    let operation: BulkOperation
    let object: String

    /// The longest header, in characters.
    static let longestHeader = 32_000
    /// The most columns.
    static let mostColumns = 5_000

    /// Refuses names of columns with which the org would refuse all rows.
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
            guard seen.insert(name.lowercased()).inserted else { throw refusal("a column name is repeated", name) }
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
