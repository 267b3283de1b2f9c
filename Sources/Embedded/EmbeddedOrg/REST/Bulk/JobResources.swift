// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/jobs/ingest` and `/jobs/query`: Bulk API 2.0.
struct JobResources {
    let store: BulkJobStore
    let worker: BulkWorker
    let queries: QueryResources

    var schema: Schema { queries.compiler.schema }

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let rest = call.rest.enumerated().map { $0 == 2 ? $1 : $1.lowercased() }
        guard rest.count > 1, ["ingest", "query"].contains(rest[1]) else { throw .notFound }
        let isQuery = rest[1] == "query"
        try call.version.require(isQuery ? .queryJobs : .ingestJobs)
        guard rest.count > 2 else {
            try call.allow("GET", "POST")
            return call.method == "GET" ? try list(isQuery, call) : try create(isQuery, call)
        }
        let job = try job(rest[2], isQuery)
        guard rest.count > 3 else { return try one(job, call) }
        guard rest.count == 4 else { throw .notFound }
        try call.allow(rest[3] == "batches" && !isQuery ? "PUT" : "GET")
        switch rest[3] {
        case "batches" where !isQuery: return try upload(job, call)
        case "results" where isQuery: return try results(job, call)
        case "resultpages" where isQuery && call.version.has(.resultPages): return try resultPages(job, call)
        case "successfulresults" where !isQuery: return try records(job, .written, call.version)
        case "failedresults" where !isQuery: return try records(job, .refused, call.version)
        case "unprocessedrecords" where !isQuery: return try records(job, .unprocessed, call.version)
        default: throw .notFound
        }
    }

    private func job(_ id: String, _ isQuery: Bool) throws(OrgFault) -> BulkJob {
        guard let number = BulkJob.number(id), let job = try store.job(number), (job.kind == .query) == isQuery
        else { throw OrgFault(404, "NOT_FOUND", "The requested resource does not exist: '\(id.prefix(100))'") }
        return job
    }

    private func one(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "PATCH", "DELETE")
        switch call.method {
        case "PATCH": return try change(job, call)
        case "DELETE":
            guard job.state.isFinal || (job.kind == .ingest && job.state == .uploaded) else {
                throw .jobState("The job is \(job.state.rawValue); only one that has ended can be deleted")
            }
            try store.delete(job)
            return .empty(204)
        default: return .json(value: job.json(call.version))
        }
    }

    private func change(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let text = try RecordInput.members(call.request.body)["state"]?.string ?? ""
        let (state, allowed): (BulkJob.State, [BulkJob.State])
        switch text {
        case "UploadComplete" where job.kind == .ingest: (state, allowed) = (.uploaded, [.open])
        case "Aborted": (state, allowed) = (.aborted, [.open, .uploaded, .inProgress])
        default: throw .invalidJob("The state '\(text.prefix(40))' cannot be set")
        }
        let changed = try store.write { (connection) throws(OrgFault) -> BulkJob in
            // What the worker has done in the meantime is kept.
            guard var next = try BulkJobStore.jobs("\"Number\" = ?1", [.integer(job.number)], connection).first else {
                throw .notFound
            }
            let known = next.state
            next.state = state
            guard try BulkJobStore.update(next, from: allowed, connection) else {
                throw .jobState("A job that is \(known.rawValue) cannot become \(text)")
            }
            return next
        }
        if changed.state == .uploaded { worker.wake() }
        return .json(value: changed.json(call.version, isWhole: false))
    }
}

extension OrgFault {
    static func invalidJob(_ message: String) -> OrgFault { OrgFault(400, "INVALIDJOB", message) }
    static func jobState(_ message: String) -> OrgFault { OrgFault(400, "INVALIDJOBSTATE", message) }
}
