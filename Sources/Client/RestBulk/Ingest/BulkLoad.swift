// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Records that are written by jobs of the org, as many as they need.
///
/// ```swift
/// let load = client.bulk.ingest(.insert, into: "Account", from: .csv(path: "accounts.csv"), journal: "accounts.load")
/// let summary = try await load.run()
/// for try await row in load.results where row.error != nil { print(row.number ?? 0, row.error ?? "") }
/// ```
///
/// With a ``journal`` a load survives everything: run it again, in whatever process, and it goes on where it was. Each
/// row is applied once, or the results name it as one whose outcome the platform does not tell.
public struct BulkLoad: Sendable {
    /// How a load is split and waited for.
    public struct Options: Sendable, Hashable {
        /// The most bytes of one job; the platform takes 100 million as they are sent.
        public var bytesPerJob: Int
        /// The most rows of one job.
        public var rowsPerJob: Int
        /// How many jobs are made, filled and waited for side by side.
        public var jobsAtOnce: Int
        /// Whether all rows are read and checked before the first job is made; else a row that cannot be sent may be
        /// found when others are at the org already.
        public var checksAllFirst: Bool
        /// How a job is waited for.
        public var patience: BulkPatience

        /// The most bytes that the platform takes for one job.
        public static let maximumBytes = 100_000_000

        /// Makes options; every part has a default.
        public init(
            bytesPerJob: Int = Options.maximumBytes, rowsPerJob: Int = 10_000_000, jobsAtOnce: Int = 3,
            checksAllFirst: Bool = false, patience: BulkPatience = BulkPatience()
        ) {
            self.bytesPerJob = min(max(1, bytesPerJob), Self.maximumBytes)
            self.rowsPerJob = max(1, rowsPerJob)
            self.jobsAtOnce = min(max(1, jobsAtOnce), 25)
            (self.checksAllFirst, self.patience) = (checksAllFirst, patience)
        }

        var limits: PartLimits { PartLimits(bytes: bytesPerJob, rows: rowsPerJob) }
    }

    let client: RestClient
    let target: LoadTarget
    let source: BulkSource
    let options: Options
    let folder: LoadFolder

    init(client: RestClient, target: LoadTarget, source: BulkSource, journal: String?, options: Options) {
        (self.client, self.target, self.source, self.options) = (client, target, source, options)
        folder = LoadFolder(journal: journal)
    }

    /// Where the load notes what it did.
    public var journal: String { folder.journal }

    var calls: JobCalls { JobCalls(client: client, kind: .ingest) }

    var sourcePath: String? { if case .file(let path, _) = source.content { path } else { nil } }

    /// Writes all rows, or goes on where an earlier run ended.
    ///
    /// If the earlier run made no job, nothing was sent, and the load starts again with the rows as they are now.
    ///
    /// When the task is cancelled the jobs at the org go on; the next run finds out what became of them.
    ///
    /// - Parameter progress: is told how far it is, twenty times a second at most.
    /// - Returns: what became of the rows, in numbers; rows may have failed.
    /// - Throws: ``BulkError``, with what was done in ``BulkError/progress``. A job that ended as failed or aborted is
    ///   thrown once, by the run that saw it end; no further jobs are made then, and the next run makes them.
    @concurrent
    @discardableResult
    public func run(progress: (@Sendable (BulkProgress) -> Void)? = nil) async throws(BulkError) -> Summary {
        try folder.prepare()
        var cutter = try makeCutter()
        let journal = try WorkJournal<LoadState>(path: folder.journal)
        defer { journal.close() }
        if !journal.read(\.isSent) {
            if journal.read({ $0.plan != nil }) { try journal.clear() }
            folder.clear()
        }
        do throws(BulkError) {
            try journal.check(target)
            var plan = journal.read { $0.isWhole ? $0.plan : nil }
            if plan == nil {
                plan = try await cutter.plan(target)
                if let plan { try journal.begin(plan) }
            }
            if let plan { try await run(plan, PartSource(cutter), journal, progress) }
        } catch {
            // The org knows nothing of the load: nothing is left to continue.
            if !journal.read(\.isBegun) {
                journal.remove()
                folder.clear()
            }
            throw error
        }
        return Summary(journal.content)
    }

    private func run(
        _ plan: LoadRecord.Plan, _ parts: PartSource, _ journal: WorkJournal<LoadState>,
        _ progress: (@Sendable (BulkProgress) -> Void)?
    ) async throws(BulkError) {
        let run = WorkRun(LoadPlan(journal.content, options), journal: journal)
        let calls = LoadCalls(client: client, plan: plan, patience: options.patience)
        let work = LoadWork(run: run, parts: parts, calls: calls, folder: folder, source: sourcePath)
        await run.run(reportingTo: progress) { await work.perform($0) }
        let (failure, reached) = run.read { ($0.failure, $0.progress()) }
        if let failure { throw failure.after(reached) }
        if Task.isCancelled { throw BulkError(.cancelled, "the load was cancelled").after(reached) }
    }

    func makeCutter() throws(BulkError) -> any PartCutter {
        guard !target.object.isBlank else { throw BulkError(.argument, "object: must not be empty") }
        try folder.check(source: sourcePath)
        switch source.content {
        case .file(let path, let dialect): return try FileCutter(path: path, dialect, options.limits)
        case .feed(let columns, let make): return FeedCutter(make(), columns: columns, options.limits, folder)
        }
    }
}

