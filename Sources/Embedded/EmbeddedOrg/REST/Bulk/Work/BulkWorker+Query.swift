// SPDX-License-Identifier: Apache-2.0

import LocalServer

extension BulkWorker {
    /// The records that are read and kept at once.
    private static let page = 2_000

    /// Keeps the result of a query; one that an earlier run has begun is begun anew.
    func query(_ given: BulkJob) throws(OrgFault) {
        var job = given
        (job.state, job.processed) = (.inProgress, 0)
        let options = QueryOptions(
            now: WireTime.milliseconds, version: job.version, includesDeleted: job.operation == "queryAll",
            userID: job.user)
        let compiled: CompiledQuery
        do throws(QueryError) {
            compiled = try queries.compiler.compile(job.query, options: options)
        } catch {
            throw OrgFault(error)
        }
        let columns = try BulkColumns(
            job.query, queries, compiled, isOrdered: options.apiVersion.has(.selectedOrder))
        job.header = job.line(columns.names)
        let limit = queries.timeLimit
        let rows = try jobs.database.read { (connection) throws(OrgFault) -> [Int64] in
            try QueryReader(connection: connection, timeLimit: limit).rowNumbers(compiled)
        }
        try forget(job)
        var pages = BulkPages(size: rules.pageSize)
        for offset in stride(from: 0, to: rows.count, by: Self.page) {
            guard mayGoOn else { return }
            let begin = ContinuousClock.now
            let numbers = rows[offset..<min(offset + Self.page, rows.count)]
            let known = job
            let lines = try jobs.database.read { (connection) throws(OrgFault) -> [String] in
                var lines: [String] = []
                try QueryReader(connection: connection, timeLimit: limit).run(compiled.page(of: numbers)) { row in
                    lines.append(columns.line(of: row, known))
                }
                return lines
            }
            job.milliseconds += (ContinuousClock.now - begin).milliseconds
            guard try keep(lines, &job, &pages) else { return }
        }
        job.state = .complete
        _ = try save(job)
    }

    /// Removes what an earlier run has left.
    private func forget(_ job: BulkJob) throws(OrgFault) {
        try jobs.write { (connection) throws(OrgFault) in
            do throws(DatabaseError) {
                for table in ["org.BulkRow", "org.BulkPage"] {
                    try connection.run("DELETE FROM \"\(table)\" WHERE \"Job\" = ?1", [.integer(job.number)])
                }
            } catch {
                throw OrgFault(error)
            }
        }
    }

    /// Keeps lines, and where pages begin; `false` when the job was ended by somebody.
    private func keep(_ lines: [String], _ job: inout BulkJob, _ pages: inout BulkPages) throws(OrgFault) -> Bool {
        let first = job.processed
        job.processed += lines.count
        let begins = lines.indices.filter { pages.begins(with: lines[$0]) }
        let progress = job
        return try jobs.write { (connection) throws(OrgFault) -> Bool in
            for (position, line) in lines.enumerated() {
                try Self.add(progress, first + position, line: line, connection)
            }
            do throws(DatabaseError) {
                for position in begins {
                    try connection.run(
                        "INSERT INTO \"org.BulkPage\" VALUES (?1, ?2)",
                        [.integer(progress.number), .integer(Int64(first + position))])
                }
            } catch {
                throw OrgFault(error)
            }
            return try BulkJobStore.update(progress, from: [.uploaded, .inProgress], connection)
        }
    }
}

/// Where the pages of a result begin: after so many records, or earlier if they are long.
struct BulkPages {
    let size: Int
    private var (records, bytes) = (0, 0)

    init(size: Int) {
        self.size = max(1, size)
    }

    /// Whether a page begins with the next line; the first one does not count.
    mutating func begins(with line: String) -> Bool {
        let isFull = records >= size || (records > 0 && bytes + line.utf8.count > BulkRules.pageBytes)
        if isFull { (records, bytes) = (0, 0) }
        records += 1
        bytes += line.utf8.count
        return isFull
    }
}
