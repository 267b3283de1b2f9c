// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// A load's journal, and the parts that stand beside it.
final class LoadJournal: Sendable {
    private static let title = "RestBulk load 1"

    private let journal: BulkJournal<LoadRecord>
    private let core: Mutex<LoadState>

    init(path: String) throws(BulkError) {
        journal = try BulkJournal(path: path, title: Self.title)
        var state = LoadState()
        for (number, record) in try journal.records().enumerated() {
            guard state.add(record) else { throw journal.refusal("line \(number + 2) is not one of a load") }
        }
        core = Mutex(state)
    }

    /// What it says.
    var state: LoadState { core.withLock(\.self) }

    /// Notes what is loaded, or checks that it is what was noted.
    func begin(_ plan: LoadRecord.Plan) throws(BulkError) {
        guard let known = state.plan else { return try add(LoadRecord(plan: plan)) }
        guard known != plan else { return }
        let isSource = known.source != plan.source && known.source != nil
        guard isSource else { throw journal.refusal("it is of another load; take another one for each") }
        throw BulkError(
            .sourceChanged,
            "\(journal.path): the file is not what it was when the load began; a new load needs a new "
                + "journal")
    }

    /// Notes rows that belong to one job, or that there are no more.
    func add(_ record: LoadRecord, isDurable: Bool = true) throws(BulkError) {
        try journal.add(record, isDurable: isDurable)
        _ = core.withLock { $0.add(record) }
    }

    /// Changes a part, and notes the phase that comes of it before anybody acts on it.
    @discardableResult
    func change<Result: Sendable>(
        _ part: Int, _ change: (inout LoadPart) -> (phase: LoadPart.Phase?, result: Result)
    ) throws(BulkError) -> Result {
        var copy = state[part]
        let (phase, result) = change(&copy)
        let changed = copy
        if let phase {
            // What is lost of these with the machine's power is found out by asking; a closing must not be lost.
            var isDurable = true
            if case .creating = phase { isDurable = false }
            if case .running = phase { isDurable = false }
            try journal.add(LoadRecord(step: LoadRecord.Step(part: part, phase: phase)), isDurable: isDurable)
        }
        core.withLock { $0[part] = changed }
        return result
    }

    func close() { journal.close() }

    func remove() { journal.remove() }
}
