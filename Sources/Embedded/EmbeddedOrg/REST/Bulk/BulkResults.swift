// SPDX-License-Identifier: Apache-2.0

import LocalServer

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
            do throws(DatabaseError) {
                try connection.rows(sql, [.integer(job.number)] + values, each: each)
            } catch {
                throw OrgFault(error)
            }
        }
    }
}
