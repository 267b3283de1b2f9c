// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// What an export has put into its file.
public struct BulkExport: Sendable, Hashable {
    /// The rows, the header not counted.
    public let rows: Int
    /// The bytes of the file.
    public let bytes: Int
    /// The job's id.
    public let jobID: String
}

extension BulkQuery {
    /// Writes the whole result to a file as one CSV text, which appears when it is complete.
    ///
    /// What was done is noted in a journal beside the file, `PATH.bulk`. Calling this again, with the same query and
    /// path, goes on from there, also in another process after this one was killed; no row is lost or written twice.
    /// Where the job is gone meanwhile, it fails with ``BulkError/Code/jobGone``; without its journal the export begins
    /// anew.
    ///
    /// - Parameters:
    ///   - path: where the file is to be; one that is there is replaced.
    ///   - progress: receives the records that the job has processed each time the org reports them, then the rows and
    ///     bytes in the file, twenty times a second at most.
    /// - Returns: what the file has.
    /// - Throws: ``BulkError``.
    @concurrent
    public func export(
        to path: String, progress: (@Sendable (BulkProgress) -> Void)? = nil
    ) async throws(BulkError) -> BulkExport {
        let journal = try ExportJournal(path: path, for: origin, options)
        defer { journal.close() }
        if let done = try journal.placed() { return journal.end(done) }
        let position: BulkPosition
        if let known = journal.state.position {
            position = known
        } else {
            position = try await begin()
            try journal.add(ExportRecord(made: position.jobID))
        }
        let job: BulkJob
        do throws(BulkError) { job = try await ended(position) { progress?(BulkProgress($0)) } } catch {
            // Such a job gives nothing; the next call makes another one.
            if [.jobFailed, .jobAborted].contains(error.code) { journal.forget() }
            throw error
        }
        try journal.begin(job)
        var run = try ExportRun(journal, job, self, progress)
        return try await run.finish()
    }
}

/// One run of an export: writes pages, and notes where each that is on the disk ends.
private struct ExportRun {
    /// How much may be written before it is brought to the disk and noted.
    private static let span = 64 << 20
    /// How long that may take.
    private static let time = Duration.seconds(5)

    private let journal: ExportJournal
    private let file: FileWriter
    private let report: (@Sendable (BulkProgress) -> Void)?
    private var text: ResultText
    private let rowsBefore: Int
    private let job: BulkJob
    /// The position in the results after the last byte of the file.
    private var reached: BulkPosition
    private var noted: Int64
    private var notedAt = ContinuousClock.now
    private var pace = ProgressPace()

    init(
        _ journal: ExportJournal, _ job: BulkJob, _ query: BulkQuery, _ report: (@Sendable (BulkProgress) -> Void)?
    ) throws(BulkError) {
        (self.journal, self.job, self.report) = (journal, job, report)
        let first = journal.state.start ?? BulkPosition(job: job.id)
        reached = journal.state.position ?? first
        do throws(TransportError) {
            file = try FileWriter(path: journal.target, replaces: true, goingOnWith: journal.partName)
            if try !file.cut(to: journal.state.length) {
                // The file was taken away; the job still has all its rows.
                reached = first
                _ = try file.cut(to: 0)
            }
        } catch {
            throw .file(error, journal.target)
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
                if let report, pace.isDue() { report(progress) }
            }
            reached = text.position
            try note()
        } catch {
            // After a failed write or sync the file cannot be put on the disk, and nothing is noted.
            try? note()
            throw error.at(reached).after(progress)
        }
        report?(progress)
        let export = BulkExport(rows: progress.rows, bytes: Int(file.count), jobID: reached.jobID)
        try journal.add(ExportRecord(done: export, file: file.state?.text))
        do throws(TransportError) { try file.finish() } catch { throw .file(error, journal.target) }
        return journal.end(export)
    }

    private var progress: BulkProgress {
        var progress = BulkProgress(job)
        progress.rows = reached.rows - rowsBefore
        progress.rowsProcessed = progress.rows
        progress.bytes = file.count
        return progress
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>) throws(BulkError) {
        let failure = unsafe bytes.withUnsafeBytes { buffer -> TransportError? in
            do throws(TransportError) {
                try unsafe file.write(buffer)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw .file(failure, journal.target) }
        reached = text.position
    }

    private mutating func note() throws(BulkError) {
        let length = file.count
        guard length > noted || reached.offset == 0 else { return }
        do throws(TransportError) { try file.flush() } catch { throw .file(error, journal.target) }
        try journal.add(ExportRecord(position: reached, length: length))
        (noted, notedAt) = (length, .now)
    }
}

extension BulkProgress {
    /// The progress of an export whose job has this status.
    ///
    /// No row is in the file yet.
    fileprivate init(_ job: BulkJob) {
        self.init()
        (recordsProcessed, jobs, jobsEnded) = (job.recordsProcessed, 1, job.state.isFinal ? 1 : 0)
    }
}
