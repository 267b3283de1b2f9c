// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error thrown when a bulk query, export or load fails.
public struct BulkError: Error, Sendable {
    /// The kind of error, an open set to which kinds may be added, so a `switch` needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// A request failed with the error in ``BulkError/rest``.
        public static let request = Code(description: "request")
        /// The task was cancelled or the client was shut down, while jobs continue in the org.
        public static let cancelled = Code(description: "cancelled")
        /// The job did not finish within the caller's time limit, and continues in the org.
        public static let timedOut = Code(description: "timed-out")
        /// The org reported that the job failed.
        public static let jobFailed = Code(description: "job-failed")
        /// The job was aborted by a user or an app.
        public static let jobAborted = Code(description: "job-aborted")
        /// The org does not know the job, or has deleted it, as it does seven days after the job.
        public static let jobGone = Code(description: "job-gone")
        /// The results were requested with a version of the API that is not the job's.
        public static let otherVersion = Code(description: "other-version")
        /// The org does not know the position in the results, or no longer knows it.
        public static let deadLocator = Code(description: "dead-locator")
        /// The server's responses contradict each other or are not of Bulk API 2.0.
        public static let answer = Code(description: "answer")
        /// A row or a header cannot be sent or read, see ``BulkError/row`` and ``BulkError/column``.
        public static let row = Code(description: "row")
        /// A row, a field or a header exceeds a limit of Salesforce.
        public static let tooLarge = Code(description: "too-large")
        /// The source of the rows failed with the error in ``BulkError/underlying``.
        public static let source = Code(description: "source")
        /// The rows differ from the rows of the load in the journal.
        public static let sourceChanged = Code(description: "source-changed")
        /// The journal cannot be used: another process has locked it, it belongs to other work, or the disk failed.
        public static let journal = Code(description: "journal")
        /// A file cannot be read or written.
        public static let file = Code(description: "file")
        /// An argument is invalid.
        public static let argument = Code(description: "argument")
    }

    /// The kind of error.
    public let code: Code
    /// The description of the problem, without contents of records.
    public let message: String
    /// The ID of the job with the error.
    public internal(set) var jobID: String?
    /// The number of the row with the error, starting at 1, without the header.
    ///
    /// The rows counted are the rows given to a load, or the rows of the whole result of a query.
    public internal(set) var row: Int?
    /// The name of the column with the error.
    public internal(set) var column: String?
    /// The position from which a query can be resumed.
    public internal(set) var position: BulkPosition?
    /// The progress of a load before the error.
    public internal(set) var progress: BulkProgress?
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// The error of the failed request, if a request failed.
    public var rest: RestError? { underlying as? RestError }

    init(
        _ code: Code, _ message: String, job: String? = nil, row: Int? = nil, column: String? = nil,
        underlying: (any Error)? = nil
    ) {
        (self.code, self.message, jobID) = (code, message, job)
        (self.row, self.column, self.underlying) = (row, column, underlying)
    }
}

extension BulkError: LocalizedError {
    /// The recommended action in one or two sentences.
    public var advice: String {
        switch code {
        case .cancelled: "Run it again with the same journal to continue. Jobs may still be running in the org."
        case .timedOut: "Run it again with the same journal to continue, or allow the job more time."
        case .jobFailed: "Fix what the message says, then run it again. Rows that were written stay written."
        case .jobAborted: "Find out why the job was aborted, then run it again. Rows that were written stay written."
        case .jobGone: "Start a new job. The org keeps jobs and their results for seven days."
        case .otherVersion: "Use RestClient.Configuration.apiVersion of the job."
        case .deadLocator: "Run the query again. The server no longer keeps its results."
        case .row, .tooLarge: "Fix the row, then run it again."
        case .source: "Fix the source of the rows. BulkError.underlying is the error that it threw."
        case .sourceChanged: "Restore the rows that the load began with, or use a new journal for a new load."
        case .journal: "Use another journal, or check its directory and the processes that use it."
        case .file where rest == nil: "Check the file, its permissions and the free space on its disk."
        case .argument: "Fix the argument named above. Nothing was sent."
        case .answer where rest == nil: "Check the proxies between this machine and the org, then run it again."
        default: rest?.advice ?? "Look at BulkError.underlying."
        }
    }

    /// The description, as `localizedDescription` returns it.
    public var errorDescription: String? { description }

    /// The recovery suggestion, which is ``advice``.
    public var recoverySuggestion: String? { advice }
}

extension BulkError: CustomStringConvertible {
    /// A description with the code, the message and the position of the error.
    public var description: String {
        var text = "\(code): \(message)"
        let places = [
            row.map { "row \($0)" }, column.map { "column \($0)" }, jobID.map { "job \($0)" },
            progress.map { "\($0.rowsProcessed) of \($0.rows) rows were processed before" },
        ].compactMap(\.self)
        if !places.isEmpty { text += " [\(places.joined(separator: ", "))]" }
        return text
    }
}

extension BulkError {
    init(_ error: RestError, job: String?) {
        let code: Code =
            switch (error.code, error.status) {
            case (.cancelled, _), (.shutDown, _): .cancelled
            case (.notFound, _) where job != nil: .jobGone
            case (_, 409) where job != nil: .otherVersion
            case (.file, _), (.bodyChanged, _): .file
            case (.decoding, _): .answer
            case _ where error.faults.contains { $0.errorCode.rawValue == "INVALID_QUERY_LOCATOR" }: .deadLocator
            default: .request
            }
        let message = code == .jobGone ? "the org does not know the job: \(error.message)" : error.message
        self.init(code, message, job: job, underlying: error)
    }

    init(_ error: CSVError, row: Int?, job: String? = nil) {
        // The error counts the header as a row. `row` does not, so the message has the line instead.
        let place = "\(error.reason) at line \(error.line), byte \(error.offset): expected \(error.expected)"
        self.init(
            error.reason == .tooLarge ? .tooLarge : .row, row == nil ? "\(error)" : place, job: job, row: row,
            column: error.name ?? (error.column > 0 ? "\(error.column)" : nil), underlying: error)
    }

    static func file(_ error: TransportError, _ path: String) -> BulkError {
        BulkError(.file, "\(path): \(error.message)", underlying: error)
    }

    func at(_ position: BulkPosition?) -> BulkError {
        var copy = self
        copy.position = position ?? copy.position
        return copy
    }

    func after(_ progress: BulkProgress) -> BulkError {
        var copy = self
        copy.progress = progress
        return copy
    }
}

extension JournalContent where Failure == BulkError {
    static func failure(_ message: String, _ underlying: TransportError?) -> BulkError {
        BulkError(.journal, message, underlying: underlying)
    }
}

extension RestError {
    /// Whether the error is transient, so that a later attempt may succeed.
    var mayPass: Bool {
        switch code {
        case .notConnected, .transport, .timedOut, .server, .rateLimited, .circuitOpen: true
        default: status == 420
        }
    }
}
