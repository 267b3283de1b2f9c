// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The jobs and the results of their records in the org's database, so that they outlive the program.
struct BulkJobStore: Sendable {
    var database: Database

    private static let columns = """
        "Number", "Kind", "State", "Operation", "Object", "ExternalId", "Query", "AssignmentRule", "Delimiter",
        "IsCRLF", "Version", "User", "Created", "Modified", "Upload", "Processed", "Failed", "Error", "Header",
        "Milliseconds"
        """

    /// How long the platform keeps a job that has ended, with its results.
    private static let lifetime: Int64 = 7 * 86_400_000

    func insert(_ job: BulkJob) throws(OrgFault) -> BulkJob {
        try write { (connection) throws(OrgFault) -> BulkJob in
            try Self.removeOld(connection)
            return try Self.insert(job, connection)
        }
    }

    private static func insert(_ given: BulkJob, _ connection: SQLiteConnection) throws(OrgFault) -> BulkJob {
        var job = given
        job.created = WireTime.now
        job.modified = job.created
        try OrgFault.wrapping { () throws(DatabaseError) in
            let places = job.values.indices.dropFirst().map { "?\($0)" }.joined(separator: ", ")
            // The number is counted on.
            try connection.run(
                "INSERT INTO \"org.BulkJob\" (\(columns)) VALUES (NULL, \(places))", Array(job.values.dropFirst()))
            job.number = try connection.number("SELECT last_insert_rowid()")
            if job.upload != 0 { try ContentStore.makeWhole(job.upload, connection) }
        }
        return job
    }

    private static func removeOld(_ connection: SQLiteConnection) throws(OrgFault) {
        let end = WireTime.datetime(milliseconds: WireTime.milliseconds - lifetime)
        let old = try jobs(
            "\"State\" IN ('JobComplete', 'Failed', 'Aborted') AND \"Modified\" < ?1", [.text(end)], connection)
        for job in old { try remove(job, connection) }
    }

    /// The jobs that fulfil a condition of the org's own, the oldest first.
    func jobs(_ condition: String, _ values: [SQLValue], most: Int = .max) throws(OrgFault) -> [BulkJob] {
        try database.read { (connection) throws(OrgFault) -> [BulkJob] in
            try Self.jobs(condition, values, connection, most: most)
        }
    }

    /// The job of that number.
    func job(_ number: Int64) throws(OrgFault) -> BulkJob? {
        try jobs("\"Number\" = ?1", [.integer(number)]).first
    }

    static func jobs(
        _ condition: String, _ values: [SQLValue], _ connection: SQLiteConnection, most: Int = .max
    ) throws(OrgFault) -> [BulkJob] {
        let sql = "SELECT \(columns) FROM \"org.BulkJob\" WHERE \(condition) ORDER BY \"Number\" LIMIT \(most)"
        return try connection.fetch(sql, values) { BulkJob($0) }
    }

    /// Writes what changes in the life of a job; `false` when it is in another state than expected, or gone.
    static func update(
        _ given: BulkJob, from states: [BulkJob.State], _ connection: SQLiteConnection
    ) throws(OrgFault) -> Bool {
        var job = given
        guard let known = try jobs("\"Number\" = ?1", [.integer(job.number)], connection).first,
            states.contains(known.state)
        else { return false }
        try OrgFault.wrapping { () throws(DatabaseError) in
            // The lines of the results have all of it.
            if job.state == .complete, job.kind == .ingest {
                try ContentStore.remove(job.upload, connection)
                job.upload = 0
            } else if job.upload != known.upload {
                try ContentStore.makeWhole(job.upload, connection)
            }
            try connection.run(
                """
                UPDATE "org.BulkJob" SET "State" = ?2, "Modified" = ?3, "Upload" = ?4, "Processed" = ?5, "Failed" = ?6,
                "Error" = ?7, "Header" = ?8, "Milliseconds" = ?9 WHERE "Number" = ?1
                """,
                [
                    .integer(job.number), .text(job.state.rawValue), .text(WireTime.now), .integer(job.upload),
                    .integer(Int64(job.processed)), .integer(Int64(job.failed)), .text(job.error), .text(job.header),
                    .integer(job.milliseconds),
                ])
        }
        return true
    }

