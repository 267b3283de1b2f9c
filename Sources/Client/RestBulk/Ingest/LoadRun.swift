// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One run of a load: goes on where the journal says, until all rows were worked on or something ends it.
final class LoadRun: Sendable {
    /// How often in a row a request of a part may fail.
    private static let mostFailures = 8

    private struct Core {
        var pace = ProgressPace()
        /// How the jobs that are worked on stand.
        var working: [Int: BulkJob] = [:]
        /// How much of the uploads under way was sent.
        var sending: [Int: Int64] = [:]
    }

    private let journal: WorkJournal<LoadState>
    private let folder: LoadFolder
    private let calls: LoadCalls
    private let source: String?
    private let report: (@Sendable (BulkProgress) -> Void)?
    private let core = Mutex(Core())

    init(
        _ journal: WorkJournal<LoadState>, _ folder: LoadFolder, _ calls: LoadCalls, source: String?,
        report: (@Sendable (BulkProgress) -> Void)?
    ) {
        (self.journal, self.folder, self.calls) = (journal, folder, calls)
        (self.source, self.report) = (source, report)
    }

    /// Runs until all parts are over.
    func run(_ cutter: any PartCutter, _ options: BulkLoad.Options) async throws(BulkError) {
        let failure = await withTaskGroup(of: BulkError?.self) { group in
            var cutter = cutter
            var (running, failure) = (0, BulkError?.none)
            let (parts, wasCut) = journal.read { ($0.parts, $0.isWhole) }
            var waiting = parts.filter { !$0.isOver }.map(\.cut.number)[...]
            if !wasCut {
                for part in parts {
                    failure = await Self.failure { () throws(BulkError) in try await cutter.pass(part.cut) }
                    if failure != nil { break }
                }
            }
            while true {
                let mayBegin = failure == nil && running < options.jobsAtOnce && !Task.isCancelled
                let isCut = journal.read(\.isWhole)
                if mayBegin, isCut || !options.checksAllFirst, let part = waiting.popFirst() {
                    running += 1
                    group.addTask { await self.finish(part) }
                } else if mayBegin, !isCut {
                    failure = await Self.failure { () throws(BulkError) in
                        if let part = try await self.cut(&cutter) { waiting.append(part) }
                    }
                } else if let ended = await group.next() {
                    running -= 1
                    failure = failure ?? ended
                } else {
                    break
                }
            }
            return failure ?? (Task.isCancelled ? BulkError(.cancelled, "the load was cancelled") : nil)
        }
        report?(progress)
        if let failure { throw failure.after(progress) }
    }

