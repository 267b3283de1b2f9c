// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Work in steps that survives a crash, as a value without I/O.
///
/// The plan selects the next step, interprets its result and creates the lines of the journal. ``WorkRun`` does the
/// rest, so that tests of a plan can try every order and every error.
package protocol WorkPlan: Sendable {
    /// A step, such as a request.
    associatedtype Step: Sendable
    /// The result of a step.
    associatedtype Response: Sendable
    /// The content of the journal.
    associatedtype Content: JournalContent
    /// A report of progress.
    associatedtype Progress: Sendable

    /// Returns the next step that can run in parallel with the steps in progress, or `nil` if no step can.
    mutating func next() -> Step?

    /// The line that the journal must have before a step begins.
    func line(before step: Step) -> Content.Line?

    /// Applies the result of a step.
    ///
    /// - Returns: the line that the journal records of it.
    mutating func apply(_ response: Response, to step: Step) -> Content.Line?

    /// Ends the work, because a line cannot be written to the journal.
    mutating func stop(_ failure: Content.Failure)

    /// Whether a line must survive a loss of power before the work continues.
    func isDurable(_ line: Content.Line) -> Bool

    /// The progress so far, including unfinished steps.
    mutating func progress() -> Progress
}

/// Runs the steps of a plan in parallel, writes its journal and reports its progress.
package final class WorkRun<Plan: WorkPlan>: Sendable {
    private struct Core {
        var plan: Plan
        var reporter: ProgressReporter<Plan.Progress>?
    }

    /// The journal, or `nil` for work that does not survive its process.
    package let journal: WorkJournal<Plan.Content>?
    private let core: Mutex<Core>

    /// Creates a run of a plan, which already contains the progress in the journal.
    package init(_ plan: Plan, journal: WorkJournal<Plan.Content>?) {
        self.journal = journal
        core = Mutex(Core(plan: plan))
    }

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

    /// Runs steps until none is left or the task is cancelled, and all started steps have ended.
    ///
    /// `handler` is called with the progress at most twenty times per second and once at the end. `perform` runs a
    /// step, and must return soon after its task is cancelled.
    package func run(
        reportingTo handler: (@Sendable (Plan.Progress) -> Void)?,
        _ perform: @escaping @Sendable (Plan.Step) async -> Plan.Response
    ) async {
        core.withLock { $0.reporter = handler.map { ProgressReporter($0) } }
        await withTaskGroup(of: (Plan.Step, Plan.Response).self) { group in
            while true {
                while !Task.isCancelled, let step = begin() {
                    group.addTask { (step, await perform(step)) }
                }
                guard let (step, response) = await group.next() else { return }
                var line: Plan.Content.Line?
                update { line = $0.apply(response, to: step) }
                if let line { record(line) }
            }
        }
        handler?(
            core.withLock { core in
                core.reporter = nil
                return core.plan.progress()
            })
    }

    /// Returns the next step after its line was written.
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
