// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestSQLite
import Synchronization

/// Opens an org's database and fills a new one.
enum OrgDatabase {
    static func open(
        _ schema: Schema, _ configuration: LocalOrgConfiguration
    ) throws(LocalOrgError) -> SharedDatabase {
        guard case .file(let path) = configuration.storage else { return try opened(schema, configuration) }
        let file = PrivateFile(path: path)
        file.make()
        let database = try opened(schema, configuration)
        file.restrict()
        return database
    }

    private static func opened(
        _ schema: Schema, _ configuration: LocalOrgConfiguration
    ) throws(LocalOrgError) -> SharedDatabase {
        // One reader for each thread that answers requests, and one for bulk jobs.
        let readers = 1 + max(1, configuration.threads) + WorkLane.allCases.reduce(0) { $0 + $1.width }
        var refusal: LocalOrgError?
        do throws(DatabaseError) {
            return try SharedDatabase(configuration.storage.database, readers: readers) {
                (connection) throws(DatabaseError) in
                let state = try OrgTables.state(connection)
                guard state != .foreign else { throw DatabaseError(kind: .foreign, message: "") }
                guard state == .empty else {
                    if let change = try StoredSchema.change(schema, on: connection) {
                        refusal = LocalOrgError(code: .changedSchema, message: change)
                        throw DatabaseError(kind: .foreign, message: "")
                    }
                    return try connection.transaction(
                        { () throws(DatabaseError) in
                            try OrgTables.renew(schema, on: connection)
                            try SchemaRecords.write(schema, on: connection)
                        }, failure: { $0 })
                }
                try connection.transaction(
                    { () throws(DatabaseError) in
                        try fill(connection, schema, configuration)
                        do throws(LocalOrgError) {
                            try TreeLoader.load(configuration.initialRecords, schema, on: connection)
                        } catch {
                            refusal = error
                            throw DatabaseError(kind: .foreign, message: "")
                        }
                    }, failure: { $0 })
            }
        } catch {
            throw refusal ?? LocalOrgError(error, storage: configuration.storage)
        }
    }

    /// The row of the user who logs in: the first that there is.
    static func firstUser(of database: SharedDatabase) throws(LocalOrgError) -> Int64 {
        let row: Int64
        do throws(DatabaseError) {
            row = try database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.number("SELECT min(rowid) FROM \"User\"")
            }
        } catch {
            throw LocalOrgError(code: .failed, message: "the org's users cannot be read: \(error.message)")
        }
        // Rows are counted from 1.
        guard row > 0 else { throw LocalOrgError(code: .foreignDatabase, message: "the org's database has no users") }
        try addOrganization(row, to: database)
        return row
    }

    /// The record of the org itself, whose number is that of its user.
    private static func addOrganization(_ row: Int64, to database: SharedDatabase) throws(LocalOrgError) {
        let id = RecordID.make(prefix: "00D", number: row)
        let user = RecordID.make(prefix: "005", number: row)
        do throws(DatabaseError) {
            try database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.run(
                    """
                    INSERT OR IGNORE INTO "Organization" (rowid, "Id", "Name", "IsSandbox", "OrganizationType",
                    "InstanceName", "TimeZoneSidKey", "LanguageLocaleKey", "DefaultLocaleSidKey", "IsDeleted",
                    "CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp")
                    VALUES (?1, ?2, 'Embedded Org', 0, 'Developer Edition', 'LOCAL', 'GMT', 'en_US', 'en_US', 0,
                    ?3, ?4, ?3, ?4, ?3)
                    """, [.integer(row), .text(id), .text("2026-01-01T00:00:00.000+0000"), .text(user)])
            }
        } catch {
            throw LocalOrgError(code: .failed, message: "the org's own record cannot be written: \(error.message)")
        }
    }

    private static func fill(
        _ connection: SQLiteConnection, _ schema: Schema, _ configuration: LocalOrgConfiguration
    ) throws(DatabaseError) {
        try OrgTables.create(schema, on: connection)
        var sample = SampleData(connection: connection, schema: schema, seed: configuration.seed)
        try sample.write()
        let many = ManyRecords(seed: configuration.seed, owners: 7, on: connection)
        if let count = configuration.records, count > 0 { try many.writeAccounts(count) }
        if let count = configuration.contacts, count > 0 { try many.writeContacts(count) }
        try SchemaRecords.write(schema, on: connection)
        // In the end, when there is something to put in order.
        try OrgIndexes(schema).make(on: connection)
        try OrgTables.seal(connection)
    }
}
