// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/jobs/ingest` and `/jobs/query`: Bulk API 2.0.
struct JobResources {
    let store: BulkJobStore
    let worker: BulkWorker
    let queries: QueryResources

    private var schema: Schema { queries.compiler.schema }
    private static let operations = ["insert", "update", "upsert", "delete", "hardDelete"]

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let rest = call.rest
        guard rest.count > 1, ["ingest", "query"].contains(rest[1]) else { throw .notFound }
        let isQuery = rest[1] == "query"
        guard rest.count > 2 else {
            try call.allow("GET", "POST")
            return call.method == "GET" ? try list(isQuery, call) : try create(isQuery, call)
        }
        let number = RecordID.normalized(rest[2]).flatMap { RecordID.number(of: $0.utf8.prefix(15).suffix(7)) }
        let jobs = try store.jobs("\"Number\" = ?1", [.integer(number ?? 0)])
        guard let job = jobs.first, job.isQuery == isQuery, job.id == RecordID.normalized(rest[2]) else {
            throw OrgFault(404, "NOT_FOUND", "There is no \(rest[1]) job '\(rest[2].prefix(100))'")
        }
        switch (rest.count, rest.count > 3 ? rest[3] : "") {
        case (3, _): return try one(job, call)
        case (4, "batches") where !isQuery:
            try call.allow("PUT")
            return try upload(job, call)
        case (4, "results") where isQuery:
            try call.allow("GET")
            return try results(job, call)
        case (4, "successfulResults") where !isQuery, (4, "failedResults") where !isQuery,
            (4, "unprocessedrecords") where !isQuery, (4, "unprocessedRecords") where !isQuery:
            try call.allow("GET")
            return try records(job, rest[3])
        default: throw .notFound
        }
    }

    private func list(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let jobs = try store.jobs("\"IsQuery\" = ?1", [.integer(isQuery ? 1 : 0)])
        return .json(value: [
            "done": true, "nextRecordsUrl": nil,
            "records": JSONValue(JSONArray(jobs.map { $0.json(call.version, isWhole: true) })),
        ])
    }

    private func create(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let root = try RecordInput.members(call.request.body)
        let operation = root["operation"]?.string ?? ""
        guard (isQuery ? ["query", "queryAll"] : Self.operations).contains(operation) else {
            throw .invalidJob("The operation '\(operation.prefix(40))' is not known")
        }
        guard root["contentType"]?.string ?? "CSV" == "CSV" else { throw .invalidJob("contentType must be CSV") }
        let delimiter = root["columnDelimiter"]?.string ?? "COMMA"
        guard BulkJob.delimiters[delimiter] != nil else { throw .invalidJob("columnDelimiter is not known") }
        let lineEnding = root["lineEnding"]?.string ?? "LF"
        guard ["LF", "CRLF"].contains(lineEnding) else { throw .invalidJob("lineEnding must be LF or CRLF") }
        var job = BulkJob(
            isQuery: isQuery, state: isQuery ? .uploaded : .open, operation: operation, object: "",
            delimiter: delimiter, endsInCRLF: lineEnding == "CRLF", version: call.version.number, user: call.userID)
        if isQuery {
            job.query = root["query"]?.string ?? ""
            let columns = try BulkColumns(job.query, queries, call)
            job.object = columns.object
            job.header = job.line(columns.names)
        } else {
            let name = root["object"]?.string ?? ""
            guard let object = schema.object(named: name) else {
                throw OrgFault(400, "INVALIDENTITY", "sObject type '\(name.prefix(100))' is not supported")
            }
            job.object = object.name
            let key = root["externalIdFieldName"]?.string ?? ""
            if operation == "upsert" {
                guard let field = object.field(named: key), field.isExternalId || field.type == .id else {
                    throw .invalidJob("externalIdFieldName must name an external id field of \(object.name)")
                }
                job.externalID = field.name
            }
        }
        let made = try store.insert(job)
        if isQuery { worker.wake() }
        return .json(value: made.json(call.version, isWhole: false))
    }

    private func one(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "PATCH", "DELETE")
        switch call.method {
        case "PATCH": return try change(job, call)
        case "DELETE":
            guard job.state.isFinal else {
                throw OrgFault(
                    400, "INVALIDJOBSTATE", "The job is \(job.state.rawValue); only one that has ended can be deleted")
            }
            try store.delete(job)
            return .empty(204)
        default: return .json(value: job.json(call.version))
        }
    }

    private func change(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let text = try RecordInput.members(call.request.body)["state"]?.string ?? ""
        var changed = job
        let allowed: [BulkJob.State]
        switch text {
        case "UploadComplete" where !job.isQuery: (changed.state, allowed) = (.uploaded, [.open])
        case "Aborted": (changed.state, allowed) = (.aborted, [.open, .uploaded, .inProgress])
        default: throw .invalidJob("The state '\(text.prefix(40))' cannot be set")
        }
        let isDone = try store.write { (connection) throws(OrgFault) -> Bool in
            // What a worker has done in the meantime is kept.
            let known = try BulkJobStore.jobs("\"Number\" = ?1", [.integer(job.number)], connection).first ?? job
            var next = known
            next.state = changed.state
            return try BulkJobStore.update(next, from: allowed, connection)
        }
        guard isDone else {
            throw OrgFault(400, "INVALIDJOBSTATE", "A job that is \(job.state.rawValue) cannot become \(text)")
        }
        if changed.state == .uploaded { worker.wake() }
        return .json(value: changed.json(call.version, isWhole: false))
    }

    private func upload(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard let text = String(validating: call.request.body, as: UTF8.self) else {
            throw OrgFault(400, "CLIENTINPUTERROR", "The upload is not UTF-8")
        }
        try store.write { (connection) throws(OrgFault) in
            let known = try BulkJobStore.jobs("\"Number\" = ?1", [.integer(job.number)], connection).first
            guard known?.state == .open else {
                throw OrgFault(400, "INVALIDJOBSTATE", "Only a job that is Open takes an upload")
            }
            do throws(DatabaseError) {
                try connection.run(
                    "INSERT OR REPLACE INTO \"org.JobData\" VALUES (?1, ?2)", [.integer(job.number), .text(text)])
            } catch {
                throw OrgFault(error)
            }
        }
        return .empty(201)
    }
}

extension OrgFault {
    static func invalidJob(_ message: String) -> OrgFault { OrgFault(400, "INVALIDJOB", message) }
}
