// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LocalServer
import RestJSON
import Synchronization

/// Works on jobs one after another, on a thread of its own.
///
/// Each batch of records is one transaction together with the job's progress. So a job goes on where it was when the
/// org is started again.
final class BulkWorker: Sendable {
    private let queue = DispatchQueue(label: "localorg.bulk")
    private let isStopped = Mutex(false)
    private let jobs: BulkJobStore
    private let store: RecordStore
    private let queries: QueryResources

    private static let (batch, page) = (200, 2_000)

    init(jobs: BulkJobStore, store: RecordStore, queries: QueryResources) {
        self.jobs = jobs
        self.store = store
        self.queries = queries
    }

    /// Looks for work.
    func wake() { queue.async { [weak self] in self?.work() } }

    /// Ends after the batch under way.
    func stop() {
        isStopped.withLock { $0 = true }
        queue.sync {}
    }

    private var mayGoOn: Bool { !isStopped.withLock(\.self) }

    private func work() {
        while mayGoOn {
            let condition = "\"State\" IN ('UploadComplete', 'InProgress') AND \"Number\" > ?1"
            guard let job = try? jobs.jobs(condition, [.integer(0)]).first else { return }
            do throws(OrgFault) {
                if job.isQuery { try query(job) } else { try ingest(job) }
            } catch {
                guard mayGoOn else { return }
                var failed = job
                failed.state = .failed
                failed.error = "\(error.code) : \(error.message)"
                if let known = try? jobs.jobs("\"Number\" = ?1", [.integer(job.number)]).first {
                    (failed.position, failed.processed, failed.failed) = (known.position, known.processed, known.failed)
                    failed.header = known.header
                }
                guard (try? save(failed)) == true else { return }
            }
        }
    }

    private func save(_ job: BulkJob) throws(OrgFault) -> Bool {
        try jobs.write { (connection) throws(OrgFault) -> Bool in
            try BulkJobStore.update(job, from: [.uploaded, .inProgress], connection)
        }
    }

    // MARK: Queries

    private func query(_ given: BulkJob) throws(OrgFault) {
        var job = given
        (job.state, job.processed) = (.inProgress, 0)
        let options = QueryOptions(
            now: WireTime.milliseconds, basePath: APIVersion(number: job.version).path,
            includesDeleted: job.operation == "queryAll", userID: job.user)
        let compiled: CompiledQuery
        do throws(QueryError) {
            compiled = try queries.compiler.compile(job.query, options: options)
        } catch {
            throw OrgFault(error)
        }
        let columns = try BulkColumns(job.query, queries, compiled)
        guard case .records(let shape) = compiled.shape else { return }
        let limit = queries.timeLimit
        let rows = try jobs.database.read { (connection) throws(OrgFault) -> RowNumbers in
            try QueryReader(connection: connection, timeLimit: limit).rowNumbers(compiled)
        }
        // What an earlier run has left.
        try jobs.write { (connection) throws(OrgFault) in
            do throws(DatabaseError) {
                try connection.run("DELETE FROM \"org.JobRow\" WHERE \"Job\" = ?1", [.integer(job.number)])
            } catch {
                throw OrgFault(error)
            }
        }
        var offset = 0
        while offset < rows.count {
            guard mayGoOn else { return }
            let numbers = rows.numbers(in: offset..<min(offset + Self.page, rows.count))
            offset += numbers.count
            let bytes = try jobs.database.read { (connection) throws(OrgFault) -> [UInt8] in
                let reader = QueryReader(connection: connection, timeLimit: limit)
                return try reader.records(compiled.page(of: numbers[...]), shape).bytes
            }
            let records = (try? JSONValue(parsing: [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]))?.array ?? []
            let lines = records.map { job.line(columns.values(of: $0)) }
            let first = job.processed
            job.processed += lines.count
            let progress = job
            let isKept = try jobs.write { (connection) throws(OrgFault) -> Bool in
                for (position, line) in lines.enumerated() {
                    try Self.add(progress, first + position, id: nil, isNew: false, error: nil, line, connection)
                }
                return try BulkJobStore.update(progress, from: [.uploaded, .inProgress], connection)
            }
            guard isKept else { return }
        }
        job.state = .complete
        _ = try save(job)
    }

    fileprivate static func add(
        _ job: BulkJob, _ position: Int, id: String?, isNew: Bool, error: String?, _ line: String,
        _ connection: SQLiteConnection
    ) throws(OrgFault) {
        do throws(DatabaseError) {
            try connection.run(
                "INSERT OR REPLACE INTO \"org.JobRow\" VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                [
                    .integer(job.number), .integer(Int64(position)), id.map { .text($0) } ?? .null,
                    .integer(isNew ? 1 : 0), error.map { .text($0) } ?? .null, .text(line),
                ])
        } catch let failure {
            throw OrgFault(failure)
        }
    }

    // MARK: Uploads

    private func ingest(_ given: BulkJob) throws(OrgFault) {
        var job = given
        job.state = .inProgress
        guard let object = store.schema.object(named: job.object) else { throw .notFound }
        let bytes = Array((try jobs.data(of: job) ?? "").utf8)
        var reader = CSVReader(bytes, delimiter: job.separator, endsInCRLF: job.endsInCRLF)
        guard let first = try next(&reader) else { throw OrgFault(400, "InvalidBatch", "The upload is empty") }
        let record = BulkRecord(names: first.fields, job: job, object: object)
        try record.check()
        job.header = reader.text(first.range)
        if job.position == 0 {
            job.position = reader.position
        } else {
            reader = CSVReader(
                bytes, delimiter: job.separator, endsInCRLF: job.endsInCRLF, from: job.position)
        }
        while true {
            guard mayGoOn else { return }
            var batch: [(fields: [String], line: String)] = []
            var fault: OrgFault?
            do throws(OrgFault) {
                while batch.count < Self.batch, let next = try next(&reader) {
                    batch.append((next.fields, reader.text(next.range)))
                }
            } catch {
                fault = error
            }
            let isLast = batch.count < Self.batch
            if fault == nil { job.position = reader.position }
            if isLast, fault == nil { job.state = .complete }
            guard try write(batch, record, &job) else { return }
            if let fault { throw fault }
            if isLast { return }
        }
    }

    private func next(_ reader: inout CSVReader) throws(OrgFault) -> CSVReader.Record? {
        do throws(CSVReader.Fault) {
            return try reader.next()
        } catch {
            throw OrgFault(400, "ClientInputError", "\(error.reason) (line \(error.line))")
        }
    }

    /// Writes a batch with its results; `false` when the job was ended by somebody.
    private func write(
        _ batch: [(fields: [String], line: String)], _ record: BulkRecord, _ job: inout BulkJob
    ) throws(OrgFault) -> Bool {
        let start = job
        let done = try jobs.database.atomically { database -> ((job: BulkJob, fault: OrgFault?)?, isKept: Bool) in
            var (store, job) = (store, start)
            store.database = database
            store.userID = job.user
            do throws(OrgFault) {
                for row in batch {
                    let position = job.processed
                    job.processed += 1
                    let outcome = record.save(row.fields, in: store)
                    if outcome.fault != nil { job.failed += 1 }
                    let error = outcome.fault.map { "\($0.code):\($0.message):\($0.fields.joined(separator: ",")) --" }
                    try database.write { (connection) throws(OrgFault) in
                        try Self.add(
                            job, position, id: outcome.id, isNew: outcome.isNew, error: error, row.line, connection)
                    }
                }
                let isKept = try database.write { (connection) throws(OrgFault) -> Bool in
                    try BulkJobStore.update(job, from: [.uploaded, .inProgress], connection)
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
}
