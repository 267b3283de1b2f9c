// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A query that the org runs as a job, whose result may be of any size.
///
/// It is a value: reading it makes a job, waits for it and reads its pages, none of which is ever whole in memory.
///
/// ```swift
/// for try await row in client.bulk.query("SELECT Id, Name FROM Account").rows { print(row["Name"] ?? "") }
/// ```
///
/// Reading it twice makes two jobs. ``begin()`` makes one, and gives the position before its first row.
public struct BulkQuery: Sendable {
    /// How a query is asked for, waited for and read.
    public struct Options: Sendable, Hashable {
        /// How the result's text is put together; its line ending is LF or CRLF.
        public var dialect: CSVDialect
        /// The most rows of a page; `nil` lets the org choose, which needs the fewest requests.
        public var pageRows: Int?
        /// How the job is waited for.
        public var patience: BulkPatience

        /// Makes options; every part has a default.
        public init(
            dialect: CSVDialect = .platform(), pageRows: Int? = nil, patience: BulkPatience = BulkPatience()
        ) {
            (self.dialect, self.pageRows, self.patience) = (dialect, pageRows, patience)
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

    /// Makes the job, and does not wait for it.
    ///
    /// - Returns: the position before its first row, for ``Bulk/query(from:options:)``.
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
            throw BulkError(.argument, "dialect: the platform has other delimiters, and rows end with LF or CRLF")
        }
        guard options.pageRows.map({ $0 > 0 }) ?? true else {
            throw BulkError(.argument, "pageRows: a page has one row at least")
        }
        return [
            "operation": JSONValue(includingDeleted ? "queryAll" : "query"), "query": JSONValue(query.text),
            "contentType": "CSV", "columnDelimiter": JSONValue(delimiter),
            "lineEnding": JSONValue((options.dialect.lineEnding ?? .lf).rawValue),
        ]
    }

    /// Makes the job if there is none, and waits for its end.
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
    /// The result's rows, in order.
    public var rows: BulkRows { BulkRows(query: self) }

    /// The result's rows as values of your own type, by the names of the columns; see `CSVRow.decode`.
    public func records<Row: Decodable & Sendable>(
        as type: Row.Type, options: CSVDecodingOptions = CSVDecodingOptions()
    ) -> BulkRecords<Row> {
        BulkRecords(rows: rows, options: options)
    }

    /// The result as one CSV text, piece by piece: the names of the columns once, then all rows.
    public var chunks: BulkChunks { BulkChunks(query: self) }
}

/// Where the results of a query job stand: enough to go on later, also in another process, without a row lost or read
/// twice.
///
/// The platform keeps the results for seven days.
public struct BulkPosition: Sendable, Hashable, Codable {
    /// The job's id.
    public let jobID: String
    /// The place of the page that is read, as the server names it; `nil` for the first one.
    public internal(set) var locator: String?
    /// How many bytes of the page, without its header, come before the position.
    public internal(set) var offset: Int
    /// How many rows of the whole result come before the position.
    public internal(set) var rows: Int
    /// The names of the columns, once a page was read.
    public internal(set) var columns: [String]?

    /// The position before the first row of a job.
    public init(job id: String) {
        (jobID, offset, rows) = (id, 0, 0)
    }

    /// Reads a position that was kept.
    ///
    /// - Throws: `DecodingError` when it holds a number that no result has.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        jobID = try values.decode(String.self, forKey: .jobID)
        locator = try values.decodeIfPresent(String.self, forKey: .locator)
        columns = try values.decodeIfPresent([String].self, forKey: .columns)
        let bytes = Int(outside: try values.decode(Int.self, forKey: .offset), in: .bytes)
        let count = Int(outside: try values.decode(Int.self, forKey: .rows), in: .count)
        guard let bytes, let count, jobID.isRecordID else {
            throw DecodingError.dataCorruptedError(
                forKey: .rows, in: values, debugDescription: "no result has that many")
        }
        (offset, rows) = (bytes, count)
    }
}
