// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why work in bulk ended early, and where.
public struct BulkError: Error, Sendable {
    /// The kind of failure, an open set: new kinds may come, so switch with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, fit for metrics.
        public let description: String

        /// A request failed; ``BulkError/rest`` is its error, with code and outcome.
        public static let request = Code(description: "request")
        /// The task was cancelled, or the client shut down; jobs at the org go on.
        public static let cancelled = Code(description: "cancelled")
        /// The job did not end within the time that the caller gave it; it goes on at the org.
        public static let timedOut = Code(description: "timed-out")
        /// The org ended the job as failed.
        public static let jobFailed = Code(description: "job-failed")
        /// Somebody ended the job.
        public static let jobAborted = Code(description: "job-aborted")
        /// The org does not know the job (any more): it keeps jobs and their results for seven days.
        public static let jobGone = Code(description: "job-gone")
        /// The job is of another version of the API than its results were asked for in.
        public static let otherVersion = Code(description: "other-version")
        /// The org does not know the place in the results (any more).
        public static let deadLocator = Code(description: "dead-locator")
        /// The server's answers do not fit together, or are none of Bulk API 2.0.
        public static let answer = Code(description: "answer")
        /// A row or a header that cannot be sent or read; ``BulkError/row`` and ``BulkError/column`` say where.
        public static let row = Code(description: "row")
        /// A row, a field or a header beyond what the platform takes.
        public static let tooLarge = Code(description: "too-large")
        /// What gives the rows failed; ``BulkError/underlying`` is its own error.
        public static let source = Code(description: "source")
        /// The rows are not those of the load that the journal is about.
        public static let sourceChanged = Code(description: "source-changed")
        /// The journal cannot be used: another process has it, it is of other work, or the disk failed.
        public static let journal = Code(description: "journal")
        /// A file cannot be read or written.
        public static let file = Code(description: "file")
        /// An argument with which nothing can be done.
        public static let argument = Code(description: "argument")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, without contents of records.
    public let message: String
    /// The job that it is about.
    public internal(set) var jobID: String?
    /// The row that it is about: of a load, its number among the rows that were given, from 1, the header not counted;
    /// of a query, its number in the whole result, from 1.
    public internal(set) var row: Int?
    /// The name of the column that it is about.
    public internal(set) var column: String?
    /// For a query: where it can be taken up.
    public internal(set) var position: BulkPosition?
    /// For a load: what was done before.
    public internal(set) var progress: BulkProgress?
    /// The error behind it.
    public let underlying: (any Error)?

    /// The error of the request that failed, if it was one.
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
    /// The recommended action, in a sentence or two for the person who reads the error.
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

    /// The same as ``advice``.
    public var recoverySuggestion: String? { advice }
}

extension BulkError: CustomStringConvertible {
    /// The value as text, for people and logs.
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
    /// The failure of a request about a job.
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

    /// A row that cannot be sent or read.
    init(_ error: CSVError, row: Int?, job: String? = nil) {
        // The error counts the header as a row. `row` does not, so the message has the line instead.
        let place = "\(error.reason) at line \(error.line), byte \(error.offset): expected \(error.expected)"
        self.init(
            error.reason == .tooLarge ? .tooLarge : .row, row == nil ? "\(error)" : place, job: job, row: row,
            column: error.name ?? (error.column > 0 ? "\(error.column)" : nil), underlying: error)
    }

    /// A failure at another file.
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
    /// The error of a journal that cannot be used.
    static func failure(_ message: String, _ underlying: TransportError?) -> BulkError {
        BulkError(.journal, message, underlying: underlying)
    }
}

extension RestError {
    /// Whether the fault passes by itself, so that asking again later is of use.
    var mayPass: Bool {
        switch code {
        case .notConnected, .transport, .timedOut, .server, .rateLimited, .circuitOpen: true
        default: status == 420
        }
    }
}
