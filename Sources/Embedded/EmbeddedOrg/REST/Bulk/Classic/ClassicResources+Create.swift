// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport

extension ClassicResources {
    func create() throws(OrgFault) -> ServerResponse {
        let root = JSONValue(try format.members(of: request.body))
        let operation = try root.text("operation") ?? ""
        guard ClassicRules.operations.contains(operation) else {
            throw .invalidJob("The operation '\(operation.prefix(40))' is not known")
        }
        var job = BulkJob(kind: .classic, state: .open, operation: operation, version: version.number, user: user)
        let type = try root.text("contentType") ?? "XML"
        guard let contentType = BulkJob.ContentType(rawValue: type) else {
            throw .invalidJob("The content type '\(type.prefix(40))' is not supported: it must be CSV, JSON or XML")
        }
        job.contentType = contentType
        // The mode has a name, or its number in the list of names.
        switch root["concurrencyMode"].map({ $0.string ?? $0.numberText ?? "" }) ?? "Parallel" {
        case "Parallel", "0": break
        case "Serial", "1": job.isSerial = true
        default: throw .invalidJob("concurrencyMode must be Parallel or Serial")
        }
        job.isChunked = try isChunked()
        guard !job.isChunked || job.isQuery else { throw .invalidJob("Only queries are divided by primary keys") }
        try IngestRules(schema: worker.store.schema, rules: worker.rules).apply(root, .latest, to: &job)
        let made = try store.insert(job)
        return format.answer(201, "jobInfo", made.jobInfo([], format))
    }

    /// Whether the header asks for batches by ranges of ids: `TRUE`, or `chunkSize=50000; startRow=…; parent=…`.
    private func isChunked() throws(OrgFault) -> Bool {
        guard let text = request.fields["Sforce-Enable-PKChunking"]?.lowercased(), text != "false" else { return false }
        guard text != "true" else { return true }
        for option in text.split(byte: ";") {
            let sides = option.split(byte: "=").map { $0.without(" ") }
            guard sides.count == 2, ["chunksize", "startrow", "parent"].contains(sides[0]) else {
                throw .invalidJob("Sforce-Enable-PKChunking has an option that is not known")
            }
            guard sides[0] == "chunksize" else {
                throw .invalidJob("\(sides[0]) of Sforce-Enable-PKChunking is not supported here")
            }
            guard let size = Int(outside: sides[1], in: .count), (1...250_000).contains(size) else {
                throw .invalidJob("chunkSize must be between 1 and 250000")
            }
        }
        return true
    }

    func add(to job: BulkJob) throws(OrgFault) -> ServerResponse {
        guard job.version == version.number else {
            throw OrgFault(400, "INVALIDVERSION", "The job was made with version \(job.version).0")
        }
        let batch = try draft(job)
        let spool = Spool()
        spool.append(request.body)
        let made =
            batch.isQuery
            ? try insert(batch, job)
            : try ContentStore(database: store.database).keep(spool) { (content) throws(OrgFault) -> BulkJob in
                var batch = batch
                batch.upload = content
                return try insert(batch, job)
            }
        worker.wake()
        return format.answer(201, "batchInfo", made.batchInfo(format))
    }

    private func insert(_ batch: BulkJob, _ job: BulkJob) throws(OrgFault) -> BulkJob {
        try store.write { (connection) throws(OrgFault) -> BulkJob in
            guard try BulkJobStore.jobs("\"Number\" = ?1", [.integer(job.number)], connection).first?.state == .open
            else { throw .jobState("Only a job that is Open takes batches") }
            guard job.isChunked else { return try BulkJobStore.insert(batch, connection) }
            // The first batch stays as it came, and those that the org makes of it do the work: here it is one.
            var first = batch
            first.state = .aborted
            first = try BulkJobStore.insert(first, connection)
            _ = try BulkJobStore.insert(batch, connection)
            return first
        }
    }

    private func draft(_ job: BulkJob) throws(OrgFault) -> BulkJob {
        guard job.isQuery || request.mediaType.map(job.contentType.accepts) ?? false else {
            throw OrgFault(
                400, "INVALIDBATCH", "A batch of this job must have the type \(job.contentType.mediaType)")
        }
        guard (1...ClassicRules.mostBytes).contains(request.body.count) else {
            throw OrgFault(400, "INVALIDBATCH", "A batch must have 1 to 10,000,000 bytes")
        }
        var batch = job
        batch = BulkJob(
            kind: .batch, parent: job.number, state: .uploaded, operation: job.operation, object: job.object,
            externalID: job.externalID, contentType: job.contentType, version: job.version, user: user)
        guard job.isQuery else { return batch }
        guard let text = String(validating: request.body, as: UTF8.self) else {
            throw OrgFault(400, "INVALIDBATCH", "A query must be UTF-8")
        }
        batch.query = text
        return batch
    }
}

extension BulkJob.ContentType {
    var mediaType: String {
        switch self {
        case .csv: "text/csv"
        case .json: "application/json"
        case .xml: "application/xml"
        }
    }

    func accepts(_ type: String) -> Bool { type == mediaType || (self == .xml && type == "text/xml") }
}
