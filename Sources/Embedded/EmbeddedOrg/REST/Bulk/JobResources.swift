// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestCSV
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore

/// `/jobs/ingest` and `/jobs/query`: Bulk API 2.0.
struct JobResources {
    let store: BulkJobStore
    let worker: BulkWorker
    let queries: QueryResources

    var schema: Schema { queries.compiler.schema }

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
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

    private func job(_ id: String, _ isQuery: Bool) throws(OrgError) -> BulkJob {
        guard let number = BulkJob.number(id), let job = try store.job(number), (job.kind == .query) == isQuery
        else { throw .missing("The requested resource does not exist: '\(id.prefix(100))'") }
        return job
    }

    private func one(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("GET", "PATCH", "DELETE")
        switch call.method {
        case "PATCH": return try change(job, call)
        case "DELETE":
            guard job.state.isFinal || (job.kind == .ingest && job.state == .uploaded) else {
                throw .jobState("The job is \(job.state.rawValue); only a finished job can be deleted")
            }
            try store.delete(job)
            return .empty(204)
        default: return .json(value: job.json(call.version))
        }
    }

    private func change(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let text = try RecordInput.members(call.request.body)["state"]?.string ?? ""
        let (state, allowed): (BulkJob.State, [BulkJob.State])
        switch text {
        case "UploadComplete" where job.kind == .ingest: (state, allowed) = (.uploaded, [.open])
        case "Aborted": (state, allowed) = (.aborted, [.open, .uploaded, .inProgress])
        default: throw .invalidJob("The state '\(text.prefix(40))' cannot be set")
        }
        let changed = try store.database.transaction { (connection) throws(OrgError) -> BulkJob in
            // The worker's progress meanwhile is kept.
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

extension OrgError {
    static func invalidJob(_ message: String) -> OrgError { OrgError("INVALIDJOB", message) }
    static func jobState(_ message: String) -> OrgError { OrgError("INVALIDJOBSTATE", message) }
}

extension JobResources {
    private static let mostInList = 1_000

    /// Returns up to 1,000 jobs, with a locator for the rest.
    func list(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let kind: BulkJob.Kind = isQuery ? .query : .ingest
        let start = try call.path.parameter("queryLocator").map { (text) throws(OrgError) in
            try Self.position(text)
        }
        let most = Self.mostInList
        let jobs = try store.jobs(
            "\"Kind\" = \(kind.rawValue) AND \"Number\" > ?1", [.integer(Int64(start ?? 0))], most: most + 1)
        let next = jobs.count > most ? Self.locator(Int(clamping: jobs[most - 1].number)) : nil
        let path = "\(call.version.path)/jobs/\(isQuery ? "query" : "ingest")"
        return .json(value: [
            "done": JSONValue(next == nil),
            "nextRecordsUrl": next.map { JSONValue("\(path)?queryLocator=\($0)") } ?? .null,
            "records": JSONValue(JSONArray(jobs.prefix(most).map { $0.json(call.version) })),
        ])
    }

    /// Returns the locator of a position in a list or in results.
    static func locator(_ position: Int) -> String { Base64.encodeForURL(Array("\(position)".utf8)) }

    static func position(_ locator: String) throws(OrgError) -> Int {
        guard let bytes = Base64.decodeForURL(locator), let text = String(validating: bytes, as: UTF8.self),
            let number = Int(outside: text, in: .count)
        else { throw .deadLocator }
        return number
    }

    /// On Salesforce, the limit is 150 MB after base64, which makes a text longer by a third.
    static let mostBytes = 112_500_000

    /// Whether the request uploads records, so its body is streamed to a file.
    static func takesLongBody(_ request: ServerRequest) -> Bool {
        guard let segments = request.path?.segments, request.method == "PUT", segments.count == 7,
            request.fields["Content-Encoding"] == nil, request.mediaType == "text/csv"
        else { return false }
        return segments[3] == "jobs" && segments[4].lowercased() == "ingest" && segments[6].lowercased() == "batches"
    }

    func upload(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try check(job)
        var spool = Spool()
        if let sink = call.request.sink as? Spool { spool = sink } else { spool.append(call.request.body) }
        try ContentStore(database: store.database).keep(spool.count, from: spool.bytes(from:count:)) {
            (content) throws(OrgError) in
            try store.database.transaction { (connection) throws(OrgError) in
                let found = try BulkJobStore.jobs("\"Number\" = ?1", [.integer(job.number)], connection).first
                guard var known = found else { throw .notFound }
                try check(known)
                known.upload = content
                _ = try BulkJobStore.update(known, from: [.open], connection)
            }
        }
        return .empty(201)
    }

    private func check(_ job: BulkJob) throws(OrgError) {
        guard job.state == .open else { throw .jobState("Only a job that is Open accepts an upload") }
        guard job.upload == 0 else {
            throw OrgError(
                "CLIENTINPUTERROR",
                "Found multiple contents for job: <\(job.id)>: a job accepts one upload; create another job for the rest"
            )
        }
    }

    private static let operations = ["insert", "update", "upsert", "delete", "hardDelete"]

    func create(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        let made = try store.insert(try draft(isQuery, try RecordInput.members(call.request.body), call))
        if isQuery { worker.wake() }
        return .json(value: made.json(call.version, isWhole: false))
    }

    private func draft(
        _ isQuery: Bool, _ members: JSONObject, _ call: RESTRouter.Call
    ) throws(OrgError) -> BulkJob {
        let root = JSONValue(members)
        let operation = try root.text("operation") ?? ""
        guard (isQuery ? ["query", "queryAll"] : Self.operations).contains(operation) else {
            throw .invalidJob("The operation '\(operation.prefix(40))' is unknown")
        }
        guard try root.text("contentType") ?? "CSV" == "CSV" else { throw .invalidJob("contentType must be CSV") }
        var job = BulkJob(
            kind: isQuery ? .query : .ingest, state: isQuery ? .uploaded : .open, operation: operation,
            version: call.version.number, user: call.userID)
        job.delimiter = try root.text("columnDelimiter") ?? "COMMA"
        guard CSVDialect.Delimiter.platformNames[job.delimiter] != nil else {
            throw .invalidJob("columnDelimiter is unknown")
        }
        let lineEnding = try root.text("lineEnding") ?? "LF"
        guard ["LF", "CRLF"].contains(lineEnding) else { throw .invalidJob("lineEnding must be LF or CRLF") }
        job.endsInCRLF = lineEnding == "CRLF"
        guard isQuery else {
            try target(root, of: &job)
            return job
        }
        job.query = try root.text("query") ?? ""
        let columns = try BulkColumns(job.query, queries, call, isAll: operation == "queryAll")
        job.object = columns.object
        job.header = job.line(columns.names)
        return job
    }

    /// Reads the object and the key of a new job that writes.
    private func target(_ root: JSONValue, of job: inout BulkJob) throws(OrgError) {
        let name = try root.text("object") ?? ""
        guard let object = schema.object(named: name) else {
            throw OrgError("INVALIDENTITY", "sObject type '\(name.prefix(100))' is not supported")
        }
        job.object = object.name
        guard job.operation == "upsert" else { return }
        let key = try root.text("externalIdFieldName") ?? ""
        guard let field = object.field(named: key), field.isExternalId || field.type == .id else {
            throw .invalidJob("externalIdFieldName must name an external id field of \(object.name)")
        }
        job.externalID = field.name
    }
}
