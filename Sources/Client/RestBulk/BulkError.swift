// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a query, an export or a load.
public struct BulkError: Error, Sendable {
    /// The kind of an error.
    ///
    /// New kinds may be added, so a `switch` needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// A request failed, with the error ``BulkError/rest``.
        public static let request = Code(description: "request")
        /// The task was cancelled or the client was shut down, while jobs in the org continue.
        public static let cancelled = Code(description: "cancelled")
        /// The job did not end within ``BulkPatience/limit``, and continues in the org.
        public static let timedOut = Code(description: "timed-out")
        /// The job failed in the org.
        public static let jobFailed = Code(description: "job-failed")
        /// A user aborted the job.
        public static let jobAborted = Code(description: "job-aborted")
        /// The org does not have the job, or no longer, because it keeps jobs for seven days.
        public static let jobGone = Code(description: "job-gone")
        /// The job belongs to another API version than the request for its results.
        public static let otherVersion = Code(description: "other-version")
        /// The org no longer has this position in the results.
        public static let deadLocator = Code(description: "dead-locator")
        /// The server's responses contradict each other, or do not follow Bulk API 2.0.
        public static let response = Code(description: "answer")
        /// A row or a header, at ``BulkError/row`` and ``BulkError/column``, cannot be sent or read.
        public static let row = Code(description: "row")
        /// A row, a field or a header exceeds a limit of the platform.
        public static let tooLarge = Code(description: "too-large")
        /// The source of the rows failed with the error ``BulkError/underlying``.
        public static let source = Code(description: "source")
        /// The rows differ from the rows of the load in the journal.
        public static let sourceChanged = Code(description: "source-changed")
        /// The journal cannot be used, because another process uses it, it belongs to other work, or the disk failed.
        public static let journal = Code(description: "journal")
        /// A file cannot be read or written.
        public static let file = Code(description: "file")
        /// An argument is invalid.
        public static let argument = Code(description: "argument")
    }

    /// The kind of the error.
    public let code: Code
    /// The problem and the action to take, without contents of records.
    public let message: String
    /// The id of the job.
    public internal(set) var jobID: String?
    /// The 1-based number of the row in the source of the load, not counting the header, or in the query's result.
    public internal(set) var row: Int?
    /// The name of the column.
    public internal(set) var column: String?
    /// The position at which a query can be resumed.
    public internal(set) var position: BulkPosition?
    /// The progress of an export or a load before the error.
    public internal(set) var progress: BulkProgress?
    /// The cause of the error.
    public let underlying: (any Error)?

    /// The error of the request that failed, or `nil` for other errors.
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
    /// The recommended action, as one or two sentences for the reader of the error.
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
        case .response where rest == nil: "Check the proxies between this machine and the org, then run it again."
        default: rest?.advice ?? "Look at BulkError.underlying."
        }
    }

    /// The description, as `localizedDescription` returns it.
    public var errorDescription: String? { description }

    /// The recovery suggestion, which is ``advice``.
    public var recoverySuggestion: String? { advice }
}

extension BulkError: CustomStringConvertible {
    /// The error as text, for people and logs.
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
            case (.decoding, _): .response
            case _ where error.faults.contains { $0.errorCode.rawValue == "INVALID_QUERY_LOCATOR" }: .deadLocator
            default: .request
            }
        let message = code == .jobGone ? "the org has no such job: \(error.message)" : error.message
        self.init(code, message, job: job, underlying: error)
    }

    init(_ error: CSVError, row: Int?, job: String? = nil) {
        // The error counts the header as a row. `row` does not, so the message has the line instead.
        let place = "\(error.reason) at line \(error.line), byte \(error.offset): expected \(error.expected)"
        self.init(
            error.reason == .tooLarge ? .tooLarge : .row, row == nil ? "\(error)" : place, job: job, row: row,
            column: error.name ?? (error.column > 0 ? "\(error.column)" : nil), underlying: error)
    }

    /// The error as the error of a request, whose underlying error is this one unless it adds nothing.
    package var asRest: RestError {
        guard let rest else {
            let code: RestError.Code = code == .timedOut ? .timedOut : code == .cancelled ? .cancelled : .api
            return RestError(code, message, underlying: self)
        }
        guard position != nil else { return rest }
        return RestError(
            rest.code, rest.message, faults: rest.faults, request: rest.request, response: rest.response,
            body: rest.body, attempts: rest.attempts, underlying: self)
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