    private static func failure(of work: () async throws(BulkError) -> Void) async -> BulkError? {
        do throws(BulkError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    /// Cuts the next part; `nil` when there are no more rows, which is noted.
    private func cut(_ cutter: inout any PartCutter) async throws(BulkError) -> Int? {
        let (count, rows) = journal.read { ($0.parts.count, $0.rows) }
        guard let part = try await cutter.next(count + 1, before: rows) else {
            try journal.add(.whole(rows: rows))
            return nil
        }
        try journal.add(.part(part))
        tell()
        return part.number
    }
}

// One part.
extension LoadRun {
    /// Takes the steps of a part until it is over.
    private func finish(_ part: Int) async -> BulkError? {
        await Self.failure { () throws(BulkError) in
            var failures = 0
            while let step = journal.read({ $0[part].next }) {
                guard !Task.isCancelled else { throw BulkError(.cancelled, "the load was cancelled") }
                if let phase = journal.read({ $0[part].phase(before: step) }) {
                    try journal.change(part) { part in
                        part.enter(phase)
                        return (phase, ())
                    }
                }
                let outcome = try await perform(step, part)
                let isNearer = try journal.change(part) { part in
                    let phase = part.apply(outcome.answer, to: step)
                    return (phase, phase?.isNearer ?? false)
                }
                core.withLock { $0.sending[part] = nil }
                tell()
                if isNearer { failures = 0 } else if outcome.failure != nil { failures += 1 }
                if let failure = outcome.failure { try await pause(after: failure, failures, at: step) }
            }
            try check(journal.read { $0[part] })
        }
    }

    private func perform(_ step: LoadPart.Step, _ part: Int) async throws(BulkError) -> LoadCalls.Outcome {
        if case .wait(let job) = step {
            return try await calls.wait(for: job) { state in
                core.withLock { $0.working[part] = state }
                tell()
            }
        }
        var rows: PartRows?
        if case .upload = step {
            rows = try PartRows(journal.read { $0[part].cut }, of: calls.plan, source: source, folder)
        }
        return await calls.perform(step, rows) { [weak self] progress in
            self?.core.withLock { $0.sending[part] = progress.sent }
            self?.tell()
        }
    }

    /// Waits after a failure that may pass, or ends the part for now.
    private func pause(after error: RestError, _ failures: Int, at step: LoadPart.Step) async throws(BulkError) {
        // What a job is after its closing was refused is looked up; what became of its creation or its rows cannot be
        // known, and a new job is made.
        let isLookedUp = if case .close = step { error.code == .api } else { false }
        guard error.mayPass || isLookedUp, failures < Self.mostFailures else {
            if error.code == .notFound, failures < Self.mostFailures { return }
            throw BulkError(error, job: step.job)
        }
        do { try await calls.jobs.pause(after: error, failures) } catch {
            throw BulkError(.cancelled, "the load was cancelled", job: step.job)
        }
    }

    /// Refuses an end that cannot be, and one that all other jobs would have as well.
    private func check(_ part: LoadPart) throws(BulkError) {
        guard let ending = part.ending else { return }
        if ending.processed > part.cut.rows || ending.failed > ending.processed {
            throw BulkError(
                .answer,
                "the org says that \(ending.processed) of \(part.cut.rows) rows were processed, and "
                    + "\(ending.failed) failed", job: part.job)
        }
        switch BulkJob.State(rawValue: ending.state) {
        case .failed:
            throw BulkError(.jobFailed, ending.message ?? "the org ended the job and does not say why", job: part.job)
        case .aborted: throw BulkError(.jobAborted, "somebody ended the job", job: part.job)
        default: break
        }
    }
}

extension LoadRun {
    /// How far the load is.
    private var progress: BulkProgress {
        let (working, sending) = core.withLock { ($0.working, $0.sending) }
        return journal.read { BulkProgress($0, working: working, sending: sending) }
    }

    private func tell() {
        guard let report, core.withLock({ $0.pace.isDue() }) else { return }
        report(progress)
    }
}

extension BulkProgress {
    init(_ state: LoadState, working: [Int: BulkJob] = [:], sending: [Int: Int64] = [:]) {
        rows = state.rows
        for part in state.parts {
            let number = part.cut.number
            let ending = part.ending
            rowsProcessed += min(part.cut.rows, ending?.processed ?? working[number]?.recordsProcessed ?? 0)
            rowsFailed += min(part.cut.rows, ending?.failed ?? working[number]?.recordsFailed ?? 0)
            recordsProcessed = rowsProcessed
            jobs += part.job == nil ? 0 : 1
            jobsEnded += part.isOver ? 1 : 0
            bytes += part.isSent ? part.cut.bytes : min(part.cut.bytes, sending[number] ?? 0)
        }
    }
}

extension LoadPart {
    /// Whether the org has its rows.
    fileprivate var isSent: Bool {
        switch phase {
        case .uploaded, .closing, .running, .ended, .lost: true
        case .waiting, .creating, .made, .givenUp: false
        }
    }
}

extension LoadPart.Step {
    /// The job that it is about.
    var job: String? {
        switch self {
        case .create: nil
        case .upload(let job), .close(let job), .look(let job), .wait(let job), .giveUp(let job): job
        }
    }
}

/// Sends the requests of a load, and returns what is known of the result of each.
struct LoadCalls: Sendable {
    /// The time limit of an upload; the platform ends it after ten minutes without a byte.
    private static let uploadTime = Duration.seconds(3_600)

    let client: RestClient
    let plan: LoadRecord.Plan
    let patience: BulkPatience

    var jobs: JobCalls { JobCalls(client: client, kind: .ingest) }

    /// An answer, and the failure from which it was concluded.
    struct Outcome: Sendable {
        let answer: LoadPart.Answer
        var failure: RestError?
    }

    /// Sends the request of a step, but does not wait for jobs.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - rows: the rows of an upload.
    ///   - progress: receives the progress of an upload.
    /// - Returns: what is known of the result.
    func perform(
        _ step: LoadPart.Step, _ rows: PartRows?, progress: @escaping TransferProgress.Handler
    ) async -> Outcome {
        do throws(RestError) {
            switch step {
            case .create:
                let job = try BulkJob.reading(await jobs.create(plan.job), .ingest).get()
                return Outcome(answer: .made(job: job.id))
            case .upload(let job):
                _ = try await client.send(upload(rows, to: job).reportingProgress(to: progress))
                return Outcome(answer: .uploaded)
            case .close(let job):
                _ = try await jobs.change(job, to: "UploadComplete")
                return Outcome(answer: .closed)
            case .look(let job), .wait(let job):
                return Outcome(answer: .state(try BulkJob.reading(await jobs.look(job), .ingest).get()))
            case .giveUp(let job):
                _ = try await jobs.change(job, to: "Aborted")
                return Outcome(answer: .givenUp)
            }
        } catch {
            return outcome(of: step, error)
        }
    }

    private func outcome(of step: LoadPart.Step, _ error: RestError) -> Outcome {
        switch step {
        case .create where error.outcome == .notApplied: Outcome(answer: .notDone, failure: error)
        // A job that is refused may have rows all the same.
        case .upload where error.outcome == .notApplied && error.mayPass: Outcome(answer: .notDone, failure: error)
        case .close where error.code == .notFound, .look where error.code == .notFound:
            Outcome(answer: .gone, failure: error)
        // A job that cannot be given up stays open, and is never worked on.
        case .giveUp: Outcome(answer: .givenUp, failure: error.code == .cancelled ? error : nil)
        default: Outcome(answer: .unclear, failure: error)
        }
    }

    /// The request that sends the rows of a part.
    ///
    /// A job may get its rows once, so the client does not send it again if nobody knows whether they arrived.
    private func upload(_ rows: PartRows?, to job: String) -> RestRequest {
        var request = jobs.request("bulkUpload", .put, [job, "batches"])
        request.body = rows?.body ?? .empty
        request.fields = ["Content-Type": "text/csv"]
        request.effect = .writes(idempotent: false)
        request.expectation = .anything
        request.timeout = Self.uploadTime
        return request
    }

    /// Waits until a job has ended.
    func wait(for job: String, report: (BulkJob) -> Void) async throws(BulkError) -> Outcome {
        do throws(BulkError) {
            let watch = JobWatch(calls: jobs, patience: patience)
            return Outcome(answer: .state(try await watch.end(of: job, report: report)))
        } catch {
            guard error.code == .jobGone else { throw error }
            return Outcome(answer: .gone, failure: error.rest)
        }
    }
}
