// SPDX-License-Identifier: Apache-2.0

import LocalServer

extension BulkWorker {
    /// The records of one transaction, as on the platform.
    private static let batch = 200

    /// Writes the records of an upload, from where an earlier run has come to.
    func ingest(_ given: BulkJob) throws(OrgFault) {
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
            var fault: OrgFault?
            do throws(OrgFault) {
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

    /// Writes a batch with its results; `false` when the job was ended by somebody.
    private func write(_ rows: [BulkRow], _ record: BulkRecord, _ job: inout BulkJob) throws(OrgFault) -> Bool {
        let start = (job: job, time: ContinuousClock.now)
        let done = try jobs.database.atomically { database -> ((job: BulkJob, fault: OrgFault?)?, isKept: Bool) in
            var (store, job) = (store, start.job)
            store.database = database
            store.userID = job.user
            do throws(OrgFault) {
                for row in rows { try write(row, record, &job, store) }
                job.milliseconds += (ContinuousClock.now - start.time).milliseconds
                let ended = job
                let isKept = try database.write { (connection) throws(OrgFault) -> Bool in
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
    ) throws(OrgFault) {
        let position = job.processed
        let outcome = record.save(row, in: store)
        job.processed += 1
        if outcome.fault != nil { job.failed += 1 }
        let known = job
        try store.database.write { (connection) throws(OrgFault) in
            try Self.add(known, position, outcome, line: row.line, connection)
        }
    }
}
