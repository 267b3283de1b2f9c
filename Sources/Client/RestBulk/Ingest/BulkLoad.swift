// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A load of records into an org, by as many jobs as it needs.
///
/// ```swift
/// let load = client.bulk.ingest(.insert, into: "Account", from: .csv(path: "accounts.csv"), journal: "accounts.load")
/// let summary = try await load.run()
/// for try await row in load.results where row.error != nil { print(row.number ?? 0, row.error ?? "") }
/// ```
///
/// A load with a ``journal`` can be run again in any process after it ended early, and continues. Each row is applied
/// once, or its result is ``BulkRowResult/Outcome/unknown`` if the platform does not report the outcome.
public struct BulkLoad: Sendable {
    /// The size of the jobs and the waiting for them.
    public struct Options: Sendable, Hashable {
        /// The maximum number of bytes of one job, as they are sent.
        public var bytesPerJob: Int
        /// The maximum number of rows of one job.
        public var rowsPerJob: Int
        /// The maximum number of jobs that are created, filled and waited for at the same time.
        public var jobsAtOnce: Int
        /// Whether all rows are read and checked before the first job is created.
        ///
        /// If `false`, an invalid row may be found after other rows were sent.
        public var checksAllFirst: Bool
        /// The waiting for a job.
        public var patience: BulkPatience
        /// The maximum number of rows that collections write if the way is chosen by size.
        public var requestLimit: Int

        /// The maximum number of bytes that the platform accepts for one job.
        public static let maximumBytes = 100_000_000

        /// Creates options, each of which has a default.
        public init(
            bytesPerJob: Int = Options.maximumBytes, rowsPerJob: Int = 10_000_000, jobsAtOnce: Int = 3,
            checksAllFirst: Bool = false, patience: BulkPatience = BulkPatience(), requestLimit: Int = 2_000
        ) {
            self.bytesPerJob = min(max(1, bytesPerJob), Self.maximumBytes)
            self.rowsPerJob = max(1, rowsPerJob)
            self.jobsAtOnce = min(max(1, jobsAtOnce), 25)
            (self.checksAllFirst, self.patience, self.requestLimit) = (checksAllFirst, patience, requestLimit)
        }

        var limits: PartLimits { PartLimits(bytes: bytesPerJob, rows: rowsPerJob) }
    }

    let client: RestClient
    let target: LoadTarget
    let source: BulkSource
    let options: Options
    let folder: LoadDirectory

    init(client: RestClient, target: LoadTarget, source: BulkSource, journal: String?, options: Options) {
        (self.client, self.target, self.source, self.options) = (client, target, source, options)
        folder = LoadDirectory(journal: journal)
    }

    /// The path of the journal.
    public var journal: String { folder.journal }

    var calls: JobCalls { JobCalls(client: client, kind: .ingest) }

    var sourcePath: String? { if case .file(let path, _) = source.content { path } else { nil } }

