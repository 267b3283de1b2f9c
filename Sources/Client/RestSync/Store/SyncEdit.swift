// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestModels
import RestSQLite
import SOQLStore
import Synchronization

/// The edits of one transaction, which are written to the copy and to the outbox together.
public struct SyncEdit {
    let store: SyncStore
    let connection: SQLiteConnection

    private var outbox: Outbox { Outbox(connection: connection) }

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - fields: the fields. A reference can be the temporary id of another new record.
    /// - Returns: the temporary id of the record, which later edits can use even after the server has created it.
    /// - Throws: ``SyncError/Code/invalid`` for unknown or missing fields and invalid values.
    @discardableResult
    public func create(_ type: String, _ fields: JSONObject) throws(SyncError) -> String {
        let object = try store.object(type)
        return try SyncError.wrapping { () throws(OrgError) in
            var values = try store.records.checked(fields, of: object, isCreate: true)
            try resolve(&values, object)
            let id = Self.temporaryID(of: object)
            var change = PendingChange(.create, of: object.name, id)
            change.key = try key(&values, object)
            if let field = object.fileField, let content = values[field.name]?.string {
                values[field.name] = JSONValue?.none
                let version = object.fileVersion(of: [:])
                var file = try StoredFile.begin(id, object.name, version: version, isLocal: true, connection)
                try file.append(Base64.decode(content) ?? [], isLast: true, connection)
            }
            change.fields = values
            try store.records.put(id, values, of: object, connection)
            try outbox.save(change)
            try connection.change("INSERT INTO \"sync.Alias\" (\"Temporary\") VALUES (?1)", [.text(id)])
            return id
        }
    }

    /// Changes fields of a record.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the id of the record, which may be temporary.
    ///   - fields: the fields to change.
    /// - Throws: ``SyncError/Code/notFound`` if the copy does not have the record, and ``SyncError/Code/invalid`` for
    ///   unknown fields and invalid values.
    public func update(_ type: String, id: String, _ fields: JSONObject) throws(SyncError) {
        let object = try store.object(type)
        try SyncError.wrapping { () throws(OrgError) in
            var values = try store.records.checked(fields, of: object, isCreate: false)
            try resolve(&values, object)
            let (id, current) = try current(id, of: object)
            try store.records.put(id, values, of: object, connection)
            // A record that the server rejected is corrected by an edit.
            if let held = try outbox.change(id, .held) {
                if case .rejected = held.reason {
                    try outbox.remove(id, .held)
                    try outbox.save(held.followed(by: try outbox.change(id, .open)) ?? held)
                    try store.readAgain(before: held, object, connection)
                } else if held.kind == .update {
                    var waiting = held
                    for (name, value) in values where held.fields[name] != nil {
                        waiting.fields[name] = value
                        values[name] = JSONValue?.none
                    }
                    try outbox.save(waiting)
                }
            }
            if var orphan = try outbox.change(id, .orphaned) {
                // A field that the schema changed has its new value now.
                for name in values.keys { orphan.drop(name) }
                try outbox.save(orphan)
            }
            guard !values.isEmpty else { return }
            var change = try outbox.change(id, .open) ?? PendingChange(.update, of: object.name, id)
            change.add(values, over: current)
            (change.reason, change.server) = (nil, [:])
            try outbox.save(change)
        }
    }

    /// Deletes a record.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the id of the record, which may be temporary.
    /// - Throws: ``SyncError/Code/notFound`` if the copy does not have the record.
    public func delete(_ type: String, id: String) throws(SyncError) {
        let object = try store.object(type)
        try SyncError.wrapping { () throws(OrgError) in
            let (id, current) = try current(id, of: object)
            var deletion = PendingChange(.delete, of: object.name, id)
            if let stamp = current["SystemModstamp"], !stamp.isNull { deletion.base["SystemModstamp"] = stamp }
            let (open, held) = (try outbox.change(id, .open), try outbox.change(id, .held))
            let isSent = try outbox.change(id, .sent) != nil
            for state in [PendingChange.State.open, .held, .orphaned] { try outbox.remove(id, state) }
            if open?.kind == .create || held?.kind == .create, !isSent {
                // The server never sees the record.
                return try store.forget(id, of: object, connection)
            }
            if let open, open.kind == .update { deletion.fields = open.fields }
            for (name, value) in open?.base ?? [:] { deletion.base[name] = value }
            try store.records.put(id, ["IsDeleted": true], of: object, connection)
            try outbox.save(deletion)
        }
    }

