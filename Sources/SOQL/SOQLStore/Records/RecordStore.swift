// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import RestSQLite

/// Creates, updates, deletes and finds single records, each write in one transaction.
package struct RecordStore: Sendable {
    package var database: Database
    package let schema: Schema
    /// The user who writes: the value of `CreatedById`, and the default of `OwnerId`.
    package var userID: String
    let bin: RecycleBin
    let rules: (any RecordRules)?
    let now: @Sendable () -> Int64

    /// Creates a store of the records in a database.
    ///
    /// - Parameters:
    ///   - database: the database of the records.
    ///   - schema: the objects, which have tables.
    ///   - userID: the user who writes.
    ///   - bin: the bin for deleted records.
    ///   - rules: rules for specific objects in addition to their fields.
    ///   - now: returns the current time in milliseconds since 1970.
    package init(
        database: Database, schema: Schema, userID: String, bin: RecycleBin, rules: (any RecordRules)? = nil,
        now: @escaping @Sendable () -> Int64 = { WireTime.milliseconds }
    ) {
        self.database = database
        self.schema = schema
        self.userID = userID
        self.bin = bin
        self.rules = rules
        self.now = now
    }

    /// A check before a write, in the same transaction, which receives the row number, or `nil` for a new record.
    package typealias Check = (Int64?, SQLiteConnection) throws(OrgError) -> Void

    /// The current time in whole seconds, as stored in records.
    var timestamp: String { WireTime.datetime(milliseconds: now() / 1_000 * 1_000) }

    /// Creates a record with these members and returns its id, or publishes an event and returns its UUID.
    ///
    /// `uuid` is the UUID that a publisher has chosen.
    package func create(
        _ members: JSONObject, of object: SObjectSchema, uuid: String? = nil
    ) throws(OrgError) -> String {
        try object.check(.create)
        var input = try RecordInput(members, of: object, isCreate: true, rules: rules)
        if let uuid { input.set("EventUuid", .text(uuid)) }
        return try database.transaction { (connection) throws(OrgError) -> String in
            try insert(input, object, connection)
        }
    }

    /// Updates these members of a record, if the check succeeds.
    package func update(
        _ id: String, with members: JSONObject, of object: SObjectSchema, if check: Check? = nil
    ) throws(OrgError) {
        try object.check(.update)
        let input = try RecordInput(members, of: object, isCreate: false)
        try database.transaction { (connection) throws(OrgError) in
            let number = try row(id, of: object, connection)
            try check?(number, connection)
            try change(number, id, input, object, connection)
        }
    }

    /// Updates the record with an external id, or creates it, and returns its id and whether it is new.
    ///
    /// If `isUpdateOnly` is true, no record is created.
    package func upsert(
        _ key: FieldSchema, _ value: JSONValue, with members: JSONObject, of object: SObjectSchema,
        isUpdateOnly: Bool = false, if check: Check? = nil
    ) throws(OrgError) -> (id: String, isNew: Bool) {
        try object.check([.create, .update])
        let change = try RecordInput(members, of: object, isCreate: false, key: key)
        let keyValue = try FieldParser.parse(value, for: key)
        return try database.transaction { (connection) throws(OrgError) -> (id: String, isNew: Bool) in
            if let found = try find(key, keyValue, object, connection) {
                try check?(found.number, connection)
                try self.change(found.number, found.id, change, object, connection)
                return (found.id, false)
            }
            guard key.type != .id, !isUpdateOnly else { throw .notFound }
            try check?(nil, connection)
            var input = try RecordInput(members, of: object, isCreate: true, key: key, rules: rules)
            input.set(key.name, keyValue)
            return (try insert(input, object, connection), true)
        }
    }

    /// Deletes a record and the records that belong to it, if the check succeeds.
    ///
    /// They remain visible to `queryAll` until the bin is full. If `isFinal` is true, they are removed immediately.
    package func delete(
        _ id: String, of object: SObjectSchema, isFinal: Bool = false, if check: Check? = nil
    ) throws(OrgError) {
        try object.check(.delete)
        try database.transaction { (connection) throws(OrgError) in
            let number = try row(id, of: object, connection)
            try check?(number, connection)
            let deletion = try delete(number, object, connection)
            guard isFinal else { return try bin.add(deletion, connection) }
            try RecycleBin.remove(deletion.number, schema, connection)
        }
    }

    /// Marks a record and the records that belong to it as deleted, inside a transaction.
    func delete(
        _ number: Int64, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> Deletion {
        var deletion = try Deletion(of: number, object, schema, connection, mayEnd: database.mayBeginAnew)
        try deletion.run(by: userID, at: timestamp, rules)
        return deletion
    }

    /// Restores a deleted record, and all records that were deleted together with it.
    package func undelete(_ id: String, of object: SObjectSchema) throws(OrgError) {
        try object.check(.undelete)
        try database.transaction { (connection) throws(OrgError) in
            guard let deletion = try deletion(of: id, object, connection) else { throw .notInBin }
            try Restoring(number: deletion, schema: schema, connection: connection).run(by: userID, at: timestamp)
        }
    }

    /// Permanently removes a deleted record, and all records that were deleted together with it.
    package func purge(_ id: String, of object: SObjectSchema) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            guard let deletion = try deletion(of: id, object, connection) else { throw .notInBin }
            try RecycleBin.remove(deletion, schema, connection)
        }
    }

    /// The deletion of the record itself, or `nil` if the record is not in the bin or was deleted with another record.
    private func deletion(
        of id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> Int64? {
        let sql = """
            SELECT b."Deletion", 0 FROM "\(object.name)" r JOIN "org.Bin" b ON b."Object" = ?2 AND b."Number" = r.rowid
            WHERE r."Id" = ?1 AND b."Level" = 0
            """
        return try first(connection, sql, [.text(try known(id, of: object)), .text(object.name)])?.0
    }

    /// Returns the id of the record with an external id.
    package func id(_ key: FieldSchema, _ value: String, of object: SObjectSchema) throws(OrgError) -> String {
        let value = try FieldParser.parse(key.value(of: value), for: key)
        guard
            let found = try database.read({ (connection) throws(OrgError) in try find(key, value, object, connection) })
        else { throw .notFound }
        return found.id
    }
}