extension BulkLoad {
    /// What became of a load, in numbers.
    public struct Summary: Sendable, Hashable {
        /// One job of the load.
        public struct Job: Sendable, Hashable {
            /// Its id; `nil` when none was made yet.
            public let id: String?
            /// How it ended; `nil` when it has not, or when the org does not know it any more.
            public let state: BulkJob.State?
            /// How many rows it was given.
            public let rows: Int
            /// How many of them the org has worked on.
            public let processed: Int
            /// How many of these it refused.
            public let failed: Int
            /// Why it ended early, where the org says.
            public let message: String?
        }

        /// The jobs, in the order of the rows.
        public let jobs: [Job]
        /// How many rows there are.
        public let rows: Int
        /// How many of them the org has worked on.
        public var processed: Int { jobs.reduce(0) { $0 + $1.processed } }
        /// How many of these it refused.
        public var failed: Int { jobs.reduce(0) { $0 + $1.failed } }
        /// How many were never worked on, as far as the org tells.
        public var unprocessed: Int { rows - processed }

        init(_ state: LoadState) {
            rows = state.rows
            jobs = state.parts.map { part in
                Job(
                    id: part.job, state: part.ending.map { BulkJob.State(rawValue: $0.state) }, rows: part.cut.rows,
                    processed: part.ending?.processed ?? 0, failed: part.ending?.failed ?? 0,
                    message: part.ending?.message)
            }
        }
    }

    /// Ends the jobs of the load that have not ended; what they did stays done.
    ///
    /// A run under way is to be cancelled before.
    public func abort() async throws(BulkError) {
        let journal = try WorkJournal<LoadState>(path: folder.journal)
        defer { journal.close() }
        for part in journal.content.parts where !part.isOver {
            guard let job = part.job else { continue }
            do throws(BulkError) {
                _ = try await calls.set("Aborted", of: job)
            } catch {
                // One that has ended meanwhile cannot be ended, and is none to be ended.
                guard try await calls.job(job).state.isFinal else { throw error }
            }
        }
    }

    /// The open jobs of this user at the org that may be of this load, and that it does not use.
    ///
    /// A process that dies while a job is made leaves one behind that has no rows and does nothing; the org removes it
    /// by itself. Another load of the same kind may be at work with one of these, so they are yours to judge.
    public func orphans() async throws(BulkError) -> [BulkJob] {
        let journal = try WorkJournal<LoadState>(path: folder.journal)
        defer { journal.close() }
        let state = journal.content
        guard let plan = state.plan else { return [] }
        let known = Set(state.parts.compactMap(\.job))
        let jobs = try await calls.all()
        let owner = jobs.first { known.contains($0.id) }?.createdBy
        return jobs.filter { job in
            job.state == .open && !known.contains(job.id) && job.object == plan.object
                && job.operation == plan.operation && (owner == nil || job.createdBy == owner)
        }
    }

    /// Removes the journal and all files next to it, whatever the journal contains.
    ///
    /// Jobs and their results stay at the org.
    ///
    /// - Throws: ``BulkError/Code/journal`` if another process uses the journal or if it is not a regular file.
    ///   ``BulkError/Code/argument`` if one of the files is the source of the load.
    public func remove() throws(BulkError) {
        try folder.check(source: sourcePath)
        try WorkJournal<LoadState>.remove(folder.journal)
        folder.clear()
    }
}

extension BulkLoad {
    /// What a load would send.
    package struct Preview: Sendable {
        /// The names of the columns.
        package let columns: [String]
        /// The body of the request that makes each of its jobs.
        package let job: JSONObject
        /// The rows of each job, and the bytes that are sent for them.
        package let parts: [(rows: Int, bytes: Int64)]

        /// How many rows there are.
        package var rows: Int { parts.reduce(0) { $0 + $1.rows } }
    }

    /// Reads all rows of a file and checks them as a run would; nothing is sent or written.
    ///
    /// - Returns: what a run would send; `nil` for a file without a single byte.
    /// - Throws: ``BulkError`` for the first row that cannot be sent.
    @concurrent
    package func preview() async throws(BulkError) -> Preview? {
        var cutter = try makeCutter()
        guard let plan = try await cutter.plan(target) else { return nil }
        var parts: [(rows: Int, bytes: Int64)] = []
        var before = 0
        while let part = try await cutter.next(parts.count + 1, before: before) {
            guard !Task.isCancelled else { throw BulkError(.cancelled, "the load was cancelled") }
            parts.append((part.rows, part.bytes))
            before += part.rows
        }
        return Preview(columns: plan.columns, job: plan.job, parts: parts)
    }
}

extension LoadRecord.Plan {
    /// What makes a job of it.
    var job: JSONObject {
        var body: JSONObject = [
            "object": JSONValue(object), "operation": JSONValue(operation), "contentType": "CSV",
            "lineEnding": JSONValue(lineEnding), "columnDelimiter": JSONValue(delimiter),
        ]
        if let field = externalID { body["externalIdFieldName"] = JSONValue(field) }
        return body
    }
}
