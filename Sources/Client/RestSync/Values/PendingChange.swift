// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLStore

/// A change of one record that the server does not have yet: one row of the outbox.
///
/// A record has at most one row in each state. The app's edits go to the `open` row. A sync turns it into the `sent`
/// row before it sends the change, so an edit meanwhile makes a new `open` row, whose base is the value that is being
/// sent. Fields in conflict are in the `held` row. Fields that the schema or the org lacks are in the `orphaned` row,
/// which no sync reads.
struct PendingChange: Sendable, Hashable {
    enum Kind: String, Sendable { case create, update, delete }
    enum State: String, Sendable, CaseIterable { case sent, held, open, orphaned }

    /// The number of the row, which rises with each change.
    var number: Int64 = 0
    var object: String
    var record: String
    var kind: Kind
    var state = State.open
    /// The new values.
    var fields: JSONObject = [:]
    /// The values before the change, without fields that were never read.
    var base: JSONObject = [:]
    /// The server's values of a held change.
    var server: JSONObject = [:]
    var reason: SyncConflict.Reason?
    /// The idempotency key of a new record.
    var key: String?
    /// The server's time shortly before the change was sent, in seconds since 1970.
    var sentAt: Int?

    init(_ kind: Kind, of object: String, _ record: String) {
        (self.kind, self.object, self.record) = (kind, object, record)
    }

    /// Whether the change is held because the server did not show the record.
    var isHeldForLoss: Bool {
        switch reason {
        case .deletedOnServer, .merged, .notVisible: state == .held
        default: false
        }
    }

    /// Whether the change has no effect.
    var isEmpty: Bool { kind == .update && fields.isEmpty }

    /// Whether the change is an open update, and the server's record has the values before it in all of its fields.
    func isBased(on record: JSONObject, _ object: SObjectSchema) throws(OrgError) -> Bool {
        guard kind == .update, state == .open else { return false }
        for (name, value) in fields {
            guard let field = object.field(named: name), let given = record[name] else { return false }
            let theirs = try field.stored(given)
            if theirs == value || theirs != base[name] { return false }
        }
        return true
    }

    /// Adds an edit of fields, whose values before the edit are in `current`.
    ///
    /// An edit back to the base value removes the field.
    mutating func add(_ edit: JSONObject, over current: JSONObject) {
        for (name, value) in edit {
            if kind == .update, fields[name] == nil { base[name] = current[name] }
            fields[name] = value
            if kind == .update, let old = base[name], old == value { drop(name) }
        }
    }

    /// Removes a field from the change.
    mutating func drop(_ name: String) {
        fields[name] = JSONValue?.none
        base[name] = JSONValue?.none
        server[name] = JSONValue?.none
    }

    /// Returns one change with the effect of both, after the server certainly did not apply this one.
    ///
    /// Returns `nil` if nothing remains, because a new record was deleted.
    func followed(by later: PendingChange?) -> PendingChange? {
        var merged = self
        (merged.state, merged.sentAt) = (.open, nil)
        guard let later else { return merged.isEmpty ? nil : merged }
        if later.kind == .delete {
            guard kind != .create else { return nil }
            merged.kind = .delete
            // The stamp of a deletion is the state that the app saw.
            if merged.base["SystemModstamp"] == nil { merged.base["SystemModstamp"] = later.base["SystemModstamp"] }
            return merged
        }
        for (name, value) in later.base where merged.fields[name] == nil { merged.base[name] = value }
        for (name, value) in later.fields {
            merged.fields[name] = value
            if kind == .update, let old = merged.base[name], old == value { merged.drop(name) }
        }
        return merged.isEmpty ? nil : merged
    }

    /// Returns a copy with the server's ids in place of temporary ids.
    func renamed(by ids: [String: String]) -> PendingChange {
        var copy = self
        copy.record = ids[record] ?? record
        for (name, value) in fields {
            if let id = value.string.flatMap({ ids[$0] }) { copy.fields[name] = JSONValue(id) }
        }
        for (name, value) in base {
            if let id = value.string.flatMap({ ids[$0] }) { copy.base[name] = JSONValue(id) }
        }
        return copy
    }
}
