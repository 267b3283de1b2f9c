// SPDX-License-Identifier: Apache-2.0

/// Opens an org's database and fills a new one.
enum OrgDatabase {
    static func open(
        _ schema: Schema, _ configuration: LocalOrgConfiguration
    ) throws(LocalOrgError) -> Database {
        do throws(DatabaseError) {
            let database = try Database(configuration.storage)
            let state = try database.use { (connection) throws(DatabaseError) in try OrgTables.state(connection) }
            guard state != .foreign else { throw DatabaseError(kind: .foreign, message: "") }
            guard state == .empty else { return database }
            try database.use { (connection) throws(DatabaseError) in
                try connection.transaction(
                    { () throws(DatabaseError) in try fill(connection, schema, configuration) }, failure: { $0 })
            }
            return database
        } catch {
            throw LocalOrgError(error, storage: configuration.storage)
        }
    }

    private static func fill(
        _ connection: SQLiteConnection, _ schema: Schema, _ configuration: LocalOrgConfiguration
    ) throws(DatabaseError) {
        try OrgTables.create(schema, on: connection)
        var sample = SampleData(connection: connection, schema: schema, seed: configuration.seed)
        try sample.write()
        if let count = configuration.records, count > 0 {
            try AccountGenerator.write(count, seed: configuration.seed, owners: 7, on: connection)
        }
        try OrgTables.seal(connection)
    }
}
