// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore

/// The jobs and the results of their records, which are stored in the org's database.
struct BulkJobStore: Sendable {
    var database: Database

    /// The jobs, the results of their records, and the page starts of query results.
    static let tables = """
        CREATE TABLE IF NOT EXISTS "org.BulkJob" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Kind" INTEGER, "State" TEXT, "Modified" TEXT, "Job" TEXT
        );
        CREATE INDEX IF NOT EXISTS "org.BulkJob.work" ON "org.BulkJob" ("Number")
            WHERE "State" IN ('UploadComplete', 'InProgress');
        CREATE TABLE IF NOT EXISTS "org.BulkRow" (
            "Job" INTEGER, "Position" INTEGER, "Record" TEXT, "IsNew" INTEGER, "Error" TEXT, "Line" TEXT,
            PRIMARY KEY ("Job", "Position")
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS "org.BulkPage" (
            "Job" INTEGER, "Position" INTEGER, PRIMARY KEY ("Job", "Position")
        ) WITHOUT ROWID
        """

    /// The lifetime of a finished job and its results, as on Salesforce.
    private static let lifetime: Int64 = 7 * 86_400_000

    func insert(_ given: BulkJob) throws(OrgError) -> BulkJob {
        try database.transaction { (connection) throws(OrgError) -> BulkJob in
            try Self.removeOld(connection)
            var job = given
            job.created = WireTime.now
            job.modified = job.created
            try connection.change(
                "INSERT INTO \"org.BulkJob\" (\"Kind\", \"State\", \"Modified\", \"Job\") VALUES (?1, ?2, ?3, ?4)",
                [.integer(job.kind.rawValue)] + job.values)
            job.number = try connection.fetch("SELECT last_insert_rowid()") { $0.integer(0) }[0]
            return job
        }
    }

    private static func removeOld(_ connection: SQLiteConnection) throws(OrgError) {
        let end = WireTime.datetime(milliseconds: WireTime.milliseconds - lifetime)
        let old = try jobs(
            "\"State\" IN ('JobComplete', 'Failed', 'Aborted') AND \"Modified\" < ?1", [.text(end)], connection)
        for job in old { try remove(job, connection) }
    }

    /// Returns the jobs that match an SQL condition, the oldest first.
    func jobs(_ condition: String, _ values: [SQLValue], most: Int = .max) throws(OrgError) -> [BulkJob] {
        try database.read { (connection) throws(OrgError) -> [BulkJob] in
            try Self.jobs(condition, values, connection, most: most)
        }
    }

    func job(_ number: Int64) throws(OrgError) -> BulkJob? {
        try jobs("\"Number\" = ?1", [.integer(number)]).first
    }

    static func jobs(
        _ condition: String, _ values: [SQLValue], _ connection: SQLiteConnection, most: Int = .max
    ) throws(OrgError) -> [BulkJob] {
        let sql = """
            SELECT "Number", "Job" FROM "org.BulkJob" WHERE \(condition) ORDER BY "Number" LIMIT \(most)
            """
        return try connection.fetch(sql, values) { row -> BulkJob? in
            var job = try? JSONValue(parsing: row.text(1)).decode(BulkJob.self)
            job?.number = row.integer(0)
            return job
        }.compactMap(\.self)
    }

    /// Updates a job, or returns `false` if it is missing or not in one of the states.
    static func update(
        _ given: BulkJob, from states: [BulkJob.State], _ connection: SQLiteConnection
    ) throws(OrgError) -> Bool {
        var job = given
        guard let known = try jobs("\"Number\" = ?1", [.integer(job.number)], connection).first,
            states.contains(known.state)
        else { return false }
        // The lines are also in the results.
        if job.state == .complete, job.kind == .ingest {
            try ContentStore.remove(job.upload, connection)
            job.upload = 0
        } else if job.upload != known.upload {
            try ContentStore.makeWhole(job.upload, connection)
        }
        job.modified = WireTime.now
        try connection.change(
            "UPDATE \"org.BulkJob\" SET \"State\" = ?2, \"Modified\" = ?3, \"Job\" = ?4 WHERE \"Number\" = ?1",
            [.integer(job.number)] + job.values)
        return true
    }

    func delete(_ job: BulkJob) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in try Self.remove(job, connection) }
    }

    private static func remove(_ job: BulkJob, _ connection: SQLiteConnection) throws(OrgError) {
        try ContentStore.remove(job.upload, connection)
        for (table, column) in [("org.BulkJob", "Number"), ("org.BulkRow", "Job"), ("org.BulkPage", "Job")] {
            try connection.change("DELETE FROM \"\(table)\" WHERE \"\(column)\" = ?1", [.integer(job.number)])
        }
    }
}

extension BulkJob {
    /// The state, the time of the last change, and the job as JSON.
    fileprivate var values: [SQLValue] {
        [.text(state.rawValue), .text(modified), (try? JSONValue(encoding: self)).map { .text("\($0)") } ?? .null]
    }
}

/// The results of a job's records, which are read in chunks.
struct BulkResults {
    let store: BulkJobStore
    let job: BulkJob

    private static let step = 2_000

    /// Passes the rows in a range of positions: record, whether it is new, error and line.
    func each(
        _ range: Range<Int>? = nil, condition: String = "1", _ body: (RowReader) -> Void
    ) throws(OrgError) {
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

    func endOfPage(from start: Int) throws(OrgError) -> Int {
        var end = job.processed
        let sql = "SELECT min(\"Position\") FROM \"org.BulkPage\" WHERE \"Job\" = ?1 AND \"Position\" > ?2"
        try read(sql, [.integer(Int64(start))]) { row in
            if !row.isNull(0) { end = Int(clamping: row.integer(0)) }
        }
        return end
    }

    /// Returns the first positions of this page and of the following ones.
    func pages(from start: Int, most: Int) throws(OrgError) -> [Int] {
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
    ) throws(OrgError) {
        try store.database.read { (connection) throws(OrgError) in
            try OrgError.wrapping { () throws(DatabaseError) in
                try connection.rows(sql, [.integer(job.number)] + values, each: each)
            }
        }
    }
}
