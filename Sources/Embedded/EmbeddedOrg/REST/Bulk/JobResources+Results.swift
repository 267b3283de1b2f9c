// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestCSV
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore

extension JobResources {
    enum Part { case written, refused, unprocessed }

    /// Returns a page of a query's records with the names of the columns.
    func results(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try checkResults(job, call)
        let start = try begin(call, job)
        var end = try BulkResults(store: store, job: job).endOfPage(from: start)
        if let text = call.path.parameter("maxRecords") {
            guard let number = Int(outside: text, in: .count), number > 0 else {
                throw .invalidJob("maxRecords must be a number above 0")
            }
            end = min(end, start + number)
        }
        let spool = Spool()
        spool.append(job.header.utf8)
        try BulkResults(store: store, job: job).each(start..<end) { row in spool.append(row.text(3).utf8) }
        let next = end < job.processed ? Self.locator(end) : "null"
        return try csv(spool, [("Sforce-Locator", next), ("Sforce-NumberOfRecords", "\(end - start)")])
    }

    /// Returns the starts of result pages, five at a time, for clients that read them in parallel.
    func resultPages(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try checkResults(job, call)
        let begins = try BulkResults(store: store, job: job).pages(from: try begin(call, job), most: 6)
        let path = "\(call.version.path)/jobs/query/\(job.id)"
        var members: JSONObject = [
            "resultPages": JSONValue(
                JSONArray(
                    begins.prefix(5).map { begin -> JSONValue in
                        ["resultUrl": JSONValue("\(path)/results?locator=\(Self.locator(begin))")]
                    })),
            "done": JSONValue(begins.count <= 5),
        ]
        if begins.count > 5 {
            members["nextRecordsUrl"] = JSONValue("\(path)/resultPages?locator=\(Self.locator(begins[5]))")
        }
        return .json(value: JSONValue(members))
    }

    private func checkResults(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgError) {
        guard job.version == call.version.number else {
            throw OrgError(
                "INVALIDVERSION",
                "The job was created with version \(job.version).0; read its results with the same version")
        }
        guard job.state == .complete else { throw .notComplete(job) }
    }

    private func begin(_ call: RESTRouter.Call, _ job: BulkJob) throws(OrgError) -> Int {
        guard let locator = call.path.parameter("locator"), !locator.isEmpty else { return 0 }
        let position = try Self.position(locator)
        guard position == 0 || position < job.processed else { throw .deadLocator }
        return position
    }

    func records(
        _ job: BulkJob, _ part: Part, _ version: APIVersion
    ) throws(OrgError) -> ServerResponse {
        guard job.state.isFinal else { throw .notComplete(job) }
        let (results, spool) = (BulkResults(store: store, job: job), Spool())
        var upload: CSVUpload?
        if job.header.isEmpty || part == .unprocessed { upload = try? CSVUpload(job, store.database) }
        let header = (job.header.isEmpty ? upload?.header ?? "" : job.header) + (job.endsInCRLF ? "\r\n" : "\n")
        let separator = [job.dialect.delimiter.byte]
        func begin(_ names: [String]) { spool.append(job.fields(names) + separator + Array(header.utf8)) }
        switch part {
        case .written:
            begin(["sf__Id", "sf__Created"])
            try results.each(condition: "\"Error\" IS NULL") { row in
                let values = [row.text(0), row.integer(1) == 1 ? "true" : "false"]
                spool.append(job.fields(values) + separator + Array(row.text(3).utf8))
            }
        case .refused:
            let ids = version.has(.failedRowID) ? 1 : 0
            begin(Array(["sf__Id", "sf__Error"].suffix(1 + ids)))
            try results.each(condition: "\"Error\" IS NOT NULL") { row in
                let values = [row.text(0), row.text(2)].suffix(1 + ids)
                spool.append(job.fields(Array(values)) + separator + Array(row.text(3).utf8))
            }
        case .unprocessed:
            spool.append(header.utf8)
            if var upload {
                for _ in 0..<job.processed { _ = try? upload.next() }
                while let row = try? upload.next() { spool.append(row.line.utf8) }
            }
        }
        return try csv(spool, [])
    }

    private func csv(_ spool: Spool, _ fields: [(name: String, value: String)]) throws(OrgError) -> ServerResponse {
        let head = ServerResponse(status: 200, fields: [("Content-Type", "text/csv;charset=UTF-8")] + fields)
        guard let response = spool.fill(head) else { throw .storage }
        return response
    }
}

extension BulkJob {
    /// Returns a line without its line end.
    fileprivate func fields(_ values: [String]) -> [UInt8] { Array(line(values).utf8.dropLast(endsInCRLF ? 2 : 1)) }
}

extension OrgError {
    fileprivate static func notComplete(_ job: BulkJob) -> OrgError {
        OrgError("JOB_NOT_COMPLETE", "The job is \(job.state.rawValue), so it has no results")
    }
}
