// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A query that the org runs as a job, with a result of any size.
///
/// Reading the query creates a job, waits for its end and reads its pages. A page is never completely in memory.
///
/// ```swift
/// for try await row in client.bulk.query("SELECT Id, Name FROM Account").rows { print(row["Name"] ?? "") }
/// ```
///
/// Reading the query twice creates two jobs. ``begin()`` creates one job, and returns the position before its first
/// row.
public struct BulkQuery: Sendable {
    /// The format of the result and the waiting for the job.
    public struct Options: Sendable, Hashable {
        /// The CSV format of the result, whose line ending is LF or CRLF.
        public var dialect: CSVDialect
        /// The maximum number of rows of a page, or `nil` to let the org choose, which needs the fewest requests.
        public var pageRows: Int?
        /// The waiting for the job.
        public var patience: BulkPatience
        /// The maximum number of rows of a result that is read by pages of the REST API if the way is chosen by size.
        public var requestLimit: Int

        /// Creates options, each of which has a default.
        public init(
            dialect: CSVDialect = .platform(), pageRows: Int? = nil, patience: BulkPatience = BulkPatience(),
            requestLimit: Int = 50_000
        ) {
            (self.dialect, self.pageRows, self.patience) = (dialect, pageRows, patience)
            self.requestLimit = requestLimit
        }
    }

    enum Origin: Sendable {
        case query(SOQL, includingDeleted: Bool)
        case position(BulkPosition)
    }

    let client: RestClient
    let origin: Origin
    let options: Options

    var calls: JobCalls { JobCalls(client: client, kind: .query) }

    /// Creates the job without waiting for its end.
    ///
    /// - Returns: the position before the first row, for ``Bulk/query(from:options:)``.
    /// - Throws: ``BulkError``.
    public func begin() async throws(BulkError) -> BulkPosition {
        switch origin {
        case .position(let position): return position
        case .query(let query, let includingDeleted):
            let body = try body(query, includingDeleted: includingDeleted)
            do throws(RestError) {
                return BulkPosition(job: try BulkJob.reading(await calls.create(body), .query).get().id)
            } catch {
                throw BulkError(error, job: nil)
            }
        }
    }

    private func body(_ query: SOQL, includingDeleted: Bool) throws(BulkError) -> JSONObject {
        if let problem = query.problem { throw BulkError(.argument, "soql: \(problem)") }
        guard let delimiter = options.dialect.delimiter.platformName, options.dialect.lineEnding != .cr else {
            throw BulkError(
                .argument,
                "dialect: unsupported delimiter or line ending; use comma, tab, semicolon, pipe, caret or backquote, and LF or CRLF"
            )
        }
        guard options.pageRows.map({ $0 > 0 }) ?? true else {
            throw BulkError(.argument, "pageRows: must be at least 1")
        }
        return [
            "operation": JSONValue(includingDeleted ? "queryAll" : "query"), "query": JSONValue(query.text),
            "contentType": "CSV", "columnDelimiter": JSONValue(delimiter),
            "lineEnding": JSONValue((options.dialect.lineEnding ?? .lf).rawValue),
        ]
    }

    /// Creates the job if it does not exist, and waits for its end.
    func reader() async throws(BulkError) -> (reader: ResultReader, job: BulkJob) {
        let position = try await begin()
        let job = try await ended(position)
        return (ResultReader(job, from: position, calls, options), job)
    }

    func ended(
        _ position: BulkPosition, report: (BulkJob) -> Void = { _ in }
    ) async throws(BulkError) -> BulkJob {
        do throws(BulkError) {
            let watch = JobWatch(calls: calls, patience: options.patience)
            let job = try await watch.end(of: position.jobID, report: report)
            if let failure = BulkJob.failure(job.state, job.errorMessage, job: job.id) { throw failure }
            return job
        } catch {
            throw error.at(position)
        }
    }
}

extension BulkQuery {
    /// The rows of the result, in order.
    public var rows: BulkRows { BulkRows(query: self) }

    /// Returns the rows of the result as values of a `Decodable` type, by column name (see `CSVRow.decode`).
    public func records<Row: Decodable & Sendable>(
        as type: Row.Type, options: CSVDecodingOptions = CSVDecodingOptions()
    ) -> BulkRecords<Row> {
        BulkRecords(rows: rows, options: options)
    }

    /// The result as one CSV text in chunks: the header once, then all rows.
    public var chunks: BulkChunks { BulkChunks(query: self) }
}

/// A position in the results of a query job.
///
/// Reading can continue there, also in another process, without a row lost or read twice. The platform keeps results
/// for seven days.
public struct BulkPosition: Sendable, Hashable, Codable {
    /// The id of the job.
    public let jobID: String
    /// The server's locator of the current page, or `nil` for the first page.
    public internal(set) var locator: String?
    /// The number of bytes of the page before the position, not counting the header.
    public internal(set) var offset: Int
    /// The number of rows of the whole result before the position.
    public internal(set) var rows: Int
    /// The names of the columns, or `nil` before a page was read.
    public internal(set) var columns: [String]?

    /// The position before the first row of a job.
    public init(job id: String) { (jobID, offset, rows) = (id, 0, 0) }

    /// Decodes a saved position.
    ///
    /// - Throws: `DecodingError` if a number or the id is invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        jobID = try values.decode(String.self, forKey: .jobID)
        locator = try values.decodeIfPresent(String.self, forKey: .locator)
        columns = try values.decodeIfPresent([String].self, forKey: .columns)
        let bytes = Int(outside: try values.decode(Int.self, forKey: .offset), in: .bytes)
        let count = Int(outside: try values.decode(Int.self, forKey: .rows), in: .count)
        guard let bytes, let count, jobID.isRecordID else {
            throw DecodingError.dataCorruptedError(
                forKey: .rows, in: values, debugDescription: "the number is out of range")
        }
        (offset, rows) = (bytes, count)
    }
}
