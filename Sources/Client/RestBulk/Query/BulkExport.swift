// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The result of an export.
public struct BulkExport: Sendable, Hashable {
    /// The number of rows, not counting the header.
    public let rows: Int
    /// The size of the file in bytes.
    public let bytes: Int
    /// The id of the job, or `nil` if the file was written from pages of the REST API.
    public let jobID: String?
}

extension BulkQuery {
    /// Writes the whole result to a CSV file, which appears when it is complete.
    ///
    /// A journal next to the file, `PATH.bulk`, records the progress. If you call this method again with the same query
    /// and path, the export continues, also in another process after this one was killed. No row is lost or written
    /// twice. If the org has deleted the job meanwhile, the export throws ``BulkError/Code/jobGone``. Remove the
    /// journal to restart the export.
    ///
    /// The file is the same for pages of the REST API. Such an export has no job, so a second call begins again.
    ///
    /// - Parameters:
    ///   - path: the destination path. An existing file is replaced.
    ///   - way: the way, or `nil` to choose it by size, see `RestClient.read`. A job runs a query whose columns are not
    ///     plain fields, so that the org reports what it does not support.
    ///   - progress: receives the records that the job has processed each time the org reports them, and then the rows
    ///     and bytes in the file, at most twenty times per second.
    ///   - report: receives the choice, and another one if the org does not run the job.
    /// - Returns: the size of the result.
    /// - Throws: ``BulkError``.
    @concurrent
    public func export(
        to path: String, by way: Bulk.Way?, progress: (@Sendable (BulkProgress) -> Void)? = nil,
        report: (@Sendable (Bulk.Choice) -> Void)? = nil
    ) async throws(BulkError) -> BulkExport {
        do throws(TransportError) { try FileWriter.check(path, replaces: true) } catch { throw .file(error, path) }
        let journal = try WorkJournal<ExportState>(path: "\(path).bulk")
        defer { journal.close() }
        try journal.begin(ExportRecord.Plan(origin, options))
        if let done = try journal.placed(at: path) {
            journal.remove()
            return done
        }
        guard way != .bulk, journal.read(\.position) == nil, case .query(let query, let isAll) = origin,
            let columns = try? await QueryColumns(of: query, client)
        else { return try await exportJob(to: path, journal, progress) }
        let read = SizedRead(
            client: client, query: query, includingDeleted: isAll, way: way, options: options, report: report)
        var (chosen, source): (Bulk.Way, SizedPages.Source)
        do throws(RestError) { (chosen, source) = try await read.choose() } catch {
            journal.remove()
            throw BulkError(error, job: nil)
        }
        if chosen == .bulk {
            do throws(BulkError) { return try await exportJob(to: path, journal, progress) } catch {
                // With a progress, rows of the job are in the file, and the next call continues.
                guard error.progress == nil else { throw error }
                source = try read.fallingBack(to: source, after: error)
            }
        }
        defer { journal.remove() }
        return try await write(SizedPages(read, source), columns, to: path, progress)
    }

    /// Writes the whole result of a job to a CSV file, see ``export(to:by:progress:report:)``.
    @concurrent
    public func export(
        to path: String, progress: (@Sendable (BulkProgress) -> Void)? = nil
    ) async throws(BulkError) -> BulkExport {
        try await export(to: path, by: .bulk, progress: progress)
    }

    /// Writes pages of the REST API to the file, which has the bytes that a job would return.
    private func write(
        _ pages: SizedPages, _ columns: QueryColumns, to path: String,
        _ report: (@Sendable (BulkProgress) -> Void)?
    ) async throws(BulkError) -> BulkExport {
        var (progress, reporter) = (BulkProgress(), report.map { ProgressReporter($0) })
        // A job quotes every value, and has no text for null.
        let dialect = CSVDialect(delimiter: options.dialect.delimiter, lineEnding: options.dialect.lineEnding ?? .lf)
        var rows: CSVWriter
        do throws(CSVError) { rows = try CSVWriter(dialect, columns: columns.names, quoting: .always) } catch {
            throw BulkError(error, row: nil)
        }
        let file: FileWriter
        do throws(TransportError) { file = try FileWriter(path: path) } catch { throw .file(error, path) }
        while true {
            do throws(TransportError) { try file.write(rows.takeBytes()) } catch { throw .file(error, path) }
            progress.bytes = file.count
            reporter?.report(progress)
            let next: QueryPage?
            do throws(RestError) { next = try await pages.next() } catch { throw BulkError(error, job: nil) }
            guard let page = next else { break }
            do throws(CSVError) {
                for record in page.records { try rows.append(row: columns.fields(of: record)) }
            } catch {
                throw BulkError(error, row: progress.rows)
            }
            progress.rows += page.records.count
            (progress.rowsProcessed, progress.recordsProcessed) = (progress.rows, page.totalSize)
        }
        reporter?.reportEnd(progress)
        do throws(TransportError) { try file.finish() } catch { throw .file(error, path) }
        return BulkExport(rows: progress.rows, bytes: Int(progress.bytes), jobID: nil)
    }