    func write<Result: Sendable>(_ body: (SQLiteConnection) throws(OrgFault) -> Result) throws(OrgFault) -> Result {
        try database.write { (connection) throws(OrgFault) -> Result in
            try connection.transaction(
                { () throws(OrgFault) -> Result in try body(connection) }, failure: OrgFault.init)
        }
    }

    func delete(_ job: BulkJob) throws(OrgFault) {
        try write { (connection) throws(OrgFault) in try Self.remove(job, connection) }
    }

    private static func remove(_ job: BulkJob, _ connection: SQLiteConnection) throws(OrgFault) {
        try OrgFault.wrapping { () throws(DatabaseError) in
            try ContentStore.remove(job.upload, connection)
            for (table, column) in [("org.BulkJob", "Number"), ("org.BulkRow", "Job"), ("org.BulkPage", "Job")] {
                try connection.run("DELETE FROM \"\(table)\" WHERE \"\(column)\" = ?1", [.integer(job.number)])
            }
        }
    }
}

extension BulkJob {
    /// The job of a row, whose columns stand as in `values`.
    fileprivate init(_ row: RowReader) {
        kind = Kind(rawValue: row.integer(1)) ?? .ingest
        number = row.integer(0)
        state = State(rawValue: row.text(2)) ?? .failed
        (operation, object, externalID) = (row.text(3), row.text(4), row.text(5))
        (query, assignmentRule) = (row.text(6), row.text(7))
        (delimiter, endsInCRLF) = (row.text(8), row.integer(9) == 1)
        (version, user) = (Int(clamping: row.integer(10)), row.text(11))
        (created, modified, upload) = (row.text(12), row.text(13), row.integer(14))
        (processed, failed) = (Int(clamping: row.integer(15)), Int(clamping: row.integer(16)))
        (error, header, milliseconds) = (row.text(17), row.text(18), row.integer(19))
    }

    fileprivate var values: [SQLValue] {
        [
            .integer(number), .integer(kind.rawValue), .text(state.rawValue), .text(operation), .text(object),
            .text(externalID), .text(query), .text(assignmentRule), .text(delimiter), .integer(endsInCRLF ? 1 : 0),
            .integer(Int64(version)), .text(user), .text(created), .text(modified), .integer(upload),
            .integer(Int64(processed)), .integer(Int64(failed)), .text(error), .text(header), .integer(milliseconds),
        ]
    }
}

/// What came of the records of a job, read a few at a time.
struct BulkResults {
    let store: BulkJobStore
    let job: BulkJob

    private static let step = 2_000

    /// Hands out the rows at these positions: record, whether it is new, error and line.
    func each(
        _ range: Range<Int>? = nil, condition: String = "1", _ body: (RowReader) -> Void
    ) throws(OrgFault) {
        let range = range ?? 0..<job.processed
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.step) {
            let end = min(start + Self.step, range.upperBound)
            try read(
                """
                SELECT "Record", "IsNew", "Error", "Line" FROM "org.BulkRow" WHERE "Job" = ?1
                AND "Position" >= ?2 AND "Position" < ?3 AND \(condition) ORDER BY "Position"
                """, [.integer(Int64(start)), .integer(Int64(end))], body)
        }
    }

    /// The position behind a page.
    func endOfPage(from start: Int) throws(OrgFault) -> Int {
        var end = job.processed
        let sql = "SELECT min(\"Position\") FROM \"org.BulkPage\" WHERE \"Job\" = ?1 AND \"Position\" > ?2"
        try read(sql, [.integer(Int64(start))]) { row in
            if !row.isNull(0) { end = Int(clamping: row.integer(0)) }
        }
        return end
    }

    /// The first positions of this page and of those behind it.
    func pages(from start: Int, most: Int) throws(OrgFault) -> [Int] {
        var begins = [start]
        let sql = """
            SELECT "Position" FROM "org.BulkPage" WHERE "Job" = ?1 AND "Position" > ?2 ORDER BY "Position"
            LIMIT \(most - 1)
            """
        try read(sql, [.integer(Int64(start))]) { begins.append(Int(clamping: $0.integer(0))) }
        return begins
    }

    private func read(
        _ sql: String, _ values: [SQLValue], _ each: (RowReader) -> Void
    ) throws(OrgFault) {
        try store.database.read { (connection) throws(OrgFault) in
            try OrgFault.wrapping { () throws(DatabaseError) in
                try connection.rows(sql, [.integer(job.number)] + values, each: each)
            }
        }
    }
}
