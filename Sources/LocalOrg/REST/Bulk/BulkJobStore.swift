// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The jobs and the results of their records in the org's database, so that they outlive the program.
struct BulkJobStore: Sendable {
    var database: Database

    private static let columns = """
        "Number", "IsQuery", "State", "Operation", "Object", "ExternalId", "Query", "Delimiter", "IsCRLF", "Version",
        "User", "Created", "Modified", "Position", "Processed", "Failed", "Error", "Header"
        """

    func insert(_ job: BulkJob) throws(OrgFault) -> BulkJob {
        try write { (connection) throws(OrgFault) -> BulkJob in
            var job = job
            do throws(DatabaseError) {
                var last: Int64 = 0
                try connection.rows("SELECT coalesce(max(\"Number\"), 0) FROM \"org.Job\"") { last = $0.integer(0) }
                // The numbers go on when jobs were deleted, because the last one leaves its number behind.
                try connection.rows("SELECT coalesce(max(\"Job\"), 0) FROM \"org.JobNumber\"") {
                    last = max(last, $0.integer(0))
                }
                job.number = last + 1
                job.created = WireTime.now
                job.modified = job.created
                try connection.run("DELETE FROM \"org.JobNumber\"")
                try connection.run("INSERT INTO \"org.JobNumber\" VALUES (?1)", [.integer(job.number)])
                try connection.run(
                    """
                    INSERT INTO "org.Job" (\(Self.columns))
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, 0, 0, 0, '', ?13)
                    """,
                    [
                        .integer(job.number), .integer(job.isQuery ? 1 : 0), .text(job.state.rawValue),
                        .text(job.operation), .text(job.object), .text(job.externalID), .text(job.query),
                        .text(job.delimiter), .integer(job.endsInCRLF ? 1 : 0), .integer(Int64(job.version)),
                        .text(job.user), .text(job.created), .text(job.header),
                    ])
            } catch {
                throw OrgFault(error)
            }
            return job
        }
    }

    /// The jobs that fulfil a condition of the org's own, the oldest first.
    func jobs(_ condition: String, _ values: [SQLValue]) throws(OrgFault) -> [BulkJob] {
        try database.read { (connection) throws(OrgFault) -> [BulkJob] in
            try Self.jobs(condition, values, connection)
        }
    }

    static func jobs(
        _ condition: String, _ values: [SQLValue], _ connection: SQLiteConnection
    ) throws(OrgFault) -> [BulkJob] {
        var jobs: [BulkJob] = []
        do throws(DatabaseError) {
            let sql = "SELECT \(Self.columns) FROM \"org.Job\" WHERE \(condition) ORDER BY \"Number\""
            try connection.rows(sql, values) { row in
                var job = BulkJob(
                    isQuery: row.integer(1) == 1, state: .init(rawValue: row.text(2)) ?? .failed,
                    operation: row.text(3), object: row.text(4), delimiter: row.text(7),
                    endsInCRLF: row.integer(8) == 1, version: Int(clamping: row.integer(9)), user: row.text(10))
                job.number = row.integer(0)
                job.externalID = row.text(5)
                job.query = row.text(6)
                job.created = row.text(11)
                job.modified = row.text(12)
                job.position = Int(clamping: row.integer(13))
                job.processed = Int(clamping: row.integer(14))
                job.failed = Int(clamping: row.integer(15))
                job.error = row.text(16)
                job.header = row.text(17)
                jobs.append(job)
            }
        } catch {
            throw OrgFault(error)
        }
        return jobs
    }

    /// Writes what changes in the life of a job; `false` when it is in another state than expected, or gone.
    static func update(
        _ job: BulkJob, from states: [BulkJob.State], _ connection: SQLiteConnection
    ) throws(OrgFault) -> Bool {
        guard let known = try jobs("\"Number\" = ?1", [.integer(job.number)], connection).first,
            states.contains(known.state)
        else { return false }
        do throws(DatabaseError) {
            try connection.run(
                """
                UPDATE "org.Job" SET "State" = ?2, "Modified" = ?3, "Position" = ?4, "Processed" = ?5, "Failed" = ?6,
                "Error" = ?7, "Header" = ?8 WHERE "Number" = ?1
                """,
                [
                    .integer(job.number), .text(job.state.rawValue), .text(WireTime.now), .integer(Int64(job.position)),
                    .integer(Int64(job.processed)), .integer(Int64(job.failed)), .text(job.error), .text(job.header),
                ])
            if job.state == .complete {
                try connection.run("DELETE FROM \"org.JobData\" WHERE \"Job\" = ?1", [.integer(job.number)])
            }
        } catch {
            throw OrgFault(error)
        }
        return true
    }

    func write<Result: Sendable>(_ body: (SQLiteConnection) throws(OrgFault) -> Result) throws(OrgFault) -> Result {
        try database.write { (connection) throws(OrgFault) -> Result in
            try connection.transaction(
                { () throws(OrgFault) -> Result in try body(connection) }, failure: OrgFault.init)
        }
    }

    /// The upload of a job.
    func data(of job: BulkJob) throws(OrgFault) -> String? {
        try database.read { (connection) throws(OrgFault) -> String? in
            var data: String?
            do throws(DatabaseError) {
                let sql = "SELECT \"Data\" FROM \"org.JobData\" WHERE \"Job\" = ?1"
                try connection.rows(sql, [.integer(job.number)]) { data = $0.text(0) }
            } catch {
                throw OrgFault(error)
            }
            return data
        }
    }

    func delete(_ job: BulkJob) throws(OrgFault) {
        try write { (connection) throws(OrgFault) in
            do throws(DatabaseError) {
                for (table, column) in [("org.Job", "Number"), ("org.JobData", "Job"), ("org.JobRow", "Job")] {
                    try connection.run("DELETE FROM \"\(table)\" WHERE \"\(column)\" = ?1", [.integer(job.number)])
                }
            } catch {
                throw OrgFault(error)
            }
        }
    }
}
