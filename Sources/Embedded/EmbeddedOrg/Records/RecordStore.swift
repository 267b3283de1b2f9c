// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite

/// Creates, changes, deletes and finds single records.
///
/// Every write is one transaction.
struct RecordStore {
    var database: Database
    let schema: Schema
    /// Who writes: `CreatedById`, and `OwnerId` where none is given.
    var userID: String
    let bin: RecycleBin

    /// Creates a record and gives its id.
    func create(_ body: [UInt8], of object: SObjectSchema) throws(OrgFault) -> String {
        try create(try RecordInput.members(body), of: object)
    }

    /// Creates a record of these members and gives its id.
    func create(_ members: JSONObject, of object: SObjectSchema) throws(OrgFault) -> String {
        try object.check(.create)
        let input = try RecordInput(members, of: object, isCreate: true)
        return try write { (connection) throws(OrgFault) -> String in try insert(input, object, connection) }
    }

    /// Changes these members of a record, if it fulfils the conditions.
    func update(
        _ id: String, with members: JSONObject, of object: SObjectSchema, if conditions: Preconditions? = nil
    ) throws(OrgFault) {
        try object.check(.update)
        let input = try RecordInput(members, of: object, isCreate: false)
        try write { (connection) throws(OrgFault) in
            let number = try row(id, of: object, connection)
            try conditions?.checkWrite(try facts(number, of: object, connection))
            try change(number, input, object, connection)
        }
    }

    /// Changes the record with that external id, or creates it; tells its id and whether it is new.
    ///
    /// An existing record must fulfil the conditions. With `isUpdateOnly` no record is created.
    func upsert(
        _ key: FieldSchema, _ value: JSONValue, with members: JSONObject, of object: SObjectSchema,
        isUpdateOnly: Bool = false, if conditions: Preconditions? = nil
    ) throws(OrgFault) -> (id: String, isNew: Bool) {
        try object.check([.create, .update])
        let change = try RecordInput(members, of: object, isCreate: false, key: key)
        let keyValue = try FieldParser.parse(value, for: key)
        return try write { (connection) throws(OrgFault) -> (id: String, isNew: Bool) in
            if let found = try find(key, keyValue, object, connection) {
                try conditions?.checkWrite(try facts(found.number, of: object, connection))
                try self.change(found.number, change, object, connection)
                return (found.id, false)
            }
            guard key.type != .id, !isUpdateOnly else { throw .notFound }
            try conditions?.checkCreation()
            var input = try RecordInput(members, of: object, isCreate: true, key: key)
            input.set(key.name, keyValue)
            return (try insert(input, object, connection), true)
        }
    }

    /// Deletes a record and what belongs to it, if it fulfils the conditions; they stay visible to `queryAll` until the
    /// bin is full.
    ///
    /// With `isFinal` they are not kept in the bin.
    func delete(
        _ id: String, of object: SObjectSchema, isFinal: Bool = false, if conditions: Preconditions? = nil
    ) throws(OrgFault) {
        try object.check(.delete)
        try write { (connection) throws(OrgFault) in
            let number = try row(id, of: object, connection)
            try conditions?.checkWrite(try facts(number, of: object, connection))
            let deletion = try delete(number, object, connection)
            try OrgFault.wrapping { () throws(DatabaseError) in
                guard isFinal else { return try bin.add(deletion, connection) }
                try RecycleBin.remove(deletion.number, schema, connection)
            }
        }
    }

    /// Marks a record and what belongs to it as deleted, inside a transaction.
    func delete(
        _ number: Int64, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) -> Deletion {
        var deletion = try OrgFault.wrapping { () throws(DatabaseError) in
            try Deletion(of: number, object, schema, connection, mayEnd: database.mayBeginAnew)
        }
        try deletion.run(by: userID)
        return deletion
    }

    /// Restores a deleted record, and everything that was deleted together with it.
    func undelete(_ id: String, of object: SObjectSchema) throws(OrgFault) {
        try object.check(.undelete)
        try write { (connection) throws(OrgFault) in
            guard let deletion = try deletion(of: id, object, connection) else { throw .notInBin }
            try Restoring(number: deletion, schema: schema, connection: connection).run(by: userID)
        }
    }

