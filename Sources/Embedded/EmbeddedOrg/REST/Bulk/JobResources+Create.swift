// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestCSV
import RestJSON
import RestText

extension JobResources {
    private static let operations = ["insert", "update", "upsert", "delete", "hardDelete"]
    /// The longest text of a request that has the job and its records, in characters.
    private static let mostTogether = 100_000

    /// Makes a job; one with its records is done at once.
    func create(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard call.request.mediaType == "multipart/form-data" else {
            let made = try store.insert(try draft(isQuery, try RecordInput.members(call.request.body), call))
            if isQuery { worker.wake() }
            return .json(value: made.json(call.version, isWhole: false))
        }
        guard !isQuery else { throw .invalidJob("A query job has no records to upload") }
        let body = try MultipartBody(call.request)
        guard body.parts.count == 2, let part = body["job"], let records = body["content"] else {
            throw .invalidJob("The body must have the parts job and content")
        }
        guard let text = String(validating: records.bytes, as: UTF8.self), text.count <= Self.mostTogether else {
            throw OrgFault(
                400, "CLIENTINPUTERROR",
                "The records of a request with a job must be UTF-8 of at most 100,000 characters")
        }
        var job = try draft(false, try RecordInput.members(Array(part.bytes)), call)
        job.state = .uploaded
        let spool = Spool()
        spool.append(records.bytes)
        let made = try ContentStore(database: store.database).keep(spool) { (content) throws(OrgFault) -> BulkJob in
            job.upload = content
            return try store.insert(job)
        }
        worker.wake()
        return .json(value: made.json(call.version, isWhole: false))
    }

    private func draft(
        _ isQuery: Bool, _ members: JSONObject, _ call: RESTRouter.Call
    ) throws(OrgFault) -> BulkJob {
        let root = JSONValue(members)
        let operation = try root.text("operation") ?? ""
        guard (isQuery ? ["query", "queryAll"] : Self.operations).contains(operation) else {
            throw .invalidJob("The operation '\(operation.prefix(40))' is not known")
        }
        guard try root.text("contentType") ?? "CSV" == "CSV" else { throw .invalidJob("contentType must be CSV") }
        var job = BulkJob(
            kind: isQuery ? .query : .ingest, state: isQuery ? .uploaded : .open, operation: operation,
            version: call.version.number, user: call.userID)
        job.delimiter = try root.text("columnDelimiter") ?? "COMMA"
        guard CSVDialect.Delimiter.platformNames[job.delimiter] != nil else {
            throw .invalidJob("columnDelimiter is not known")
        }
        let lineEnding = try root.text("lineEnding") ?? "LF"
        guard ["LF", "CRLF"].contains(lineEnding) else { throw .invalidJob("lineEnding must be LF or CRLF") }
        job.endsInCRLF = lineEnding == "CRLF"
        guard isQuery else {
            try IngestRules(schema: schema, rules: worker.rules).apply(root, call.version, to: &job)
            return job
        }
        job.query = try root.text("query") ?? ""
        let columns = try BulkColumns(job.query, queries, call, isAll: operation == "queryAll")
        job.object = columns.object
        job.header = job.line(columns.names)
        return job
    }
}

/// What a job that writes must have.
struct IngestRules {
    let schema: Schema
    let rules: BulkRules

    /// Takes the object, the key and the rule of a new job.
    func apply(_ root: JSONValue, _ version: APIVersion, to job: inout BulkJob) throws(OrgFault) {
        let name = try root.text("object") ?? ""
        guard let object = schema.object(named: name) else {
            throw OrgFault(400, "INVALIDENTITY", "sObject type '\(name.prefix(100))' is not supported")
        }
        job.object = object.name
        if job.operation == "hardDelete", !rules.allowsHardDelete {
            throw OrgFault(400, "FEATURENOTENABLED", "hardDelete needs the permission Bulk API Hard Delete")
        }
        let key = try root.text("externalIdFieldName") ?? ""
        if job.operation == "upsert" {
            guard let field = object.field(named: key), field.isExternalId || field.type == .id else {
                throw .invalidJob("externalIdFieldName must name an external id field of \(object.name)")
            }
            job.externalID = field.name
        }
        if let rule = try root.text("assignmentRuleId"), !rule.isEmpty {
            guard version.has(.assignmentRules) else {
                throw .invalidJob("assignmentRuleId is not available in version \(version.number).0")
            }
            guard ["Case", "Lead"].contains(object.name), let id = RecordID.normalized(rule), id.hasBytes(prefix: "01Q")
            else {
                throw .invalidJob("assignmentRuleId must be the id of an assignment rule of Case or Lead")
            }
            job.assignmentRule = id
        }
    }
}