    /// Writes all rows, or continues an earlier run.
    ///
    /// If the earlier run created no job, nothing was sent, and the load restarts with the present rows. Jobs in the
    /// org continue after the task is cancelled. The next run asks for their results.
    ///
    /// A run that continues an earlier run uses its way.
    ///
    /// - Parameters:
    ///   - way: the way, or `nil` to choose it by the number of rows, see `RestClient.write`.
    ///   - progress: receives the progress, at most twenty times per second.
    ///   - report: receives the choice, and another one if the org rejects the first job.
    /// - Returns: the number of rows by outcome. Rows may have failed.
    /// - Throws: ``BulkError``, with the progress in ``BulkError/progress``. The run that sees a job fail or become
    ///   aborted throws that error and creates no further jobs. The next run creates them.
    @concurrent
    @discardableResult
    public func run(
        by way: Bulk.Way?, progress: (@Sendable (BulkProgress) -> Void)? = nil,
        report: (@Sendable (Bulk.Choice) -> Void)? = nil
    ) async throws(BulkError) -> Summary {
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
            if let plan { try await run(plan, PartSource(cutter), journal, by: way, report, progress) }
        } catch {
            // The org has no job of the load, so there is nothing to continue.
            if !journal.read(\.isBegun) {
                journal.remove()
                folder.clear()
            }
            throw error
        }
        return Summary(journal.content)
    }

    /// Runs the load by jobs, or continues it, see ``run(by:progress:report:)``.
    @concurrent
    @discardableResult
    public func run(progress: (@Sendable (BulkProgress) -> Void)? = nil) async throws(BulkError) -> Summary {
        try await run(by: .bulk, progress: progress)
    }

    private func run(
        _ plan: LoadRecord.Plan, _ parts: PartSource, _ journal: WorkJournal<LoadState>, by way: Bulk.Way?,
        _ report: (@Sendable (Bulk.Choice) -> Void)?, _ progress: (@Sendable (BulkProgress) -> Void)?
    ) async throws(BulkError) {
        let isNew = !journal.read(\.isSent)
        if isNew, way != .bulk {
            let choice = try await choose(way, parts, journal)
            report?(choice)
            if choice.way == .rest { try journal.add(.collections) }
        } else if isNew {
            report?(Bulk.Choice(.bulk, .requested))
        }
        if !journal.read(\.hasCollections) {
            do throws(BulkError) {
                return try await runJobs(plan, parts, journal, hasRead: isNew && way != .bulk, progress)
            } catch {
                let isRejected = (400..<500).contains(error.rest?.status ?? 0) && error.code == .request
                guard way == nil, isRejected, !journal.read(\.isBegun), target.operation != .hardDelete else {
                    throw error
                }
                report?(Bulk.Choice(.rest, .rejected(error.message)))
                try journal.add(.collections)
            }
        }
        while try await cut(parts, journal) {}
        var run = try await CollectionRun(self, plan, journal, progress)
        try await run.run()
    }

    /// Cuts the first parts of a new load, and chooses the way by their rows.
    private func choose(
        _ way: Bulk.Way?, _ parts: PartSource, _ journal: WorkJournal<LoadState>
    ) async throws(BulkError) -> Bulk.Choice {
        guard way == nil || target.operation != .hardDelete else {
            throw BulkError(.argument, "by: collections cannot delete records permanently; use .bulk")
        }
        if way == .rest { return Bulk.Choice(.rest, .requested) }
        while journal.read({ $0.rows <= options.requestLimit }), try await cut(parts, journal) {}
        let state = journal.content
        var rows = state.rows
        if !state.isWhole, let path = sourcePath, let size = (try? FileParts(path: path))?.state.size {
            let bytes = state.parts.reduce(1) { $0 + $1.cut.bytes }
            // bounded: by the size of the file, because a row of a part has at least one byte
            rows = max(rows, Int(Double(rows) / Double(bytes) * Double(size)))
        }
        let estimate = Bulk.Estimate(
            writing: target.operation, rows: rows, limit: options.requestLimit, callsLeft: client.allowance?.left,
            version: client.apiVersion)
        return await client.choice(estimate, isWrite: true)
    }

    /// Cuts the next part, or returns `false` after the last one.
    private func cut(_ parts: PartSource, _ journal: WorkJournal<LoadState>) async throws(BulkError) -> Bool {
        let (count, rows, isWhole) = journal.read { ($0.parts.count, $0.rows, $0.isWhole) }
        guard !isWhole else { return false }
        let part = try await parts.next(count + 1, before: rows)
        try journal.add(part.map { .part($0) } ?? .whole(rows: rows))
        return part != nil
    }

    private func runJobs(
        _ plan: LoadRecord.Plan, _ parts: PartSource, _ journal: WorkJournal<LoadState>, hasRead: Bool,
        _ progress: (@Sendable (BulkProgress) -> Void)?
    ) async throws(BulkError) {
        let run = WorkRun(LoadPlan(journal.content, options, hasRead: hasRead), journal: journal)
        let calls = LoadCalls(load: self, plan: plan, parts: parts, run: run)
        await run.run(reportingTo: progress) { await calls.perform($0) }
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
    /// The number of rows of a load by outcome.
    public struct Summary: Sendable, Hashable {
        /// One job of the load.
        public struct Job: Sendable, Hashable {
            /// The id of the job, or `nil` if it was not created.
            public let id: String?
            /// The final state, or `nil` if the job has not ended, or the org no longer has it.
            public let state: BulkJob.State?
            /// The number of rows of the job.
            public let rows: Int
            /// The number of rows that the org has processed.
            public let processed: Int
            /// The number of processed rows that the org rejected.
            public let failed: Int
            /// The org's error message, if there is one.
            public let message: String?
        }

        /// The jobs, in the order of the rows.
        public let jobs: [Job]
        /// The number of rows.
        public let rows: Int
        /// The number of rows that the org has processed.
        public var processed: Int { jobs.reduce(0) { $0 + $1.processed } }
        /// The number of processed rows that the org rejected.
        public var failed: Int { jobs.reduce(0) { $0 + $1.failed } }
        /// The number of rows that the org does not report as processed.
        public var unprocessed: Int { rows - processed }

        init(_ state: LoadState) {
            rows = state.rows
            jobs = state.parts.map { part in
                Job(
                    id: part.reportedJob, state: part.ending.map { BulkJob.State(rawValue: $0.state) },
                    rows: part.cut.rows,
                    processed: part.ending?.processed ?? 0, failed: part.ending?.failed ?? 0,
                    message: part.ending?.message)
            }
        }
    }

    /// Aborts the jobs of the load that have not ended.
    ///
    /// Records that were written stay written. Cancel a run of the load first.
    public func abort() async throws(BulkError) {
        let journal = try WorkJournal<LoadState>(path: folder.journal)
        defer { journal.close() }
        for part in journal.content.parts where !part.isOver {
            guard let job = part.job else { continue }
            do throws(BulkError) {
                _ = try await calls.set("Aborted", of: job)
            } catch {
                // A job that has ended meanwhile cannot be aborted, and does not need to be.
                guard try await calls.job(job).state.isFinal else { throw error }
            }
        }
    }

    /// The open jobs of this user that may belong to this load, but that it does not use.
    ///
    /// A process that is killed while it creates a job may leave a job without rows, which the org deletes later. A
    /// listed job may also belong to another load of the same object and operation, so check it before you abort it.
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

    /// Removes the journal and the load's files next to it, whatever the journal contains.
    ///
    /// Jobs and their results stay in the org.
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
    /// A description of the requests of a load.
    package struct Preview: Sendable {
        package let columns: [String]
        /// The body of the request that creates a job.
        package let job: JSONObject
        /// The number of rows of each job, and the bytes that are sent for them.
        package let parts: [(rows: Int, bytes: Int64)]

        package var rows: Int { parts.reduce(0) { $0 + $1.rows } }
    }

    /// Reads and checks all rows as a run does, but sends and writes nothing.
    ///
    /// - Returns: a description of what a run would send, or `nil` for an empty file.
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
    /// The body of the request that creates a job.
    var job: JSONObject {
        var body: JSONObject = [
            "object": JSONValue(object), "operation": JSONValue(operation), "contentType": "CSV",
            "lineEnding": JSONValue(lineEnding), "columnDelimiter": JSONValue(delimiter),
        ]
        if let field = externalID { body["externalIdFieldName"] = JSONValue(field) }
        return body
    }
}