extension RecordStore {
    package func insert(
        _ given: RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> String {
        var input = given
        try resolveLookups(of: &input, object, connection)
        try checkReferences(input, connection)
        if object.publishing != nil { return try publish(input, object, connection) }
        try rules?.complete(&input, in: self, connection)
        let number = try nextNumber(object, connection)
        let id = RecordID.make(prefix: object.keyPrefix, number: number)
        for (field, value) in rules?.defaults(of: object.name) ?? [:] { input.setDefault(field, .text(value)) }
        for field in object.defaulted where !input.has(field.name) {
            let count = SQLValue.text(String(number % RecordID.rowsPerSeed + 100_000_000).dropFirst().description)
            input.set(field.name, field.isAutoNumber ? count : try FieldParser.parse(field.defaultValue, for: field))
        }
        if object.field(named: "OwnerId") != nil { input.setDefault("OwnerId", .text(userID)) }
        stamp(&input, isNew: true)
        input.set("Id", .text(id))
        try keepBlobs(of: &input, id, object, connection)
        let names = input.values.map { "\"\($0.field.name)\"" }.joined(separator: ", ")
        let places = input.values.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        try connection.change(
            "INSERT INTO \"\(object.name)\" (rowid, \(names)) VALUES (?1, \(places))",
            [.integer(number)] + input.values.map(\.value))
        try rules?.settle(number, input, in: self, connection)
        return id
    }

    func change(
        _ number: Int64, _ id: String, _ given: RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        var input = given
        try resolveLookups(of: &input, object, connection)
        try checkReferences(input, connection)
        stamp(&input, isNew: false)
        try keepBlobs(of: &input, RecordID.normalized(id) ?? id, object, connection)
        let sets = input.values.enumerated().map { "\"\($1.field.name)\" = ?\($0 + 2)" }.joined(separator: ", ")
        try connection.change(
            "UPDATE \"\(object.name)\" SET \(sets) WHERE rowid = ?1",
            [.integer(number)] + input.values.map(\.value))
        try rules?.settle(number, input, in: self, connection)
    }

    private func stamp(_ input: inout RecordInput, isNew: Bool) {
        let now = SQLValue.text(timestamp)
        if isNew {
            input.set("CreatedDate", now)
            input.set("CreatedById", .text(userID))
            input.set("IsDeleted", .integer(0))
        }
        input.set("LastModifiedDate", now)
        input.set("LastModifiedById", .text(userID))
        input.set("SystemModstamp", now)
    }
}

extension RecordStore {
    /// Returns the id with 18 characters, or throws if it does not belong to the object.
    private func known(_ id: String, of object: SObjectSchema) throws(OrgError) -> String {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: object.keyPrefix) else {
            throw id.utf8.count == 15 || id.utf8.count == 18 ? .malformedID(id) : .notFound
        }
        return known
    }

