// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The rows of one job and their progress, as a value that determines the next request and interprets its response.
///
/// Every row is applied once, because the org processes a job only after it was closed, and only one job of a part is
/// closed. Before that, a job may be lost or abandoned at any time. After the intent to close a job was recorded, the
/// part belongs to this job.
struct LoadPart: Sendable {
    /// The phase of a part.
    ///
    /// The journal contains it, so names must not change.
    enum Phase: Codable, Sendable, Equatable {
        /// No job has the rows.
        case waiting
        /// A job is about to be created.
        case creating
        /// The job exists. It may have the rows.
        case made(job: String)
        /// The job has the rows.
        case uploaded(job: String)
        /// The job is about to be closed. From now on no other job may get the rows.
        case closing(job: String)
        /// The org processes the job.
        case running(job: String)
        case ended(job: String, Ending)
        /// The org no longer has the job, so the outcome of its rows is unknown.
        case lost(job: String)
        /// The job was abandoned before it was closed, so none of its rows is ever applied.
        case givenUp(job: String)

        /// Whether entering this phase is progress, which resets the failure counter.
        var isNearer: Bool {
            switch self {
            case .uploaded, .running, .ended, .lost: true
            case .waiting, .creating, .made, .closing, .givenUp: false
            }
        }
    }

    struct Ending: Codable, Sendable, Equatable {
        let state: String
        let processed: Int
        let failed: Int
        let message: String?
    }

    enum Step: Sendable, Equatable {
        case create
        case upload(job: String)
        case close(job: String)
        case look(job: String)
        case wait(job: String)
        case giveUp(job: String)
    }

    enum Response: Sendable {
        case made(job: String)
        case uploaded
        case closed
        case state(BulkJob)
        case gone
        case givenUp
        /// The step had no effect.
        case notDone
        /// The effect of the step is unknown.
        case unclear
    }

    let cut: LoadRecord.Part
    private(set) var phase = Phase.waiting
    /// Whether this process created the job, so the job has no rows yet.
    private var isFresh = false
    /// Whether a request to close the job may have had an effect, so its state must be checked first.
    private var isCloseUnclear = false

    init(_ cut: LoadRecord.Part) { self.cut = cut }

    /// The job that has the rows or gets them.
    var job: String? {
        switch phase {
        case .waiting, .creating, .givenUp: nil
        case .made(let job), .uploaded(let job), .closing(let job), .running(let job), .ended(let job, _),
            .lost(let job):
            job
        }
    }

    /// The job, unless collections wrote the rows.
    var reportedJob: String? { job.flatMap { $0.removing(prefix: CollectionRun.mark) == nil ? $0 : nil } }

    var ending: Ending? { if case .ended(_, let ending) = phase { ending } else { nil } }

    var isOver: Bool {
        switch phase {
        case .ended, .lost: true
        default: false
        }
    }

    /// The next step, or `nil` if the part is over.
    var next: Step? {
        switch phase {
        case .waiting, .creating, .givenUp: .create
        case .made(let job): isFresh ? .upload(job: job) : .giveUp(job: job)
        case .uploaded(let job): .close(job: job)
        case .closing(let job): isCloseUnclear ? .look(job: job) : .close(job: job)
        case .running(let job): .wait(job: job)
        case .ended, .lost: nil
        }
    }

    /// The phase that the journal must record before a step, or `nil` if no phase must be recorded.
    func phase(before step: Step) -> Phase? {
        switch step {
        case .create: .creating
        case .close(let job): .closing(job: job)
        case .upload, .look, .wait, .giveUp: nil
        }
    }

    /// Enters a phase from the journal of an earlier process.
    mutating func restore(_ phase: Phase) {
        enter(phase)
        isFresh = false
        if case .closing = phase { isCloseUnclear = true }
    }

    mutating func enter(_ phase: Phase) {
        if case .closing = self.phase {} else { isCloseUnclear = false }
        self.phase = phase
    }

    /// Applies the result of a step, and returns the phase to record or `nil` if it did not change.
    mutating func apply(_ response: Response, to step: Step) -> Phase? {
        switch (step, response) {
        case (.create, .made(let job)):
            enter(.made(job: job))
            isFresh = true
        case (.create, .notDone): enter(.waiting)
        case (.upload(let job), .uploaded): enter(.uploaded(job: job))
        case (.upload, .unclear), (.upload, .gone):
            isFresh = false
            return nil
        case (.close(let job), .closed): enter(.running(job: job))
        case (.close, .unclear), (.close, .notDone):
            isCloseUnclear = true
            return nil
        case (.look(let job), .state(let state)), (.wait(let job), .state(let state)): look(job, state)
        case (.look(let job), .gone), (.wait(let job), .gone), (.close(let job), .gone): enter(.lost(job: job))
        case (.giveUp(let job), _): enter(.givenUp(job: job))
        default: return nil
        }
        if case .closing = phase { return nil }
        return phase
    }

    private mutating func look(_ job: String, _ state: BulkJob) {
        if state.state == .open {
            isCloseUnclear = false
        } else if state.state.isFinal {
            let ending = Ending(
                state: state.state.rawValue, processed: state.recordsProcessed, failed: state.recordsFailed,
                message: state.errorMessage)
            enter(.ended(job: job, ending))
        } else {
            enter(.running(job: job))
        }
    }
}