    /// Removes a deleted record for good, and everything that was deleted together with it.
    func purge(_ id: String, of object: SObjectSchema) throws(OrgFault) {
        try write { (connection) throws(OrgFault) in
            guard let deletion = try deletion(of: id, object, connection) else { throw .notInBin }
            try OrgFault.wrapping { () throws(DatabaseError) in
                try RecycleBin.remove(deletion, schema, connection)
            }
        }
    }

    /// The deletion that the record itself was meant by; `nil` when it is not in the bin or was deleted with another.
    private func deletion(
        of id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) -> Int64? {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: object.keyPrefix) else {
            throw id.utf8.count == 15 || id.utf8.count == 18 ? .malformedID(id) : .notFound
        }
        let sql = """
            SELECT b."Deletion", 0 FROM "\(object.name)" r JOIN "org.Bin" b ON b."Object" = ?2 AND b."Number" = r.rowid
            WHERE r."Id" = ?1 AND b."Level" = 0
            """
        return try first(connection, sql, [.text(known), .text(object.name)])?.0
    }

    /// The id of the record with that external id.
    func id(_ key: FieldSchema, _ value: String, of object: SObjectSchema) throws(OrgFault) -> String {
        let value = try FieldParser.parse(key.value(of: value), for: key)
        guard
            let found = try database.read({ (connection) throws(OrgFault) in try find(key, value, object, connection) })
        else { throw .notFound }
        return found.id
    }
}