    /// Returns the row of an id, with different errors for a deleted and a missing record.
    package func row(_ id: String, of object: SObjectSchema, _ connection: SQLiteConnection) throws(OrgError) -> Int64 {
        let sql = "SELECT rowid, \"IsDeleted\" FROM \"\(object.name)\" WHERE \"Id\" = ?1"
        guard let (number, isDeleted) = try first(connection, sql, [.text(try known(id, of: object))]) else {
            throw .notFound
        }
        guard isDeleted == 0 else { throw .deleted }
        return number
    }

    /// Replaces parents that are identified by external ids with their ids.
    private func resolveLookups(
        of input: inout RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        for lookup in input.lookups {
            let targets = lookup.field.referenceTo.compactMap { schema.object(named: $0) }
            let given = lookup.members["attributes"]?["type"]?.string?.lowercased()
            let members = lookup.members.filter { $0.key != "attributes" }
            let target = given == nil ? targets.first : targets.first { $0.name.lowercased() == given }
            guard let target, members.count == 1, let (name, value) = members.first,
                let key = target.field(named: name), key.isLookupKey
            else {
                throw OrgError(
                    "INVALID_FIELD",
                    "The value of \(lookup.field.relationshipName ?? "") must be an object with one external id field of "
                        + lookup.field.referenceTo.joined(separator: " or "), fields: [lookup.field.name])
            }
            guard let parent = try find(key, try FieldParser.parse(value, for: key), target, connection) else {
                throw OrgError(
                    "INVALID_FIELD",
                    "Foreign key external ID: \((value.string ?? value.numberText ?? "").prefix(100)) not found for field "
                        + "\(key.name) in entity \(target.name)", fields: [lookup.field.name])
            }
            input.set(lookup.field.name, .text(parent.id))
        }
    }

    private func find(
        _ key: FieldSchema, _ value: SQLValue, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> (id: String, number: Int64)? {
        let sql = """
            SELECT "Id", rowid FROM "\(object.name)" WHERE "\(key.name)" = ?1 AND "IsDeleted" = 0 LIMIT 100
            """
        let found = try connection.fetch(sql, [value]) { (id: $0.text(0), number: $0.integer(1)) }
        guard found.count < 2 else { throw .ambiguous(key, found.map(\.id)) }
        return found.first
    }

    func first(
        _ connection: SQLiteConnection, _ sql: String, _ values: [SQLValue]
    ) throws(OrgError) -> (Int64, Int64)? {
        try connection.fetch(sql, values) { ($0.integer(0), $0.integer(1)) }.last
    }

    /// Returns the next record number, which is never reused, even if rows were removed.
    private func nextNumber(_ object: SObjectSchema, _ connection: SQLiteConnection) throws(OrgError) -> Int64 {
        let sql = """
            SELECT max(coalesce((SELECT max(rowid) FROM "\(object.name)"), 0),
            coalesce((SELECT "Number" FROM "org.LastNumber" WHERE "Object" = ?1), 0)), 0
            """
        let last = try first(connection, sql, [.text(object.name)])?.0 ?? 0
        guard (0..<RecordID.mostRecords).contains(last) else { throw .storage }
        return last + 1
    }

    /// Checks that every reference points to an existing record of an allowed object.
    private func checkReferences(_ input: RecordInput, _ connection: SQLiteConnection) throws(OrgError) {
        for (field, value) in input.values where field.type == .reference {
            guard case .text(let id) = value, !field.referenceTo.isEmpty else { continue }
            let target = field.referenceTo.compactMap { schema.object(named: $0) }.first {
                id.hasBytes(prefix: $0.keyPrefix)
            }
            guard let target else { throw field.error("MALFORMED_ID", "id value of incorrect type: \(id)") }
            let sql = "SELECT rowid, \"IsDeleted\" FROM \"\(target.name)\" WHERE \"Id\" = ?1"
            guard let (_, isDeleted) = try first(connection, sql, [.text(id)]) else {
                throw OrgError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", fields: [field.name])
            }
            guard isDeleted == 0 else {
                throw OrgError("ENTITY_IS_DELETED", "entity is deleted", fields: [field.name])
            }
            try rules?.checkReference(id, to: target, in: field, of: input.object, connection)
        }
    }
}
