// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

extension Bulk {
    /// The way in which rows are read or written.
    public enum Way: String, Sendable, Hashable, Codable {
        /// Requests of the REST API: the pages of a query, or collections of up to 200 records.
        case rest
        /// Jobs of Bulk API 2.0, which the org runs on its own servers.
        case bulk
    }

    /// A way and the reason for it.
    public struct Choice: Sendable, Hashable, CustomStringConvertible {
        /// The reason for a choice.
        public enum Reason: Sendable, Hashable {
            /// The caller chose the way.
            case requested
            /// The number of rows, compared with the maximum number of rows for requests.
            case rows(Int, limit: Int)
            /// The org has fewer API calls left than requests would need.
            case calls(needed: Int, left: Int)
            /// The other way does not support something, such as `GROUP BY` or hard deletes.
            case unsupported(String)
            /// The org cannot divide a job with this clause, so that a large job can exceed its time limit.
            case undivided(String)
            /// The daily limit of the org with this name does not suffice for a job.
            case limit(String)
            /// The org did not run the job, with this message.
            case rejected(String)
        }

        /// The way.
        public let way: Way
        /// The reason.
        public let reason: Reason

        init(_ way: Way, _ reason: Reason) { (self.way, self.reason) = (way, reason) }

        /// The choice as text, for people and logs.
        public var description: String {
            let reason =
                switch reason {
                case .requested: "as requested"
                case .rows(let rows, let limit): "\(rows) rows, and requests are used for up to \(limit)"
                case .calls(let needed, let left): "requests need \(needed) API calls, and \(left) are left today"
                case .unsupported(let what): "\(what): not supported by \(way == .rest ? "jobs" : "collections")"
                case .undivided(let clause): "the org cannot divide a job with \(clause)"
                case .limit(let name): "the limit \(name) does not suffice"
                case .rejected(let message): "the org did not run the job: \(message)"
                }
            return "\(way == .rest ? "requests of the REST API" : "Bulk API 2.0") (\(reason))"
        }
    }

    /// The facts that decide between requests and jobs, as a value without I/O.
    package struct Estimate: Sendable, Hashable {
        /// The number of rows above which a job needs less time than the pages of a query: 25 pages.
        package static let mostRead = 50_000
        /// The number of rows above which Salesforce recommends jobs for writes.
        package static let mostWritten = 2_000
        /// The number of rows that a job writes in one batch of the daily limit.
        private static let rowsPerBatch = 10_000

        /// The number of rows, and the maximum number of rows for requests.
        package var rows: Int, limit: Int
        /// The number of API calls that requests would need, and the number that is left, if known.
        package var calls: Int, callsLeft: Int?
        /// The limit of the org that does not suffice for a job.
        package var shortage: String?
        private var obstacle: Choice.Reason?

        /// Estimates the rest of a query after its first page, which reports the number of rows.
        package init(
            reading query: SOQL, rows: Int, pageRows: Int, limit: Int = mostRead, callsLeft: Int? = nil,
            version: APIVersion = .current
        ) {
            (self.rows, self.limit, self.callsLeft) = (rows, limit, callsLeft)
            calls = max(0, rows - 1) / max(1, pageRows)
            obstacle = Self.obstacle(of: .query, version) ?? Self.obstacle(in: query.text)
        }

        /// Estimates a write of rows.
        package init(
            writing operation: BulkOperation, rows: Int, limit: Int = mostWritten, callsLeft: Int? = nil,
            version: APIVersion = .current
        ) {
            (self.rows, self.limit, self.callsLeft) = (rows, limit, callsLeft)
            // One call describes the object.
            calls = 1 + (rows + RestRequest.maximumRecords - 1) / RestRequest.maximumRecords
            obstacle = Self.obstacle(of: .ingest, version)
            isRestImpossible = operation == .hardDelete
        }

        private var isRestImpossible = false
        /// Whether a job can run the query.
        var isJobPossible: Bool { if case .unsupported? = obstacle { false } else { true } }

        /// The decision, for which impossible ways come first, then the amounts that are left, then the number of rows.
        package var choice: Choice {
            if isRestImpossible { return Choice(.bulk, .unsupported("hard deletes")) }
            if !isJobPossible, let obstacle { return Choice(.rest, obstacle) }
            if let shortage { return Choice(.rest, .limit(shortage)) }
            if let callsLeft, calls > callsLeft { return Choice(.bulk, .calls(needed: calls, left: callsLeft)) }
            if rows > limit, let obstacle { return Choice(.rest, obstacle) }
            return Choice(rows > limit ? .bulk : .rest, .rows(rows, limit: limit))
        }

        /// Records the first limit of the org that does not suffice for a job that reads or writes the rows.
        package mutating func compare(with limits: RestClient.OrgLimits, isWrite: Bool) {
            let batches = (rows + Self.rowsPerBatch - 1) / Self.rowsPerBatch
            let needs =
                isWrite
                ? [("DailyBulkApiBatches", batches)]
                : [("DailyBulkV2QueryJobs", 1), ("DailyBulkV2QueryFileStorageMB", 1)]
            shortage = needs.first { name, count in limits[name].map { $0.remaining < count } ?? false }?.0
        }

        private static func obstacle(of kind: BulkJob.Kind, _ version: APIVersion) -> Choice.Reason? {
            APIVersion.first(with: ["jobs", kind.rawValue]).flatMap { first in
                version < first ? .unsupported("API versions before \(first)") : nil
            }
        }

        /// The construct that a job rejects, or else the clause because of which the org does not divide the job.
        private static func obstacle(in text: String) -> Choice.Reason? {
            guard let query = try? SOQLQuery(parsing: text) else { return .unsupported("unknown syntax") }
            for item in query.select {
                switch item {
                case .field(.path, nil): continue
                case .field: return .unsupported("functions and aliases in SELECT")
                case .count: return .unsupported("COUNT()")
                case .children: return .unsupported("child queries")
                case .typeof: return .unsupported("TYPEOF")
                case .fields: return .unsupported("FIELDS()")
                }
            }
            if !query.groupBy.isEmpty { return .unsupported("GROUP BY") }
            if query.offset != nil { return .unsupported("OFFSET") }
            if let usage = query.usage { return .unsupported("FOR \(usage.value.rawValue)") }
            if !query.orderBy.isEmpty { return .undivided("ORDER BY") }
            return query.limit == nil ? nil : .undivided("LIMIT")
        }
    }
}

extension RestClient {
    /// Returns the choice for an estimate, after a comparison with the org's limits if it would be a job.
    func choice(_ estimate: Bulk.Estimate, isWrite: Bool) async -> Bulk.Choice {
        let first = estimate.choice
        guard first.way == .bulk, let limits = try? await send(.limits) else { return first }
        var estimate = estimate
        estimate.compare(with: limits, isWrite: isWrite)
        return estimate.choice
    }
}