extension RecordStore {
    /// One transaction.
    func write<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgFault) -> Result
    ) throws(OrgFault) -> Result {
        try database.write { (connection) throws(OrgFault) -> Result in
            try connection.transaction(
                { () throws(OrgFault) -> Result in try body(connection) }, failure: OrgFault.init)
        }
    }

    func insert(
        _ given: RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) -> String {
        var input = given
        try resolveLookups(of: &input, object, connection)
        try checkReferences(input, connection)
        if object.name == "ContentVersion" { try beginVersion(&input, connection) }
        let number = try nextNumber(object, connection)
        let id = RecordID.make(prefix: object.keyPrefix, number: number)
        for (field, value) in DerivedFields.defaults(object.name) { input.setDefault(field, .text(value)) }
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
        try alignFiles(number, input, object, connection)
        try derive(number, object, connection)
        return id
    }

    func change(
        _ number: Int64, _ given: RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        var input = given
        try resolveLookups(of: &input, object, connection)
        try checkReferences(input, connection)
        stamp(&input, isNew: false)
        try keepBlobs(of: &input, RecordID.make(prefix: object.keyPrefix, number: number), object, connection)
        let sets = input.values.enumerated().map { "\"\($1.field.name)\" = ?\($0 + 2)" }.joined(separator: ", ")
        try connection.change(
            "UPDATE \"\(object.name)\" SET \(sets) WHERE rowid = ?1",
            [.integer(number)] + input.values.map(\.value))
        try alignFiles(number, input, object, connection)
        try derive(number, object, connection)
    }

    private func derive(_ number: Int64, _ object: SObjectSchema, _ connection: SQLiteConnection) throws(OrgFault) {
        guard let sql = DerivedFields.update(object.name) else { return }
        try connection.change(sql, [.integer(number)])
    }

    private func stamp(_ input: inout RecordInput, isNew: Bool) {
        let now = SQLValue.text(WireTime.now)
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
    /// The row of an id; a deleted record and a missing one have different refusals.
    func row(_ id: String, of object: SObjectSchema, _ connection: SQLiteConnection) throws(OrgFault) -> Int64 {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: object.keyPrefix) else {
            throw id.utf8.count == 15 || id.utf8.count == 18 ? .malformedID(id) : .notFound
        }
        let sql = "SELECT rowid, \"IsDeleted\" FROM \"\(object.name)\" WHERE \"Id\" = ?1"
        guard let (number, isDeleted) = try first(connection, sql, [.text(known)]) else { throw .notFound }
        guard isDeleted == 0 else { throw .deleted }
        return number
    }

    /// Puts ids in the place of parents that are named by their external ids.
    private func resolveLookups(
        of input: inout RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        for lookup in input.lookups {
            let targets = lookup.field.referenceTo.compactMap { schema.object(named: $0) }
            let given = lookup.members["attributes"]?["type"]?.string?.lowercased()
            let members = lookup.members.filter { $0.key != "attributes" }
            let target = given == nil ? targets.first : targets.first { $0.name.lowercased() == given }
            guard let target, members.count == 1, let (name, value) = members.first,
                let key = target.field(named: name), key.isLookupKey
            else {
                throw OrgFault(
                    400, "INVALID_FIELD",
                    "The value of \(lookup.field.relationshipName ?? "") must be an object with one external id field of "
                        + lookup.field.referenceTo.joined(separator: " or "), fields: [lookup.field.name])
            }
            guard let parent = try find(key, try FieldParser.parse(value, for: key), target, connection) else {
                throw OrgFault(
                    400, "INVALID_FIELD",
                    "Foreign key external ID: \((value.string ?? value.numberText ?? "").prefix(100)) not found for field "
                        + "\(key.name) in entity \(target.name)", fields: [lookup.field.name])
            }
            input.set(lookup.field.name, .text(parent.id))
        }
    }

    private func find(
        _ key: FieldSchema, _ value: SQLValue, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) -> (id: String, number: Int64)? {
        let sql = "SELECT rowid FROM \"\(object.name)\" WHERE \"\(key.name)\" = ?1 AND \"IsDeleted\" = 0 LIMIT 100"
        let found = try connection.fetch(sql, [value]) { $0.integer(0) }
        let ids = found.map { RecordID.make(prefix: object.keyPrefix, number: $0) }
        guard ids.count < 2 else { throw .ambiguous(key, ids) }
        return ids.first.map { ($0, found[0]) }
    }

    func first(
        _ connection: SQLiteConnection, _ sql: String, _ values: [SQLValue]
    ) throws(OrgFault) -> (Int64, Int64)? {
        try connection.fetch(sql, values) { ($0.integer(0), $0.integer(1)) }.last
    }

    /// Numbers are never used twice: the largest of rows that were removed is kept.
    private func nextNumber(_ object: SObjectSchema, _ connection: SQLiteConnection) throws(OrgFault) -> Int64 {
        let sql = """
            SELECT max(coalesce((SELECT max(rowid) FROM "\(object.name)"), 0),
            coalesce((SELECT "Number" FROM "org.LastNumber" WHERE "Object" = ?1), 0)), 0
            """
        let last = try first(connection, sql, [.text(object.name)])?.0 ?? 0
        guard (0..<RecordID.mostRecords).contains(last) else {
            throw OrgFault(400, "STORAGE_LIMIT_EXCEEDED", "storage limit exceeded")
        }
        return last + 1
    }

    private func checkRecordType(
        _ id: String, of object: SObjectSchema, _ field: FieldSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        let sql = """
            SELECT "IsActive", 0 FROM "RecordType" WHERE "Id" = ?1 AND "SobjectType" = ?2 AND "IsActive" = 1
            """
        guard try first(connection, sql, [.text(id), .text(object.name)]) == nil else { return }
        throw OrgFault(
            400, "INVALID_CROSS_REFERENCE_KEY", "\(field.label): this ID value isn't valid for the user: \(id)",
            fields: [field.name])
    }

    /// Every id written must name a record of an object the field may point to.
    private func checkReferences(_ input: RecordInput, _ connection: SQLiteConnection) throws(OrgFault) {
        for (field, value) in input.values where field.type == .reference {
            guard case .text(let id) = value, !field.referenceTo.isEmpty else { continue }
            let target = field.referenceTo.compactMap { schema.object(named: $0) }.first {
                id.hasBytes(prefix: $0.keyPrefix)
            }
            guard let target else {
                throw OrgFault(
                    400, "MALFORMED_ID", "\(field.label): id value of incorrect type: \(id)", fields: [field.name])
            }
            let sql = "SELECT rowid, \"IsDeleted\" FROM \"\(target.name)\" WHERE \"Id\" = ?1"
            guard let (_, isDeleted) = try first(connection, sql, [.text(id)]) else {
                throw OrgFault(400, "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", fields: [field.name])
            }
            guard isDeleted == 0 else {
                throw OrgFault(400, "ENTITY_IS_DELETED", "entity is deleted", fields: [field.name])
            }
            if target.name == "RecordType" { try checkRecordType(id, of: input.object, field, connection) }
        }
    }
}
