// SPDX-License-Identifier: Apache-2.0

/// Rows that one job loads, and how far that is: which request is next, and what an answer means.
///
/// It sends nothing. What makes every row be applied once: the org works on a job only after it was closed, and no
/// second job is closed for a part. So before the one that is closed, jobs may be lost or given up at any moment; and
/// from the moment when the closing is noted, the part belongs to that job whatever happens.
struct LoadPart: Sendable {
    /// How far it is.
    ///
    /// The journal has it, so names stay.
    enum Phase: Codable, Sendable, Equatable {
        /// No job has its rows.
        case waiting
        /// A job is about to be made.
        case creating
        /// There is a job, and its rows may be at the org or not.
        case made(job: String)
        /// The job has its rows.
        case uploaded(job: String)
        /// The job is about to be closed: from now on no other job may have the rows.
        case closing(job: String)
        /// The org works on it.
        case running(job: String)
        /// The job has ended.
        case ended(job: String, Ending)
        /// The org does not know the job any more, so nobody can say what became of the rows.
        case lost(job: String)
        /// A job is given up before it was closed, so that none of its rows is ever applied.
        case givenUp(job: String)

        /// Whether it is nearer to the end than what fails again and again.
        var isNearer: Bool {
            switch self {
            case .uploaded, .running, .ended, .lost: true
            case .waiting, .creating, .made, .closing, .givenUp: false
            }
        }
    }

    /// How a job ended.
    struct Ending: Codable, Sendable, Equatable {
        let state: String
        let processed: Int
        let failed: Int
        let message: String?
    }

    /// What is to be done next.
    enum Step: Sendable, Equatable {
        case create
        case upload(job: String)
        case close(job: String)
        case look(job: String)
        case wait(job: String)
        case giveUp(job: String)
    }

    /// What came of a step.
    enum Answer: Sendable {
        case made(job: String)
        case uploaded
        case closed
        case state(BulkJob)
        case gone
        case givenUp
        /// It provably did nothing.
        case notDone
        /// Nobody knows what it did.
        case unclear
    }

    let cut: LoadRecord.Part
    private(set) var phase = Phase.waiting
    /// Whether the job was made by this process, which therefore knows that it has no rows yet.
    private var isFresh = false
    /// Whether the closing was asked for, so that the job has to be looked at first.
    private var isCloseUnclear = false

    init(_ cut: LoadRecord.Part) { self.cut = cut }

    /// The job that has the rows, or is to have them.
    var job: String? {
        switch phase {
        case .waiting, .creating, .givenUp: nil
        case .made(let job), .uploaded(let job), .closing(let job), .running(let job), .ended(let job, _),
            .lost(let job):
            job
        }
    }

    /// How its job ended, if it has.
    var ending: Ending? { if case .ended(_, let ending) = phase { ending } else { nil } }

    /// Whether nothing more is to be done.
    var isOver: Bool {
        switch phase {
        case .ended, .lost: true
        default: false
        }
    }

    /// What is to be done next; `nil` when it is over.
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

    /// The phase that is noted before a step is taken; `nil` where nothing has to be.
    func phase(before step: Step) -> Phase? {
        switch step {
        case .create: .creating
        case .close(let job): .closing(job: job)
        case .upload, .look, .wait, .giveUp: nil
        }
    }

    /// Takes over what the journal says.
    mutating func restore(_ phase: Phase) {
        enter(phase)
        isFresh = false
        if case .closing = phase { isCloseUnclear = true }
    }

    /// Enters a phase.
    mutating func enter(_ phase: Phase) {
        if case .closing = self.phase {} else { isCloseUnclear = false }
        self.phase = phase
    }

    /// Takes what came of a step.
    ///
    /// - Returns: the phase to note; `nil` when it is the one before.
    mutating func apply(_ answer: Answer, to step: Step) -> Phase? {
        switch (step, answer) {
        case (.create, .made(let job)):
            enter(.made(job: job))
            isFresh = true
        case (.create, .notDone):
            phase = .waiting
            return nil
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
            // It was not closed.
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
