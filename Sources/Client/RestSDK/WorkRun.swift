// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Work in steps that survives a crash, as a value that sends and writes nothing.
///
/// The plan decides which step is next and what its result means, and says what the journal records of it. ``WorkRun``
/// does the rest, so a test of a plan can try every order and every error.
package protocol WorkPlan: Sendable {
    /// A step, such as a request.
    associatedtype Step: Sendable
    /// The result of a step.
    associatedtype Answer: Sendable
    /// The content of the journal.
    associatedtype Content: JournalContent
    /// A report of progress.
    associatedtype Progress: Sendable

    /// Takes the next step that can run next to the steps in progress; `nil` if there is none.
    mutating func next() -> Step?

    /// The line that the journal must have before a step begins.
    func line(before step: Step) -> Content.Line?

    /// Applies the result of a step.
    ///
    /// - Returns: the line that the journal records of it.
    mutating func apply(_ answer: Answer, to step: Step) -> Content.Line?

    /// Ends the work because a line cannot be recorded.
    mutating func stop(_ failure: Content.Failure)

    /// Whether a line must survive a loss of power before the work continues.
    func isDurable(_ line: Content.Line) -> Bool

    /// The progress so far, also of the steps that have not ended.
    mutating func progress() -> Progress
}

/// The run of a plan: performs its steps, several at a time, keeps its journal and reports its progress.
package final class WorkRun<Plan: WorkPlan>: Sendable {
    private struct Core {
        var plan: Plan
        var reporter: ProgressReporter<Plan.Progress>?
    }

    /// The journal; `nil` for work that does not survive its process.
    package let journal: WorkJournal<Plan.Content>?
    private let core: Mutex<Core>

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - plan: the work, as far as the journal says that it is done.
    ///   - journal: the journal of the work.
    package init(_ plan: Plan, journal: WorkJournal<Plan.Content>?) {
        self.journal = journal
        core = Mutex(Core(plan: plan))
    }

    /// Reads a part of the plan.
    package func read<Value: Sendable>(_ part: (Plan) -> Value) -> Value { core.withLock { part($0.plan) } }

    /// Changes the plan, and reports the progress if a report is due.
    package func update(_ change: (inout Plan) -> Void) {
        let report = core.withLock { core -> ((@Sendable (Plan.Progress) -> Void), Plan.Progress)? in
            change(&core.plan)
            guard core.reporter?.isDue() == true, let handler = core.reporter?.handler else { return nil }
            return (handler, core.plan.progress())
        }
        if let (handler, progress) = report { handler(progress) }
    }

    /// Performs steps until none is left and all have ended, or until the task is cancelled and all have ended.
    ///
    /// - Parameters:
    ///   - handler: receives the progress at most twenty times per second, and once at the end.
    ///   - perform: performs a step. It returns soon after its task is cancelled.
    package func run(
        reportingTo handler: (@Sendable (Plan.Progress) -> Void)?,
        _ perform: @escaping @Sendable (Plan.Step) async -> Plan.Answer
    ) async {
        core.withLock { $0.reporter = handler.map { ProgressReporter($0) } }
        await withTaskGroup(of: (Plan.Step, Plan.Answer).self) { group in
            while true {
                while !Task.isCancelled, let step = begin() {
                    group.addTask { (step, await perform(step)) }
                }
                guard let (step, answer) = await group.next() else { return }
                var line: Plan.Content.Line?
                update { line = $0.apply(answer, to: step) }
                if let line { record(line) }
            }
        }
        handler?(
            core.withLock { core in
                core.reporter = nil
                return core.plan.progress()
            })
    }

    /// Takes the next step, and records its line.
    private func begin() -> Plan.Step? {
        while let step = core.withLock({ $0.plan.next() }) {
            guard let line = read({ $0.line(before: step) }), !record(line) else { return step }
        }
        return nil
    }

    @discardableResult
    private func record(_ line: Plan.Content.Line) -> Bool {
        guard let journal else { return true }
        do throws(Plan.Content.Failure) {
            try journal.add(line, isDurable: read { $0.isDurable(line) })
            return true
        } catch {
            update { $0.stop(error) }
            return false
        }
    }
}