    private func exportJob(
        to path: String, _ journal: WorkJournal<ExportState>, _ progress: (@Sendable (BulkProgress) -> Void)?
    ) async throws(BulkError) -> BulkExport {
        let position: BulkPosition
        if let known = journal.read(\.position) {
            position = known
        } else {
            position = try await begin()
            try journal.add(.made(job: position.jobID))
        }
        let job: BulkJob
        do throws(BulkError) { job = try await ended(position) { progress?(BulkProgress($0)) } } catch {
            // Such a job has no results. The next call creates another job.
            if [.jobFailed, .jobAborted].contains(error.code) { journal.remove() }
            throw error
        }
        try journal.begin(job)
        var run = try ExportRun(journal, path, job, self, progress)
        let export = try await run.finish()
        journal.remove()
        return export
    }
}

/// One run of an export: writes the result to the file, and records the positions that are on the disk.
private struct ExportRun {
    /// The maximum number of bytes between two records.
    private static let span = 64 << 20
    /// The maximum time between two records.
    private static let time = Duration.seconds(5)

    private let journal: WorkJournal<ExportState>
    private let target: String
    private let file: FileWriter
    private var reporter: ProgressReporter<BulkProgress>?
    private var text: ResultText
    private let rowsBefore: Int
    private let job: BulkJob
    /// The position in the results after the last byte of the file.
    private var reached: BulkPosition
    private var noted: Int64
    private var notedAt = ContinuousClock.now

    init(
        _ journal: WorkJournal<ExportState>, _ target: String, _ job: BulkJob, _ query: BulkQuery,
        _ report: (@Sendable (BulkProgress) -> Void)?
    ) throws(BulkError) {
        (self.journal, self.target) = (journal, target)
        (self.job, reporter) = (job, report.map { ProgressReporter($0) })
        let state = journal.content
        let first = state.start ?? BulkPosition(job: job.id)
        reached = state.position ?? first
        do throws(TransportError) {
            let part = ".\(target.split(byte: "/").last ?? "").bulk-part"
            file = try FileWriter(path: target, replaces: true, goingOnWith: part)
            if try !file.cut(to: state.length) {
                // The file was removed or cut. The job still has all its rows.
                reached = first
                _ = try file.cut(to: 0)
            }
        } catch {
            throw .file(error, target)
        }
        noted = file.count
        rowsBefore = first.rows
        text = ResultText(
            ResultReader(job, from: reached, query.calls, query.options), job, hasHeader: noted > 0)
    }

    mutating func finish() async throws(BulkError) -> BulkExport {
        do throws(BulkError) {
            while let bytes = try await text.next() {
                try write(bytes)
                let isDue = file.count - noted >= Self.span || ContinuousClock.now - notedAt >= Self.time
                if isDue { try note() }
                if reporter?.isDue() == true { reporter?.handler(progress) }
            }
            reached = text.position
            try note()
        } catch {
            // After a failed write or sync the file cannot be put on the disk, and nothing is recorded.
            try? note()
            throw error.at(reached).after(progress)
        }
        reporter?.reportEnd(progress)
        let export = BulkExport(rows: progress.rows, bytes: Int(file.count), jobID: reached.jobID)
        try journal.add(
            .done(.init(rows: export.rows, bytes: export.bytes, jobID: reached.jobID, file: file.state?.text)))
        do throws(TransportError) { try file.finish() } catch { throw .file(error, target) }
        return export
    }

    private var progress: BulkProgress {
        var progress = BulkProgress(job)
        progress.rows = reached.rows - rowsBefore
        progress.rowsProcessed = progress.rows
        progress.bytes = file.count
        return progress
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>) throws(BulkError) {
        do throws(TransportError) { try file.write(bytes) } catch { throw .file(error, target) }
        reached = text.position
    }

    private mutating func note() throws(BulkError) {
        let length = file.count
        guard length > noted || reached.offset == 0 else { return }
        do throws(TransportError) { try file.flush() } catch { throw .file(error, target) }
        try journal.add(.reached(reached, length: length))
        (noted, notedAt) = (length, .now)
    }
}

