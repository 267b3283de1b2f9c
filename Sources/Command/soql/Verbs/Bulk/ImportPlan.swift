// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestSDK
import RestText

/// Looks at what an import is about to send.
struct ImportPlan {
    let preview: BulkLoad.Preview
    let object: String
    let file: String

    var rows: Int { preview.rows }

    /// Refuses columns that the object does not have, which the org would tell only after the upload, or never.
    ///
    /// - Throws: ``CommandFailure`` that offers the nearest name; `RestError` for an object that is none.
    func check(against client: RestClient) async throws {
        let form = RecordForm(object: try await client.describe(object), null: RowFormat.null)
        for name in preview.columns where !name.hasBytes(":") {
            do throws(CommandFailure) { _ = try form.column(name) } catch {
                throw CommandFailure("\(file): \(error.description)")
            }
        }
    }

    /// Prints the requests of all jobs, the rows as the size of what is sent.
    func print(for client: RestClient) throws {
        for (place, part) in preview.parts.enumerated() {
            var request = RestRequest(name: "bulkCreate", method: .post, resource: .data(["jobs", "ingest"]))
            request.body = .bytes(JSONValue(preview.job).bytes())
            try DryRun.print(request, of: client)
            let job = "JOB\(place + 1)"
            let upload = RestRequest(name: "upload", method: .put, resource: .data(["jobs", "ingest", job, "batches"]))
            try DryRun.print(upload, of: client)
            try TextOutput.write(Array("(\(records(part.rows)) of \(file), \(part.bytes) bytes)\n".utf8))
            var close = RestRequest(name: "bulkState", method: .patch, resource: .data(["jobs", "ingest", job]))
            close.body = .bytes(JSONValue(["state": "UploadComplete"] as JSONObject).bytes())
            try DryRun.print(close, of: client)
        }
        DryRun.end()
    }
}
