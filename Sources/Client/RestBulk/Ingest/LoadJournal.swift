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

    /// Records the plan of the load, or checks that it is the recorded plan.
    ///
    /// - Throws: ``BulkError/Code/journal`` for another load, ``BulkError/Code/sourceChanged`` for another source file.
    func begin(_ plan: LoadRecord.Plan) throws(BulkError) {
        guard let known = state.plan else { return try add(LoadRecord(plan: plan)) }
        guard known != plan else { return }
        guard known.source != nil, known.source != plan.source else { throw journal.refusal(Self.otherLoad) }
        throw BulkError(
            .sourceChanged,
            "\(journal.path): the file is not what it was when the load began; a new load needs a new "
                + "journal")
    }

    /// Checks that a load may continue with the recorded plan.
    ///
    /// - Throws: ``BulkError/Code/journal`` for another load.
    func check(_ target: LoadTarget) throws(BulkError) {
        guard let plan = state.plan else { return }
        guard plan.object == target.object, plan.operation == target.operation.name,
            plan.externalID == target.operation.externalID
        else { throw journal.refusal(Self.otherLoad) }
    }

    private static let otherLoad = "it is of another load; take another one for each"

    /// Forgets everything that is recorded.
    func clear() throws(BulkError) {
        guard state.plan != nil else { return }
        try journal.clear()
        core.withLock { $0 = LoadState() }
    }

    /// Removes a journal, whatever the file contains.
    ///
    /// - Throws: ``BulkError/Code/journal`` if another process uses the journal, or if it is not a regular file.
    static func remove(_ path: String) throws(BulkError) {
        let journal = try BulkJournal<LoadRecord>(path: path, title: title)
        journal.remove()
        journal.close()
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

    func remove() { journal.remove() }

    func close() { journal.close() }
}
