// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore

extension SyncStore {
    /// The local changes that wait for a decision, in the order in which they were found.
    public var conflicts: [SyncConflict] {
        get throws(SyncError) {
            try read { (connection) throws(OrgError) in
                try Outbox(connection: connection).changes(.held, .orphaned).map { SyncConflict($0) }
            }
        }
    }

    /// The number of local changes that the next sync sends.
    public var pendingCount: Int {
        get throws(SyncError) {
            try read { (connection) throws(OrgError) in
                try connection.fetch("SELECT count(*) FROM \"sync.Outbox\" WHERE \"State\" IN ('open', 'sent')") {
                    Int(clamping: $0.integer(0))
                }.first ?? 0
            }
        }
    }

    /// The ids of the records whose local changes the next sync sends.
    public var pendingRecords: Set<String> {
        get throws(SyncError) {
            try read { (connection) throws(OrgError) in
                Set(
                    try connection.fetch("SELECT \"Record\" FROM \"sync.Outbox\" WHERE \"State\" IN ('open', 'sent')") {
                        $0.text(0)
                    })
            }
        }
    }

    /// Resolves a conflict.
    ///
    /// A local change is sent by the next sync, as a change of the server's current values. A record that was deleted
    /// on the server is restored from its recycle bin first.
    ///
    /// - Parameters:
    ///   - conflict: the conflict. If it was resolved before, nothing happens.
    ///   - resolution: the decision.
    /// - Throws: ``SyncError/Code/invalid`` for values of other fields or of the wrong type.
    public func resolve(_ conflict: SyncConflict, with resolution: SyncConflict.Resolution) throws(SyncError) {
        // Only the server's side can be chosen for an object that the schema lacks.
        let known = resolution == .server ? schema.object(named: conflict.object) : try object(conflict.object)
        try write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            guard let held = try outbox.change(number: conflict.id), [.held, .orphaned].contains(held.state) else {
                return
            }
            guard let object = known else {
                try outbox.remove(held.record, held.state)
                return held.kind == .create ? try outbox.clear(held.record) : ()
            }
            if resolution != .server { try Self.checkNames(of: held, object) }
            try outbox.remove(held.record, held.state)
            switch resolution {
            case .server: try self.giveUp(held, object, connection)
            case .local: try self.insist(held, object, connection)
            case .values(let given):
                var chosen = held
                for (name, value) in try self.records.checked(given, of: object, isCreate: false) {
                    guard held.fields[name] != nil else {
                        throw OrgError("INVALID_FIELD", "\(name) is not in conflict", fields: [name])
                    }
                    chosen.fields[name] = value
                }
                try self.insist(chosen, object, connection)
            }
        }
    }

    /// Checks that the schema has the fields of a change again.
    private static func checkNames(of change: PendingChange, _ object: SObjectSchema) throws(OrgError) {
        guard let lost = change.fields.keys.first(where: { object.field(named: $0) == nil }) else { return }
        throw OrgError(
            "INVALID_FIELD",
            "the schema has no field \(object.name).\(lost); edit another field, then choose the server's side",
            fields: [lost])
    }

    /// Drops a change, and shows the server's values.
    private func giveUp(
        _ held: PendingChange, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        let outbox = Outbox(connection: connection)
        switch held.reason {
        case .deletedOnServer, .merged, .notVisible:
            try outbox.remove(held.record, .open)
            try records.remove(held.record, of: object, connection)
        case _ where held.kind == .create: try forget(held.record, of: object, connection)
        default:
            var values = held.base
            for (name, value) in held.server { values[name] = value }
            if held.state == .orphaned {
                guard let known = try records.fields(of: held.record, object, connection) else { return }
                // What has no room in the schema is read again.
                for (name, value) in values where (try? records.stored([name: value], of: object)) == nil {
                    values[name] = known[name]
                }
            }
            values["IsDeleted"] = false
            if let open = try outbox.change(held.record, .open) {
                for (name, value) in open.fields { values[name] = value }
            }
            try records.put(held.record, try records.stored(values, of: object), of: object, connection)
        }
    }

    /// Sends a change after all, over the server's values.
    private func insist(
        _ held: PendingChange, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        let outbox = Outbox(connection: connection)
        var change = held
        for (name, value) in held.server where change.fields[name] != nil || held.kind == .delete {
            change.base[name] = value
        }
        (change.state, change.reason, change.server) = (.open, nil, [:])
        if case .deletedOnServer = held.reason { change.key = PendingChange.restoring }
        if case .merged(let master) = held.reason {
            // The edit belongs to the record into which this one was merged.
            try outbox.remove(held.record, .open)
            try records.remove(held.record, of: object, connection)
            change = PendingChange(.update, of: held.object, master)
            let current = try records.fields(of: master, object, connection)
            change.add(held.fields, over: current ?? [:])
            if current != nil { try records.put(master, held.fields, of: object, connection) }
            guard let merged = change.followed(by: try outbox.change(master, .open)) else { return }
            return try outbox.save(merged)
        }
        let open = try outbox.change(held.record, .open)
        // The field of a new record, which was orphaned before the record was sent.
        let isLater = open?.kind == .create
        let merged = isLater ? open?.followed(by: change) : change.followed(by: open)
        try outbox.remove(held.record, .open)
        guard let merged else { return }
        try outbox.save(merged)
        if merged.kind != .delete { try records.put(held.record, merged.fields, of: object, connection) }
        try readAgain(before: held, object, connection)
    }

    /// Makes the next sync read a record before it sends a rejected update again.
    ///
    /// Since the update was first sent, others can have changed its fields, which a pull does not compare with it.
    func readAgain(
        before held: PendingChange, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        guard case .rejected = held.reason, held.kind == .update else { return }
        try records.put(held.record, ["LastModifiedDate": .null], of: object, connection)
    }
}

extension PendingChange {
    /// The key of an update whose record must be restored from the server's recycle bin first.
    static let restoring = "undelete"
}
