// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSync

/// A promise of an offline copy that a schedule has seen broken.
package enum SyncFault: Sendable, Hashable {
    /// An edit or a new record is neither in the org nor was it in a conflict.
    case lost(String)
    /// A record was created twice.
    case doubled(String)
    /// A copy and the org differ at the end.
    case unequal(String)
    /// A conflict was not reported, reported twice, or reported without a reason.
    case conflict(String)
    /// A call failed with an error that no fault explains.
    case error(String)
}

/// Everything that the writers of a schedule did, and what the org showed meanwhile.
///
/// Values are numbers that occur only once, so each value has one writer.
struct SyncLedger {
    private struct Edited: Hashable {
        let writer: Int
        let name: String
    }

    private(set) var faults: [SyncFault] = []
    /// The names of all records by their ids, also by temporary ids.
    private(set) var names: [String: String] = [:]
    private var created: Set<String> = []
    /// The names of records that a writer deleted or merged, so that the other side decides about their edits.
    private var mayBeGone: Set<String> = []
    /// The records into which others were merged, which can have the values of both.
    private var mixed: Set<String> = []
    /// The last value of each writer's own field.
    private var last: [Edited: String] = [:]
    /// The last value of the shared field that a copy wrote and that was not in a conflict.
    private var sharedEdits: [Edited: Int] = [:]
    /// The values of the shared field that the user of a copy has seen, in the record or in a conflict.
    private var known: [Edited: Set<Int>] = [:]
    /// The present value and all values of the shared field in the org.
    private var present: [String: Int] = [:], past: [String: Set<Int>] = [:]

    mutating func report(_ fault: SyncFault) { faults.append(fault) }

    mutating func name(_ name: String, of id: String) { names[id] = name }

    mutating func createdRecord(_ name: String) { created.insert(name) }

    mutating func deletedRecord(_ name: String) { mayBeGone.insert(name) }

    mutating func mergedRecord(_ name: String, into master: String) {
        mayBeGone.insert(name)
        mixed.insert(master)
    }

    mutating func edited(_ name: String, by writer: Int, own value: String) {
        last[Edited(writer: writer, name: name)] = value
    }

    /// Records an edit of the shared field, for which the copy showed a value before.
    mutating func edited(_ name: String, by copy: Int, shared value: Int, over shown: Int?) {
        let edited = Edited(writer: copy, name: name)
        if let shown { known[edited, default: []].insert(shown) }
        sharedEdits[edited] = value
    }

    /// Records that the user of a copy gave up the edit of the shared field.
    mutating func gaveUp(_ name: String, by copy: Int) { sharedEdits[Edited(writer: copy, name: name)] = nil }

    func isMixed(_ name: String) -> Bool { mixed.contains(name) || mayBeGone.contains(name) }

    /// Records what the org shows after a request of a writer.
    mutating func observed(_ records: [JSONObject], after writer: Int, mayOverwrite: Bool) {
        for record in records {
            guard let name = record["Name"]?.string else { continue }
            if let id = record["Id"]?.string { names[id] = name }
            guard let value = record[SimulatedOrg.shared]?.int, present[name] != value else { continue }
            let edited = Edited(writer: writer, name: name)
            if let old = present[name], !mayOverwrite, !isMixed(name), !(known[edited]?.contains(old) ?? false) {
                faults.append(.conflict("\(writer) overwrote \(old) of \(name) with \(value) unseen"))
            }
            present[name] = value
            past[name, default: []].insert(value)
        }
    }

    /// Records the conflicts that a copy lists.
    mutating func listed(_ conflicts: [SyncConflict], by copy: Int) {
        for conflict in conflicts {
            guard let name = names[conflict.recordID] else { continue }
            let edited = Edited(writer: copy, name: name)
            for field in conflict.fields {
                if field.name == SimulatedOrg.shared, let server = field.server?.int {
                    known[edited, default: []].insert(server)
                }
                if field.name == SimulatedOrg.ownFields[copy], conflict.reason == .changedOnBothSides, !isMixed(name) {
                    faults.append(.conflict("\(copy) has a conflict of its own field of \(name): \(field)"))
                }
            }
            if [.deletedOnServer, .notVisible, .changedOnServerDeletedHere].contains(conflict.reason), !isMixed(name) {
                faults.append(.conflict("\(copy) lists \(conflict.reason) of \(name), which no writer deleted"))
            }
        }
    }

    /// Checks the org's records at the end.
    mutating func check(_ records: [JSONObject], dropping droppers: Set<Int>) {
        let found = records.compactMap { $0["Name"]?.string }
        let all = Dictionary(records.map { ($0["Name"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        for name in all.keys where found.count(where: { $0 == name }) > 1 { faults.append(.doubled(name)) }
        for name in created.subtracting(mayBeGone) where all[name] == nil { faults.append(.lost("record \(name)")) }
        for (edited, value) in last where !isMixed(edited.name) {
            guard let record = all[edited.name] else { continue }
            let field = SimulatedOrg.ownFields[edited.writer]
            if record[field]?.string != value {
                let found = record[field]?.string ?? "null"
                faults.append(.lost("\(edited.name).\(field) is \(found) instead of \(value)"))
            }
        }
        for (edited, value) in sharedEdits where !isMixed(edited.name) && !droppers.contains(edited.writer) {
            if !(past[edited.name]?.contains(value) ?? false) {
                faults.append(.lost("\(value) of \(edited.name) by \(edited.writer) never reached the org"))
            }
        }
    }
}
