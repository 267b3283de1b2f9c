// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// The three-way merge of a record: the base, the local change, and the server's current values.
///
/// The values are compared in the form in which they are stored. A field that only one side changed takes that side's
/// value. A field that both sides changed to different values is a conflict, which the policy decides.
struct RecordMerge {
    /// The change that remains to be sent, or `nil` if the server has all of its values.
    var open: PendingChange?
    /// The fields in conflict, or `nil`.
    var held: PendingChange?
    /// The values that the copy shows: the server's, with the remaining local changes over them.
    private(set) var values: JSONObject
    /// Whether the copy shows the record as deleted.
    var isDeleted: Bool { [open, held].contains { $0?.kind == .delete } }

    private let server: JSONObject
    private let policy: SyncConflict.Policy

    /// Merges the server's values into the changes of a record.
    init(
        open: PendingChange?, held: PendingChange?, server: JSONObject, policy: SyncConflict.Policy
    ) {
        (self.open, self.held, self.server, self.policy) = (open, held, server, policy)
        values = server
        mergeHeld()
        mergeOpen()
        for change in [self.held, self.open].compactMap(\.self) where change.kind != .delete {
            for (name, value) in change.fields { values[name] = value }
        }
    }

    /// Brings the server's values of held fields up to date, and ends conflicts that no longer exist.
    private mutating func mergeHeld() {
        if let held, held.isHeldForLoss {
            // The server shows the record again.
            open = held.followed(by: open)
            open?.reason = nil
            open?.server = [:]
            self.held = nil
        }
        if held?.reason == .changedOnServerDeletedHere { held?.server = server }
        guard var held, held.reason == .changedOnBothSides else { return }
        for (name, value) in held.fields {
            guard let theirs = server[name] else { continue }
            if theirs == value {
                held.drop(name)
            } else if theirs == held.base[name] {
                // The server has the base value again, so only this side has changed the field.
                var change = open ?? PendingChange(.update, of: held.object, held.record)
                if change.kind == .update, change.fields[name] == nil {
                    change.fields[name] = value
                    change.base[name] = theirs
                }
                open = change
                held.drop(name)
            } else {
                held.server[name] = theirs
            }
        }
        self.held = held.isEmpty ? nil : held
    }

    private mutating func mergeOpen() {
        guard let change = open else { return }
        switch change.kind {
        case .create: return
        case .delete: mergeDeletion(change)
        case .update:
            var rest = change
            for (name, value) in change.fields {
                guard let theirs = server[name] else { continue }
                if theirs == value {
                    rest.drop(name)
                } else if let base = change.base[name], base != theirs {
                    decide(name, base, value, theirs, &rest)
                } else {
                    rest.base[name] = theirs
                }
            }
            open = rest.isEmpty ? nil : rest
        }
    }

    /// Applies the policy to a field that both sides changed.
    private mutating func decide(
        _ name: String, _ base: JSONValue, _ local: JSONValue, _ theirs: JSONValue, _ rest: inout PendingChange
    ) {
        switch policy {
        case .server: rest.drop(name)
        case .local: rest.base[name] = theirs
        case .ask: hold(name, base, local, theirs, &rest)
        case .custom(let choose):
            let field = SyncConflict.Field(name: name, base: base, local: local, server: theirs)
            guard let chosen = choose(rest.object, rest.record, field) else {
                return hold(name, base, local, theirs, &rest)
            }
            if chosen == theirs { return rest.drop(name) }
            rest.fields[name] = chosen
            rest.base[name] = theirs
        }
    }

    private mutating func hold(
        _ name: String, _ base: JSONValue, _ local: JSONValue, _ theirs: JSONValue, _ rest: inout PendingChange
    ) {
        rest.drop(name)
        var change = held ?? PendingChange(.update, of: rest.object, rest.record)
        if held == nil { (change.state, change.reason) = (.held, .changedOnBothSides) }
        change.fields[name] = local
        change.base[name] = base
        change.server[name] = theirs
        held = change
    }

    /// A deletion applies to the state that the app saw.
    private mutating func mergeDeletion(_ change: PendingChange) {
        guard let stamp = server["SystemModstamp"], let base = change.base["SystemModstamp"], stamp != base else {
            return
        }
        switch policy {
        case .local: open?.base["SystemModstamp"] = stamp
        case .server: open = nil
        case .ask, .custom:
            var conflict = change
            (conflict.state, conflict.reason, conflict.server) = (.held, .changedOnServerDeletedHere, server)
            (held, open) = (conflict, nil)
        }
    }
}