extension BulkProgress {
    /// The progress of an export that waits for its job.
    fileprivate init(_ job: BulkJob) {
        self.init()
        (recordsProcessed, jobs, jobsEnded) = (job.recordsProcessed, 1, job.state.isFinal ? 1 : 0)
    }
}

/// A line of an export's journal.
enum ExportRecord: Codable, Sendable {
    /// The query and the format of the file.
    struct Plan: Codable, Sendable, Equatable {
        let query: String?
        let includingDeleted: Bool
        let delimiter: String
        let lineEnding: String
        /// The position at which the export of an earlier query begins.
        let start: BulkPosition?
    }

    struct Job: Codable, Sendable, Equatable {
        let id: String
        let created: String
        let object: String
    }

    /// The content of the whole file, recorded just before the file gets its name.
    struct Done: Codable, Sendable {
        let rows: Int
        let bytes: Int
        let jobID: String
        /// The identity of the file (`FileState.text`): only a destination with this file is the result.
        let file: String?
    }

    case plan(Plan)
    /// The org created a job with this id.
    case made(job: String)
    case job(Job)
    /// The position of the file's last byte in the results, and the length of the file.
    case reached(BulkPosition, length: Int64)
    case done(Done)
}

struct ExportState: JournalContent {
    static let kind = "RestBulk export"
    static let version = 2

    private(set) var plan: ExportRecord.Plan?
    private var made: String?
    private(set) var job: ExportRecord.Job?
    private var reached: BulkPosition?
    private(set) var length: Int64 = 0
    private(set) var done: ExportRecord.Done?

    /// The position at which the export continues, or `nil` if there is no job yet.
    var position: BulkPosition? { reached ?? start }

    /// The position at which the results begin.
    var start: BulkPosition? { plan?.start ?? made.map { BulkPosition(job: $0) } }

    mutating func add(_ line: ExportRecord) -> Bool {
        switch line {
        case .plan(let plan): self.plan = plan
        case .made(let job): made = job
        case .job(let job): self.job = job
        case .reached(let position, let length):
            guard Int(outside: length, in: .bytes) != nil else { return false }
            (reached, self.length) = (position, length)
        case .done(let done):
            guard Int(outside: done.rows, in: .count) != nil, Int(outside: done.bytes, in: .bytes) != nil else {
                return false
            }
            self.done = done
        }
        return plan != nil
    }

    var lines: [ExportRecord] {
        let steps: [ExportRecord?] = [
            plan.map { .plan($0) }, made.map { .made(job: $0) }, job.map { .job($0) },
            reached.map { .reached($0, length: length) }, done.map { .done($0) },
        ]
        return steps.compactMap(\.self)
    }
}

extension WorkJournal where Content == ExportState {
    /// Records the plan of the export, or checks that the journal has the same plan.
    fileprivate func begin(_ plan: ExportRecord.Plan) throws(BulkError) {
        guard let known = read(\.plan) else { return try add(.plan(plan)) }
        guard known == plan, (known.query ?? "").hasSameBytes(as: plan.query ?? "") else {
            throw rejection("it belongs to another query; choose another file, or remove the journal")
        }
    }

    /// The result of an earlier run, if it is complete and at the destination, but was not returned.
    ///
    /// - Throws: ``BulkError/Code/file`` if the file's name cannot be put on the disk.
    fileprivate func placed(at target: String) throws(BulkError) -> BulkExport? {
        guard let done = read(\.done), let file = done.file, (try? FileParts(path: target))?.state.text == file
        else { return nil }
        do throws(TransportError) { try FileWriter.syncDirectory(of: target) } catch { throw .file(error, target) }
        return BulkExport(rows: done.rows, bytes: done.bytes, jobID: done.jobID)
    }

    /// Records the job, or checks that it is the recorded job, because another org may have a job with the same id.
    fileprivate func begin(_ job: BulkJob) throws(BulkError) {
        let job = ExportRecord.Job(id: job.id, created: job.created, object: job.object)
        guard let known = read(\.job) else { return try add(.job(job)) }
        guard known == job else {
            throw rejection("it belongs to another org; log in to that org, or remove the journal")
        }
    }
}

extension ExportRecord.Plan {
    fileprivate init(_ origin: BulkQuery.Origin, _ options: BulkQuery.Options) {
        switch origin {
        case .query(let query, let all): (self.query, includingDeleted, start) = (query.text, all, nil)
        case .position(let position): (query, includingDeleted, start) = (nil, false, position)
        }
        delimiter = options.dialect.delimiter.platformName ?? ""
        lineEnding = (options.dialect.lineEnding ?? .lf).rawValue
    }
}
