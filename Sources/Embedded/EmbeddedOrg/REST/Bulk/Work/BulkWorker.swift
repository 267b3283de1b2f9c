// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestSQLite
import SOQLStore
import Synchronization

/// Runs the jobs one after another on its own thread.
///
/// Each batch of records is one transaction together with the job's progress. So a job continues when the org starts
/// again.
final class BulkWorker: Sendable {
    private let queue = DispatchQueue(label: "localorg.bulk")
    private let isStopped = Mutex(false)
    let jobs: BulkJobStore
    let store: RecordStore
    let queries: QueryResources
    /// The maximum number of records on a page of query results if the client does not ask for fewer.
    private let pageSize: Int

    init(jobs: BulkJobStore, store: RecordStore, queries: QueryResources, pageSize: Int) {
        (self.jobs, self.store, self.queries, self.pageSize) = (jobs, store, queries, pageSize)
    }

    func wake() { queue.async { [weak self] in self?.work() } }

    /// Stops after the current batch.
    func stop() {
        isStopped.withLock { $0 = true }
        queue.sync {}
    }

    /// Returns when all jobs have finished.
    func finish() { queue.sync {} }

    var mayGoOn: Bool { !isStopped.withLock(\.self) }

    private func work() {
        while mayGoOn {
            let condition = "\"State\" IN ('UploadComplete', 'InProgress')"
            guard let job = try? jobs.jobs(condition, [], most: 1).first else { return }
            do throws(OrgError) {
                if job.kind == .query { try query(job) } else { try ingest(job) }
            } catch {
                guard mayGoOn, fail(job, error) else { return }
            }
        }
    }

    /// Ends a failed job and keeps what was written before, or returns `false` if that is not possible.
    private func fail(_ job: BulkJob, _ fault: OrgError) -> Bool {
        guard var failed = try? jobs.job(job.number) else { return false }
        failed.state = .failed
        failed.error = "\(fault.code) : \(fault.message)"
        return (try? save(failed)) != nil
    }

    /// Stores the progress of a job, or returns `false` if the job was ended.
    func save(_ job: BulkJob) throws(OrgError) -> Bool {
        try jobs.database.transaction { (connection) throws(OrgError) -> Bool in
            try BulkJobStore.update(job, from: [.uploaded, .inProgress], connection)
        }
    }

