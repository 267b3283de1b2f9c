// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestSQLite
import SOQLStore

extension SyncRun {
    /// Reads all subsets, and reports what the schema and the org no longer agree on.
    ///
    /// A part that the org rejects because of its object or its condition is reported, and the others are read.
    mutating func pullAll() async throws(SyncError) {
        for part in try store.parts() {
            do throws(SyncError) { try await pull(part) } catch {
                let codes = Set(error.rest?.faults.map(\.errorCode) ?? [])
                guard !codes.isDisjoint(with: ["INVALID_TYPE", "INVALID_FIELD"]) else { throw error }
                report.outdatedObjects[part.object.name] = []
            }
        }
        try await checkSchema()
        report.unusableSubsets = try store.read { (connection) throws(OrgError) in
            try connection.fetch(
                "SELECT \"Query\" FROM \"sync.Subset\" WHERE \"IsUsable\" = 0 ORDER BY \"Number\""
            ) { $0.text(0) }
        }
    }

    /// Compares the schema with the org's descriptions of the objects of subsets, if the last comparison is long ago.
    private mutating func checkSchema() async throws(SyncError) {
        guard let interval = store.options.describeInterval, let now = serverTime else { return }
        let last = try store.read { (connection) throws(OrgError) in
            try connection.fetch(
                "SELECT CAST(\"Value\" AS INTEGER) FROM \"sync.Value\" WHERE \"Name\" = 'described'"
            ) { Int(clamping: $0.integer(0)) }.first
        }
        // A new copy has a new schema. A time after the present is that of a clock that was ahead.
        let isDue = last.map { now - $0 >= interval.components.seconds || $0 > now } ?? (interval == .zero)
        if isDue {
            var found: [JSONValue] = []
            let names = Set(try store.parts().map(\.object.name)).sorted()
            for name in names {
                report.requests += 1
                do throws(RestError) {
                    found.append(JSONValue(try await client.send(.describe(name)).json))
                } catch {
                    guard error.code == .notFound else { throw SyncError(error) }
                }
            }
            let org = try SyncSchema(describe: JSONValue(JSONArray(found)).bytes()).schema
            for name in names { compare(name, with: org) }
        }
        guard isDue || last == nil else { return }
        try store.write { (connection) throws(OrgError) in
            try connection.change(
                "INSERT OR REPLACE INTO \"sync.Value\" VALUES ('described', ?1)", [.text("\(now)")])
        }
    }

    private mutating func compare(_ name: String, with org: Schema) {
        guard org.object(named: name) != nil else { return report.outdatedObjects[name] = [] }
        let there = SchemaMigration(from: store.schema, to: org).fields
        // In the other direction, a field with more room in the org is the narrower one here.
        let here = SchemaMigration(from: org, to: store.schema).fields.filter { $0.newName != nil }
        let fields = Set((there + here).filter { $0.object == name && $0.fit != .kept }.map(\.name))
        if !fields.isEmpty { report.outdatedObjects[name] = fields.sorted() }
    }
}
