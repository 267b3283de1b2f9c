// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestModels
import RestSync
import Synchronization

/// A copy of a schedule, whose process can end at each transaction.
final class SimulatedCopy: Sendable {
    private struct State {
        var store: SyncStore?
        var isSyncing = false
        /// The number of transactions until the process ends, or `nil` if it does not end.
        var writesLeft: Int?
        var isKilled = false
        /// The number of edits and decisions of the user.
        var changes = 0
    }

    let number: Int
    let path: String
    /// The records of the copy.
    let query: SOQL
    /// Whether records leave the copy when the org's users hide them.
    let isNarrow: Bool
    /// The number of ancestors of each record that the copy has too, even if they are hidden.
    let ancestors: Int
    /// The difference between the copy's server and the org's records, in seconds.
    let skew: Int
    private let settings: SyncStore.Options
    private let state = Mutex(State())

    static let schema = Result { try SyncSchema(describe: SimulatedOrg.describe(isStandard: true)) }

    init(_ number: Int, in directory: String, run: String, random: inout SplitMix64) {
        self.number = number
        path = "\(directory)/\(run)-\(number)"
        skew = Int.random(in: -2...2, using: &random)
        isNarrow = Int.random(in: 0..<4, using: &random) == 0
        ancestors = isNarrow ? Int.random(in: 0...2, using: &random) : 0
        let path = String(repeating: "Parent.", count: ancestors) + "Name"
        let fields = SimulatedOrg.compared.joined(separator: ", ")
        let hidden = SimulatedOrg.ownFields[SimulatedOrg.mostCopies]
        query = SOQL(
            raw: "SELECT \(fields), Run__c, \(path) FROM Account WHERE Run__c = '\(run)'"
                + (isNarrow ? " AND \(hidden) != 'hidden'" : ""))
        var settings = SyncStore.Options()
        settings.readers = 2
        // Windows of changes, or comparisons of all ids.
        settings.mostCompared = Bool.random(using: &random) ? 2_000 : 0
        switch Int.random(in: 0..<6, using: &random) {
        case 0: settings.policy = .server
        case 1: settings.policy = .local
        default: settings.policy = .ask
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: settings.keyFields = ["Account": "ExternalId__c"]
        case 1: settings.keyFields = ["Account": "Key__c"]
        default: break
        }
        self.settings = settings
    }

    var asks: Bool { if case .ask = settings.policy { true } else { false } }
    var drops: Bool { if case .server = settings.policy { true } else { false } }
    var overwrites: Bool { if case .local = settings.policy { true } else { false } }
    /// Whether new records have a field that identifies them.
    var hasKeys: Bool { !settings.keyFields.isEmpty }
    var isKilled: Bool { state.withLock(\.isKilled) }
    var isSyncing: Bool { state.withLock(\.isSyncing) }
    /// The number of edits and decisions of the user.
    var changes: Int { state.withLock(\.changes) }

    /// The store, or `nil` after the end of the process.
    var store: SyncStore? { state.withLock { $0.isKilled ? nil : $0.store } }

    func noteChange() { state.withLock { $0.changes += 1 } }

    /// Opens the copy, again after the end of its process.
    func open() async throws {
        var settings = settings
        settings.willWrite = { [weak self] in self?.willWrite() }
        let store = try await SyncStore.open(path, schema: try Self.schema.get(), options: settings)
        state.withLock { state in
            (state.store, state.isKilled, state.writesLeft) = (store, false, nil)
        }
    }

    /// Begins a sync, after some of whose transactions the process ends.
    func begin(killAfter writes: Int?) {
        state.withLock { state in (state.isSyncing, state.writesLeft) = (true, writes) }
    }

    func end() { state.withLock { state in (state.isSyncing, state.writesLeft) = (false, nil) } }

    /// Ends the process: nothing that happens later reaches the file.
    func kill() {
        let store = state.withLock { state in
            state.isKilled = true
            return state.store
        }
        store?.close()
    }

    private func willWrite() {
        let isDue = state.withLock { state in
            guard state.isSyncing, !state.isKilled, let left = state.writesLeft else { return false }
            state.writesLeft = left - 1
            return left == 0
        }
        if isDue { kill() }
    }

    func close() { state.withLock { $0.store }?.close() }
}
