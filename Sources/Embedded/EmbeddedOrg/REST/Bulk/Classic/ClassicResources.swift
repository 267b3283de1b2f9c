// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/services/async/NN.0/job`: Bulk API 1.0.
struct ClassicResources {
    let store: BulkJobStore
    let worker: BulkWorker
    let queries: QueryResources
    let request: ServerRequest
    let version: APIVersion
    let user: String

    var format: ClassicFormat { ClassicFormat(request) }

    /// Answers what is below the version.
    func answer(_ rest: [String]) throws(OrgFault) -> ServerResponse {
        guard rest.first == "job" else { throw .notFound }
        guard rest.count > 1 else {
            try allow("POST")
            return try create()
        }
        let job = try find(rest[1], BulkJob.prefix) { $0.kind == .classic }
        guard rest.count > 2 else {
            try allow("GET", "POST")
            return request.method == "POST" ? try change(job) : info(job, 200, try batches(of: job))
        }
        guard rest[2] == "batch" else { throw .notFound }
        guard rest.count > 3 else {
            try allow("GET", "POST")
            return request.method == "POST" ? try add(to: job) : list(job, try batches(of: job))
        }
        let batch = try find(rest[3], BulkJob.batchPrefix) { $0.kind == .batch && $0.parent == job.number }
        try allow("GET")
        switch (rest.count, rest.count > 4 ? rest[4] : "") {
        case (4, _):
            let format = format(for: job)
            return format.answer(200, "batchInfo", batch.batchInfo(format))
        case (5, "request"): return try upload(of: batch)
        case (5, "result"): return try ClassicResults(store: store, batch: batch, format: format(for: job)).answer()
        case (6, "result"):
            return try ClassicResults(store: store, batch: batch, format: format(for: job)).records(rest[5])
        default: throw .notFound
        }
    }

    private func allow(_ methods: String...) throws(OrgFault) {
        guard methods.contains(request.method) else { throw .methodNotAllowed(request.method, methods) }
    }

    private func find(
        _ id: String, _ prefix: String, _ isRight: (BulkJob) -> Bool
    ) throws(OrgFault) -> BulkJob {
        if let number = BulkJob.number(id, prefix), let job = try store.job(number), isRight(job) { return job }
        let name = prefix == BulkJob.prefix ? "job" : "batch"
        throw OrgFault(
            400, name == "job" ? "INVALIDJOB" : "INVALIDBATCH", "Invalid \(name) id: \(id.prefix(40))")
    }

    /// A job in JSON is spoken of in JSON.
    private func format(for job: BulkJob) -> ClassicFormat {
        request.fields["Content-Type"] == nil && job.contentType == .json ? .json : format
    }

    private func batches(of job: BulkJob) throws(OrgFault) -> [BulkJob] {
        try store.jobs("\"Parent\" = ?1", [.integer(job.number)])
    }

    private func info(_ job: BulkJob, _ status: Int, _ batches: [BulkJob]) -> ServerResponse {
        let format = format(for: job)
        return format.answer(status, "jobInfo", job.jobInfo(batches, format))
    }

    private func list(_ job: BulkJob, _ batches: [BulkJob]) -> ServerResponse {
        let format = format(for: job)
        let infos = batches.map { $0.batchInfo(format) }
        return format.answer(200, "batchInfoList", ["batchInfo": JSONValue(JSONArray(infos))])
    }

    /// What was uploaded, as it came.
    private func upload(of batch: BulkJob) throws(OrgFault) -> ServerResponse {
        let type = batch.isQuery ? "text/plain" : batch.contentType.mediaType
        let bytes =
            batch.isQuery
            ? Array(batch.query.utf8) : try BulkContent(number: batch.upload, database: store.database).all()
        return ServerResponse(status: 200, fields: [("Content-Type", "\(type);charset=UTF-8")], body: bytes)
    }

    private func change(_ job: BulkJob) throws(OrgFault) -> ServerResponse {
        let text = try format.members(of: request.body)["state"]?.string ?? ""
        guard let state = BulkJob.State(rawValue: text), [.closed, .aborted].contains(state) else {
            throw .jobState("The state '\(text.prefix(40))' cannot be set")
        }
        let changed = try store.write { (connection) throws(OrgFault) -> BulkJob in
            var next = job
            next.state = state
            guard try BulkJobStore.update(next, from: [.open], connection) else {
                throw .jobState("A job that is \(job.state.rawValue) cannot become \(text)")
            }
            if state == .aborted { try abort(job, connection) }
            return next
        }
        return info(changed, 200, try batches(of: job))
    }

    /// What is done stays; what waits is never done.
    private func abort(_ job: BulkJob, _ connection: SQLiteConnection) throws(OrgFault) {
        let sql = "\"Parent\" = ?1 AND \"State\" IN ('UploadComplete', 'InProgress')"
        for var batch in try BulkJobStore.jobs(sql, [.integer(job.number)], connection) {
            batch.state = .aborted
            _ = try BulkJobStore.update(batch, from: [.uploaded, .inProgress], connection)
        }
    }
}
