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
                    try load(configuration.initialRecords, schema, on: connection)
                })
        } catch {
            throw StartError(error, storage: configuration.storage)
        }
    }

    /// Replaces the records by those of a new org, whose first user has this row number.
    ///
    /// Subscribers to changes get an event for each difference.
    static func reset(
        _ store: Store, row: Int64, _ configuration: LocalOrgConfiguration
    ) throws(OrgError) {
        var configuration = configuration
        configuration.seed = RecordID.seed(offset: row - 1, like: configuration.seed)
        let schema = store.schema
        try Database(store.database, .full).transaction { (connection) throws(OrgError) in
            try OrgError.wrapping { () throws(DatabaseError) in
                // The events remain, because the positions of subscribers do.
                try store.removeAll(besides: ["org.Event", "org.ChangedObject"], on: connection)
                try fill(connection, schema, configuration)
                try load(configuration.initialRecords, schema, on: connection)
                try addOrganization(row, on: connection)
            }
        }
    }

    private static func load(
        _ records: [InitialRecords], _ schema: Schema, on connection: SQLiteConnection
    ) throws(DatabaseError) {
        do throws(StartError) { try TreeLoader.load(records, schema, on: connection) } catch {
            throw DatabaseError(kind: .rejected, message: error.message)
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
                let row = try connection.number("SELECT min(rowid) FROM \"User\"")
                // Row numbers begin with 1.
                if row > 0 { try addOrganization(row, on: connection) }
                return row
            }
        } catch {
            throw StartError(.failed, "the org's users cannot be read, or its own record written: \(error.message)")
        }
        guard row > 0 else { throw StartError(.foreignDatabase, "the org's database has no users; use another file") }
        return row
    }

    /// Adds the record of the org itself, which has the number of its user.
    private static func addOrganization(_ row: Int64, on connection: SQLiteConnection) throws(DatabaseError) {
        let id = RecordID.make(prefix: "00D", number: row)
        let user = RecordID.make(prefix: "005", number: row)
        try connection.run(
            """
            INSERT OR IGNORE INTO "Organization" (rowid, "Id", "Name", "IsSandbox", "OrganizationType",
            "InstanceName", "TimeZoneSidKey", "LanguageLocaleKey", "DefaultLocaleSidKey", "IsDeleted",
            "CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp")
            VALUES (?1, ?2, 'Embedded Org', 0, 'Developer Edition', 'LOCAL', 'GMT', 'en_US', 'en_US', 0,
            ?3, ?4, ?3, ?4, ?3)
            """, [.integer(row), .text(id), .text("2026-01-01T00:00:00.000+0000"), .text(user)])
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
