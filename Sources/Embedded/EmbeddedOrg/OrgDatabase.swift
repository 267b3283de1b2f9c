// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestSQLite
import SOQLStore
import Synchronization

/// Opens the store of an org and fills a new one.
enum OrgDatabase {
    /// The number of new databases with the sample data alone, and a copy of one, with which many tests start.
    private static let samples = Mutex((count: 0, image: [UInt8]?.none))

    static func open(
        _ schema: Schema, _ configuration: LocalOrgConfiguration, _ bus: EventBus
    ) throws(StartError) -> Store {
        guard configuration.hasSampleAlone else {
            return try open(configuration.storage.database, schema, configuration, bus)
        }
        let (count, image) = samples.withLock { samples in
            samples.count += 1
            return samples
        }
        let store = try open(.temporary("localorg", copyOf: image), schema, configuration, bus)
        // A process that starts one org keeps no copy.
        if image == nil, count > 1, let made = store.database.writer.withLock({ try? $0.image() }) {
            samples.withLock { $0.image = made }
        }
        return store
    }

    private static func open(
        _ storage: DatabaseStorage, _ schema: Schema, _ configuration: LocalOrgConfiguration, _ bus: EventBus
    ) throws(StartError) -> Store {
        // One reader for each thread that handles requests, one for bulk jobs and one for events.
        let readers = 2 + max(1, configuration.threads) + WorkLane.allCases.reduce(0) { $0 + $1.width }
        do throws(DatabaseError) {
            return try Store(
                storage, schema: schema, readers: readers,
                binCapacity: configuration.recycleBinCapacity, rules: StandardRules(),
                tables: [BulkJobStore.tables, EventBus.tables], now: configuration.timeOfDay, sink: bus,
                fill: { (connection) throws(DatabaseError) in try fill(connection, schema, configuration) },
                finish: { (connection, isNew) throws(DatabaseError) in
                    guard isNew else { return try SchemaRecords.write(schema, on: connection) }
                    do throws(StartError) {
                        try TreeLoader.load(configuration.initialRecords, schema, on: connection)
                    } catch {
                        throw DatabaseError(kind: .rejected, message: error.message)
                    }
                })
        } catch {
            throw StartError(error, storage: configuration.storage)
        }
    }

    private static func fill(
        _ connection: SQLiteConnection, _ schema: Schema, _ configuration: LocalOrgConfiguration
    ) throws(DatabaseError) {
        var sample = SampleData(connection: connection, schema: schema, seed: configuration.seed)
        try sample.write()
        let many = ManyRecords(seed: configuration.seed, owners: 7, on: connection)
        if let count = configuration.records, count > 0 { try many.writeAccounts(count) }
        if let count = configuration.contacts, count > 0 { try many.writeContacts(count) }
        try SchemaRecords.write(schema, on: connection)
    }

    static func firstUser(of database: SharedDatabase) throws(StartError) -> Int64 {
        let row: Int64
        do throws(DatabaseError) {
            row = try database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.number("SELECT min(rowid) FROM \"User\"")
            }
        } catch {
            throw StartError(.failed, "the org's users cannot be read: \(error.message)")
        }
        // Row numbers begin with 1.
        guard row > 0 else { throw StartError(.foreignDatabase, "the org's database has no users; use another file") }
        try addOrganization(row, to: database)
        return row
    }

    /// Adds the record of the org itself, which has the number of its user.
    private static func addOrganization(_ row: Int64, to database: SharedDatabase) throws(StartError) {
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
            throw StartError(.failed, "the org's own record cannot be written: \(error.message)")
        }
    }
}

extension StartError {
    init(_ error: DatabaseError, storage: LocalOrgConfiguration.Storage) {
        let name = if case .file(let path) = storage { "'\(path)'" } else { "the database in memory" }
        self =
            switch error.kind {
            case .notADatabase: StartError(.notADatabase, "\(name) is not a database; use another file")
            case .foreign:
                StartError(.foreignDatabase, "\(name) is a database of another program or version; use another file")
            case .cannotOpen:
                StartError(.cannotOpen, "\(name) cannot be opened or written: \(error.message)")
            case .changed: StartError(.changedSchema, error.message)
            case .rejected: StartError(.invalidRecords, error.message)
            case .duplicate:
                StartError(
                    .changedSchema,
                    "\(name) has records with equal values in a field that the schema declares unique; describe "
                        + "the field as not unique")
            default: StartError(.failed, "\(name) failed: \(error.message)")
            }
    }
}

extension LocalOrgConfiguration {
    /// Whether a new database has only the sample data of the default seed.
    fileprivate var hasSampleAlone: Bool {
        storage == .memory && seed == Self.defaultSeed && schema == nil && initialRecords.isEmpty && records == nil
            && contacts == nil
    }
}

extension LocalOrgConfiguration.Storage {
    fileprivate var database: DatabaseStorage {
        switch self {
        case .memory: .temporary("localorg")
        case .file(let path): .file(path)
        }
    }
}