    static func add(
        _ job: BulkJob, _ position: Int, _ outcome: BulkRecord.Outcome = .init(), line: String,
        _ connection: SQLiteConnection
    ) throws(OrgError) {
        let error = outcome.fault.map { "\($0.code):\($0.message):\($0.fields.joined(separator: ",")) --" }
        try connection.change(
            "INSERT OR REPLACE INTO \"org.BulkRow\" VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            [
                .integer(job.number), .integer(Int64(position)), outcome.id.map { .text($0) } ?? .null,
                .integer(outcome.isNew ? 1 : 0), error.map { .text($0) } ?? .null, .text(line),
            ])
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension BulkWorker {
    /// The number of records in a transaction, as on Salesforce.
    private static let batch = 200

    /// Writes the records of an upload, beginning after those of an earlier run.
    func ingest(_ given: BulkJob) throws(OrgError) {
        var job = given
        job.state = .inProgress
        guard let object = store.schema.object(named: job.object) else { throw .notFound }
        var upload = try CSVUpload(job, jobs.database)
        let record = BulkRecord(job: job, object: object, schema: store.schema)
        try record.check(upload.names)
        job.header = upload.header
        for _ in 0..<job.processed { _ = try upload.next() }
        while mayGoOn {
            var rows: [BulkRow] = []
            var fault: OrgError?
            do throws(OrgError) {
                while rows.count < Self.batch, let row = try upload.next() { rows.append(row) }
            } catch {
                fault = error
            }
            let isLast = rows.count < Self.batch
            if isLast, fault == nil { job.state = .complete }
            guard try write(rows, record, &job) else { return }
            if let fault { throw fault }
            if isLast { return }
        }
    }

    /// Writes a batch with its results, or returns `false` if the job was ended.
    private func write(_ rows: [BulkRow], _ record: BulkRecord, _ job: inout BulkJob) throws(OrgError) -> Bool {
        let start = (job: job, time: ContinuousClock.now)
        let done = try jobs.database.atomically { database -> ((job: BulkJob, fault: OrgError?)?, isKept: Bool) in
            var (store, job) = (store, start.job)
            store.database = database
            store.userID = job.user
            do throws(OrgError) {
                for row in rows { try write(row, record, &job, store) }
                job.milliseconds += (ContinuousClock.now - start.time).milliseconds
                let ended = job
                let isKept = try database.write { (connection) throws(OrgError) -> Bool in
                    try BulkJobStore.update(ended, from: [.uploaded, .inProgress], connection)
                }
                return isKept ? ((job, nil), true) : (nil, false)
            } catch {
                return ((job, error), false)
            }
        }
        guard let done else { return false }
        if let fault = done.fault { throw fault }
        job = done.job
        return true
    }

    private func write(
        _ row: BulkRow, _ record: BulkRecord, _ job: inout BulkJob, _ store: RecordStore
    ) throws(OrgError) {
        let position = job.processed
        let outcome = record.save(row, in: store)
        job.processed += 1
        if outcome.fault != nil { job.failed += 1 }
        let known = job
        try store.database.write { (connection) throws(OrgError) in
            try Self.add(known, position, outcome, line: row.line, connection)
        }
    }

    /// The number of records that are read and stored at once.
    private static let page = 2_000

    /// Stores the result of a query, and discards the result of an earlier run.
    func query(_ given: BulkJob) throws(OrgError) {
        var job = given
        (job.state, job.processed) = (.inProgress, 0)
        let options = QueryOptions(
            now: WireTime.milliseconds, version: job.version, includesDeleted: job.operation == "queryAll",
            userID: job.user)
        let compiled = try queries.compiler.compile(job.query, options: options)
        let columns = try BulkColumns(
            job.query, queries, compiled, isOrdered: APIVersion(number: job.version).has(.selectedOrder))
        job.header = job.line(columns.names)
        let limit = queries.timeLimit
        let rows = try jobs.database.read { (connection) throws(OrgError) -> RowNumbers in
            try QueryReader(connection: connection, timeLimit: limit).rowNumbers(compiled)
        }
        try forget(job)
        var pages = BulkPages(size: pageSize)
        for offset in stride(from: 0, to: rows.count, by: Self.page) {
            guard mayGoOn else { return }
            let begin = ContinuousClock.now
            let numbers = rows[offset..<min(offset + Self.page, rows.count)]
            let dialect = job.dialect
            let lines = try jobs.database.read { (connection) throws(OrgError) -> [String] in
                var lines: [String] = []
                try QueryReader(connection: connection, timeLimit: limit).run(compiled.page(of: numbers)) { row in
                    lines.append(columns.line(of: row, dialect))
                }
                return lines
            }
            job.milliseconds += (ContinuousClock.now - begin).milliseconds
            guard try keep(lines, &job, &pages) else { return }
        }
        job.state = .complete
        _ = try save(job)
    }

    /// Removes the results of an earlier run.
    private func forget(_ job: BulkJob) throws(OrgError) {
        try jobs.database.transaction { (connection) throws(OrgError) in
            for table in ["org.BulkRow", "org.BulkPage"] {
                try connection.change("DELETE FROM \"\(table)\" WHERE \"Job\" = ?1", [.integer(job.number)])
            }
        }
    }

    private static let linesPerStatement = 100

    /// Stores lines and the starts of pages, or returns `false` if the job was ended.
    private func keep(_ lines: [String], _ job: inout BulkJob, _ pages: inout BulkPages) throws(OrgError) -> Bool {
        let first = job.processed
        job.processed += lines.count
        let begins = lines.indices.filter { pages.begins(with: lines[$0]) }
        let progress = job
        return try jobs.database.transaction { (connection) throws(OrgError) -> Bool in
            for start in stride(from: 0, to: lines.count, by: Self.linesPerStatement) {
                let chunk = lines[start..<min(start + Self.linesPerStatement, lines.count)]
                let places = (1...chunk.count).map { "(?1, ?\(2 * $0), NULL, 0, NULL, ?\(2 * $0 + 1))" }
                var values: [SQLValue] = [.integer(progress.number)]
                for (position, line) in zip(chunk.indices, chunk) {
                    values += [.integer(Int64(first + position)), .text(line)]
                }
                try connection.change("INSERT INTO \"org.BulkRow\" VALUES " + places.joined(separator: ", "), values)
            }
            for position in begins {
                try connection.change(
                    "INSERT INTO \"org.BulkPage\" VALUES (?1, ?2)",
                    [.integer(progress.number), .integer(Int64(first + position))])
            }
            return try BulkJobStore.update(progress, from: [.uploaded, .inProgress], connection)
        }
    }
}

/// The starts of result pages, by number of records and size.
struct BulkPages {
    let size: Int
    private var (records, bytes) = (0, 0)
    /// The maximum size of a page, except for a single larger record, in bytes.
    private static let mostBytes = 8 << 20

    init(size: Int) {
        self.size = max(1, size)
    }

    /// Whether a page starts with the next line, except for the first page.
    mutating func begins(with line: String) -> Bool {
        let isFull = records >= size || (records > 0 && bytes + line.utf8.count > Self.mostBytes)
        if isFull { (records, bytes) = (0, 0) }
        records += 1
        bytes += line.utf8.count
        return isFull
    }
}
