// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One run of a load: goes on where the journal says, until all rows were worked on or something ends it.
final class LoadRun: Sendable {
    /// How often in a row a request of a part may fail.
    private static let mostFailures = 8
    private static let shortestPause = Duration.milliseconds(100)

    private struct Core {
        var pace = ProgressPace()
        /// How the jobs that are worked on stand.
        var working: [Int: BulkJob] = [:]
        /// How much of the uploads under way was sent.
        var sending: [Int: Int64] = [:]
    }

    private let journal: LoadJournal
    private let folder: LoadFolder
    private let calls: LoadCalls
    private let source: String?
    private let report: (@Sendable (BulkProgress) -> Void)?
    private let core = Mutex(Core())

    init(
        _ journal: LoadJournal, _ folder: LoadFolder, _ calls: LoadCalls, source: String?,
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
            var waiting = journal.state.parts.filter { !$0.isOver }.map(\.cut.number)
            if journal.state.whole == nil {
                for part in journal.state.parts {
                    failure = await Self.failure { () throws(BulkError) in try await cutter.pass(part.cut) }
                    if failure != nil { break }
                }
            }
            while true {
                let mayBegin = failure == nil && running < options.jobsAtOnce && !Task.isCancelled
                let isCut = journal.state.whole != nil
                if mayBegin, isCut || !options.checksAllFirst, let part = waiting.first {
                    waiting.removeFirst()
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
        let state = journal.state
        guard let part = try await cutter.next(state.parts.count + 1, before: state.rows) else {
            try journal.add(LoadRecord(whole: state.rows))
            return nil
        }
        try journal.add(LoadRecord(part: part))
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
            while let step = journal.state[part].next {
                guard !Task.isCancelled else { throw BulkError(.cancelled, "the load was cancelled") }
                if let phase = journal.state[part].phase(before: step) {
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
            try check(journal.state[part])
        }
    }

    private func perform(_ step: LoadPart.Step, _ part: Int) async throws(BulkError) -> LoadCalls.Outcome {
        switch step {
        case .create: return await calls.create()
        case .upload(let job):
            let rows = try PartRows(journal.state[part].cut, of: calls.plan, source: source, folder)
            return await calls.upload(rows, to: job) { [weak self] progress in
                self?.core.withLock { $0.sending[part] = progress.sent }
                self?.tell()
            }
        case .close(let job): return await calls.close(job)
        case .look(let job): return await calls.look(job)
        case .giveUp(let job): return await calls.giveUp(job)
        case .wait(let job):
            return try await calls.wait(for: job) { state in
                core.withLock { $0.working[part] = state }
                tell()
            }
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
        let longest = Self.shortestPause * (1 << max(0, failures - 1))
        let pause = max(longest * Double.random(in: 0.5..<1), error.retryAfter ?? .zero)
        do {
            try await calls.client.clock.sleep(until: calls.client.clock.now + pause, tolerance: nil)
        } catch {
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
        return BulkProgress(journal.state, working: working, sending: sending)
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

/// Sends the requests of a load, and says what each came to.
struct LoadCalls: Sendable {
    /// How long an upload may take; the platform ends it after ten minutes without a byte.
    private static let uploadTime = Duration.seconds(3_600)

    let client: RestClient
    let plan: LoadRecord.Plan
    let patience: BulkPatience

    var jobs: JobCalls { JobCalls(client: client, kind: .ingest) }

    /// What a request came to: an answer, and the failure behind it.
    struct Outcome: Sendable {
        let answer: LoadPart.Answer
        var failure: RestError?

        init(_ answer: LoadPart.Answer, _ failure: RestError? = nil) { (self.answer, self.failure) = (answer, failure) }
    }

    func create() async -> Outcome {
        do throws(RestError) {
            let job = try BulkJob.reading(await jobs.create(plan.job), .ingest).get()
            return Outcome(.made(job: job.id))
        } catch {
            return Outcome(error.outcome == .notApplied ? .notDone : .unclear, error)
        }
    }

    /// Sends the rows of a part.
    ///
    /// A job may get its rows once, so this is not sent again by itself when nobody knows what became of it.
    func upload(_ rows: PartRows, to job: String, progress: @escaping TransferProgress.Handler) async -> Outcome {
        var request = jobs.request("bulkUpload", .put, [job, "batches"]).reportingProgress(to: progress)
        request.body = rows.body
        request.fields = ["Content-Type": "text/csv"]
        request.effect = .writes(idempotent: false)
        request.expectation = .anything
        request.timeout = Self.uploadTime
        do throws(RestError) {
            _ = try await client.send(request)
            return Outcome(.uploaded)
        } catch {
            // A job that is refused may have rows all the same.
            return Outcome(error.outcome == .notApplied && error.mayPass ? .notDone : .unclear, error)
        }
    }

    func close(_ job: String) async -> Outcome {
        do throws(RestError) {
            _ = try await jobs.change(job, to: "UploadComplete")
            return Outcome(.closed)
        } catch {
            return Outcome(error.code == .notFound ? .gone : .unclear, error)
        }
    }

    func look(_ job: String) async -> Outcome {
        do throws(RestError) {
            return Outcome(.state(try BulkJob.reading(await jobs.look(job), .ingest).get()))
        } catch {
            return Outcome(error.code == .notFound ? .gone : .unclear, error)
        }
    }

    /// Gives a job up that has not been closed; where that fails it stays open, and is never worked on.
    func giveUp(_ job: String) async -> Outcome {
        do throws(RestError) { _ = try await jobs.change(job, to: "Aborted") } catch {
            return Outcome(.givenUp, error.code == .cancelled ? error : nil)
        }
        return Outcome(.givenUp)
    }

    func wait(for job: String, report: (BulkJob) -> Void) async throws(BulkError) -> Outcome {
        do throws(BulkError) {
            return Outcome(.state(try await JobWatch(calls: jobs, patience: patience).end(of: job, report: report)))
        } catch {
            guard error.code == .jobGone else { throw error }
            return Outcome(.gone, error.rest)
        }
    }
}
