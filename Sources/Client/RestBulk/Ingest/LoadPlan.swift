// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The steps of a load, as a value without I/O that cuts the rows into parts and selects the next step of each part.
///
/// After an error no further part is cut or started. The started parts continue to their ends.
struct LoadPlan: WorkPlan {
    typealias Content = LoadState

    enum Step: Sendable {
        /// Reads the rows of the recorded parts again, because an earlier run did not reach the end of the rows.
        case pass([LoadRecord.Part])
        case cut(number: Int, before: Int)
        /// A step of the part with this number, after a wait if the part's last step failed.
        case part(Int, LoadPart.Step, after: Failure?)
    }

    /// The error of a part's last step, and the number of errors in a row.
    struct Failure: Sendable {
        let error: RestError
        let count: Int
    }

    enum Response: Sendable {
        case passed
        /// The next part, or `nil` if there are no more rows.
        case cut(LoadRecord.Part?)
        case part(LoadCalls.Outcome)
        case failed(BulkError)
    }

    /// The maximum number of errors in a row of one part.
    private static let maximumFailures = 8

    private(set) var state: LoadState
    private(set) var failure: BulkError?
    private let options: BulkLoad.Options
    private var isPassing = false
    private var isCutting = false
    private var isStopped = false
    /// The parts that were not begun.
    private var waiting: ArraySlice<Int>
    /// The parts that were begun and can take their next step.
    private var ready: [(part: Int, after: Failure?)] = []
    /// The number of parts that were begun and are not over.
    private var begun = 0
    /// The number of errors in a row, by part.
    private var failures: [Int: Int] = [:]
    /// The latest status of the jobs that are running, by part.
    private var jobs: [Int: BulkJob] = [:]
    /// The bytes that uploads in flight have sent, by part.
    private var sent: [Int: Int64] = [:]

    /// Creates the plan, where `hasRead` means that this run cut the recorded parts itself.
    init(_ state: LoadState, _ options: BulkLoad.Options, hasRead: Bool = false) {
        (self.state, self.options) = (state, options)
        waiting = state.parts.filter { !$0.isOver }.map(\.cut.number)[...]
        isPassing = !hasRead && !state.isWhole && !state.parts.isEmpty
    }

    mutating func next() -> Step? {
        guard !isStopped else { return nil }
        if isPassing {
            guard !isCutting, failure == nil else { return nil }
            isCutting = true
            return .pass(state.parts.map(\.cut))
        }
        if !ready.isEmpty {
            let (part, after) = ready.removeFirst()
            return step(of: part, after: after)
        }
        guard failure == nil, begun < options.jobsAtOnce else { return nil }
        if state.isWhole || !options.checksAllFirst, let part = waiting.popFirst() {
            begun += 1
            return step(of: part, after: nil)
        }
        guard !state.isWhole, !isCutting else { return nil }
        isCutting = true
        return .cut(number: state.parts.count + 1, before: state.rows)
    }

    private mutating func step(of part: Int, after failure: Failure?) -> Step? {
        guard let step = state[part].next else { return nil }
        if let phase = state[part].phase(before: step) { state[part].enter(phase) }
        return .part(part, step, after: failure)
    }

    func line(before step: Step) -> LoadRecord? {
        guard case .part(let part, let step, _) = step else { return nil }
        return state[part].phase(before: step).map { .step(part: part, $0) }
    }

    /// Whether a line must not be lost, such as the intent to close a job, after which no other job may get its rows.
    ///
    /// After a loss of power the org still knows whether a job was made or closed.
    func isDurable(_ line: LoadRecord) -> Bool {
        switch line {
        case .step(_, .waiting), .step(_, .creating), .step(_, .running): false
        case .plan, .part, .step, .whole, .collections, .sent, .outcomes: true
        }
    }

    mutating func apply(_ response: Response, to step: Step) -> LoadRecord? {
        switch (step, response) {
        case (.pass, .passed): (isPassing, isCutting) = (false, false)
        case (.cut, .cut(let part)):
            isCutting = false
            let line = part.map { LoadRecord.part($0) } ?? .whole(rows: state.rows)
            guard state.add(line) else { return nil }
            if let part { waiting.append(part.number) }
            return line
        case (.part(let part, let step, _), .part(let outcome)):
            let phase = state[part].apply(outcome.response, to: step)
            sent[part] = nil
            if phase?.isNearer ?? false { failures[part] = nil }
            proceed(part, outcome.failure, at: step)
            return phase.map { .step(part: part, $0) }
        case (.part, .failed(let error)):
            begun -= 1
            fail(error)
        case (_, .failed(let error)):
            isCutting = false
            fail(error)
        default: break
        }
        return nil
    }

    /// Lets a part take its next step, or ends it.
    private mutating func proceed(_ part: Int, _ error: RestError?, at step: LoadPart.Step) {
        var after: Failure?
        if let error {
            let count = failures[part, default: 0] + 1
            failures[part] = count
            after = Failure(error: error, count: count)
            guard count < Self.maximumFailures, error.mayPass || error.code == .notFound || step.isLookedUp(error)
            else {
                begun -= 1
                return fail(BulkError(error, job: step.job))
            }
        }
        guard !state[part].isOver else {
            begun -= 1
            if let problem = state[part].problem { fail(problem) }
            return
        }
        ready.append((part, after))
    }

    private mutating func fail(_ error: BulkError) { failure = failure ?? error }

    mutating func stop(_ failure: BulkError) {
        fail(failure)
        isStopped = true
    }
}

extension LoadPlan {
    mutating func note(_ job: BulkJob, of part: Int) { jobs[part] = job }

    /// Records the number of bytes of a part's rows that an upload has sent.
    mutating func note(_ sent: Int64, of part: Int) { self.sent[part] = sent }

    func progress() -> BulkProgress {
        var progress = BulkProgress()
        progress.rows = state.rows
        for part in state.parts {
            let (number, rows, ending) = (part.cut.number, part.cut.rows, part.ending)
            progress.rowsProcessed += min(rows, ending?.processed ?? jobs[number]?.recordsProcessed ?? 0)
            progress.rowsFailed += min(rows, ending?.failed ?? jobs[number]?.recordsFailed ?? 0)
            progress.jobs += part.job == nil ? 0 : 1
            progress.jobsEnded += part.isOver ? 1 : 0
            progress.bytes += part.isSent ? part.cut.bytes : min(part.cut.bytes, sent[number] ?? 0)
        }
        progress.recordsProcessed = progress.rowsProcessed
        return progress
    }
}

extension LoadPart {
    fileprivate var isSent: Bool {
        switch phase {
        case .uploaded, .closing, .running, .ended, .lost: true
        case .waiting, .creating, .made, .givenUp: false
        }
    }

    /// The error of an end that is impossible, or that other jobs would have as well.
    fileprivate var problem: BulkError? {
        guard let ending else { return nil }
        if ending.processed > cut.rows || ending.failed > ending.processed {
            return BulkError(
                .response,
                "the org reported that \(ending.processed) of \(cut.rows) rows were processed, and "
                    + "\(ending.failed) failed", job: job)
        }
        return BulkJob.failure(BulkJob.State(rawValue: ending.state), ending.message, job: job)
    }
}

extension LoadPart.Step {
    var job: String? {
        switch self {
        case .create: nil
        case .upload(let job), .close(let job), .look(let job), .wait(let job), .giveUp(let job): job
        }
    }

    /// Whether the part continues after this error although the error is permanent: the org rejected the closing of
    /// the job, and the next step asks for the job's state.
    fileprivate func isLookedUp(_ error: RestError) -> Bool {
        if case .close = self { error.code == .api } else { false }
    }
}