    /// Returns the current id and the fields of a record that is not deleted.
    private func current(_ id: String, of object: SObjectSchema) throws(OrgError) -> (String, JSONObject) {
        let id = try outbox.current(RecordID.normalized(id) ?? id)
        guard let fields = try store.records.fields(of: id, object, connection), fields["IsDeleted"]?.bool != true
        else {
            throw .notFound
        }
        return (id, fields)
    }

    /// Replaces temporary ids of records that the server has created meanwhile.
    private func resolve(_ values: inout JSONObject, _ object: SObjectSchema) throws(OrgError) {
        for (name, value) in values where object.field(named: name)?.type == .reference {
            if let id = value.string { values[name] = JSONValue(try outbox.current(id)) }
        }
    }

    /// Returns the idempotency key of a new record, and writes it to the key field of the object.
    private func key(_ values: inout JSONObject, _ object: SObjectSchema) throws(OrgError) -> String? {
        guard let name = store.options.keyFields[object.name] else { return nil }
        guard let field = object.field(named: name), field.isCreateable, field.length >= 36 else {
            throw OrgError(
                "INVALID_FIELD", "\(object.name).\(name) cannot be a key field; use a text of at least 36 characters")
        }
        if let own = values[field.name]?.string { return own }
        let key = Self.random(36)
        values[field.name] = JSONValue(key)
        return key
    }

    /// The middle part of temporary ids, which no org uses.
    static let temporaryMark = "zzz"

    /// An id in the form of the org's ids, so that queries and references accept it.
    private static func temporaryID(of object: SObjectSchema) -> String {
        let id = object.keyPrefix + temporaryMark + random(9)
        return RecordID.normalized(id) ?? id
    }

    private static func random(_ count: Int) -> String {
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return String((0..<count).map { _ in digits[Int.random(in: digits.indices)] })
    }
}

extension SyncEdit {
    /// Creates a record of a model.
    ///
    /// - Returns: the record with its temporary id.
    @discardableResult
    public func create<Model: RecordModel>(_ record: Model) throws(SyncError) -> Model {
        let id = try create(Model.objectName, record.changes)
        var fields = record.record.values
        fields["Id"] = JSONValue(id)
        return Model(record: ModelRecord(fields: fields))
    }

    /// Writes the fields of a record that were changed since it was read.
    ///
    /// - Throws: ``SyncError/Code/invalid`` if the record's id was not read.
    public func update<Model: RecordModel>(_ record: Model) throws(SyncError) {
        try update(Model.objectName, id: try Self.id(record), record.changes)
    }

    /// Deletes a record.
    ///
    /// - Throws: ``SyncError/Code/invalid`` if the record's id was not read.
    public func delete<Model: RecordModel>(_ record: Model) throws(SyncError) {
        try delete(Model.objectName, id: try Self.id(record))
    }

    private static func id<Model: RecordModel>(_ record: Model) throws(SyncError) -> String {
        guard let id = record.record.fields["Id"]?.string else {
            throw SyncError(.invalid, "the record has no id; select the id in its query")
        }
        return id
    }
}

extension SyncStore {
    /// Edits records in one transaction, which is rolled back if the body throws.
    ///
    /// ```swift
    /// try store.edit {
    ///     let account = try $0.create("Account", ["Name": "Acme"])
    ///     try $0.create("Contact", ["LastName": "Ito", "AccountId": JSONValue(account)])
    /// }
    /// ```
    /// - Parameter body: the edits. Queries of the copy do not see them before the end of the transaction. The body
    ///   writes with its argument only: another call that writes to the copy would wait for this transaction.
    /// - Returns: the body's result.
    /// - Throws: the body's error, or ``SyncError``.
    @discardableResult
    public func edit<Result: Sendable>(_ body: (SyncEdit) throws -> Result) throws -> Result {
        try checkWritable()
        let result: Result = try store.database.writer.withLock { connection in
            try connection.transaction(
                { () throws(any Error) -> Result in
                    try body(SyncEdit(store: self, connection: connection))
                }, failure: { SyncError($0) })
        }
        didCommit()
        return result
    }

    /// Returns the server's id of a record that was created here, or the same id if the server has not created it.
    public func currentID(of id: String) throws(SyncError) -> String {
        try read { (connection) throws(OrgError) in
            try Outbox(connection: connection).current(RecordID.normalized(id) ?? id)
        }
    }
}

extension SyncError {
    static func wrapping<Result>(_ body: () throws(OrgError) -> Result) throws(SyncError) -> Result {
        do throws(OrgError) { return try body() } catch { throw SyncError(error) }
    }
}
