// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

extension JobResources {
    /// A page of a query's records; every page begins with the names of the columns.
    func results(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard job.state == .complete else {
            throw OrgFault(412, "JOB_NOT_COMPLETE", "The job is \(job.state.rawValue), so it has no results")
        }
        var offset = 0
        if let locator = call.path.parameter("locator"), !locator.isEmpty {
            guard let bytes = Base64.decodeForURL(locator), let text = String(validating: bytes, as: UTF8.self),
                let number = Int(outside: text, in: .count), number > 0, number < job.processed
            else { throw OrgFault(400, "INVALID_QUERY_LOCATOR", "invalid query locator") }
            offset = number
        }
        var most = job.processed
        if let text = call.path.parameter("maxRecords") {
            guard let number = Int(outside: text, in: .count), number > 0 else {
                throw .invalidJob("maxRecords must be a number above 0")
            }
            most = number
        }
        let end = min(job.processed, offset + min(most, Self.mostInPage))
        var body = Array((job.header + job.lineEnd).utf8)
        let lineEnd = Array(job.lineEnd.utf8)
        body += try lines(
            of: job, "\"Position\" >= ?2 AND \"Position\" < ?3", [.integer(Int64(offset)), .integer(Int64(end))]
        ) { row, bytes in
            bytes += Array(row.text(3).utf8)
            bytes += lineEnd
        }
        var response = ServerResponse(status: 200, fields: [("Content-Type", "text/csv;charset=UTF-8")], body: body)
        let next = end < job.processed ? Base64.encodeForURL(Array("\(end)".utf8)) : "null"
        response.fields.append(("Sforce-Locator", next))
        response.fields.append(("Sforce-NumberOfRecords", "\(end - offset)"))
        return response
    }

    private static let mostInPage = 250_000

    /// The records of an upload that were written, refused, or never looked at.
    func records(_ job: BulkJob, _ kind: String) throws(OrgFault) -> ServerResponse {
        guard job.state.isFinal else {
            throw OrgFault(412, "JOB_NOT_COMPLETE", "The job is \(job.state.rawValue), so it has no results")
        }
        let separator = [job.separator]
        let lineEnd = Array(job.lineEnd.utf8)
        var body: [UInt8] = []
        func begin(_ names: [String]) {
            let own = names.isEmpty ? [] : Array(job.line(names).utf8) + separator
            body += own + Array(job.header.utf8) + lineEnd
        }
        switch kind {
        case "successfulResults":
            begin(["sf__Id", "sf__Created"])
            body += try lines(of: job, "\"Error\" IS NULL", []) { row, bytes in
                bytes += Array(row.text(0).csvField.utf8) + separator
                bytes += Array((row.integer(1) == 1 ? "\"true\"" : "\"false\"").utf8) + separator
                bytes += Array(row.text(3).utf8) + lineEnd
            }
        case "failedResults":
            begin(["sf__Id", "sf__Error"])
            body += try lines(of: job, "\"Error\" IS NOT NULL", []) { row, bytes in
                bytes += Array(row.text(0).csvField.utf8) + separator + Array(row.text(2).csvField.utf8) + separator
                bytes += Array(row.text(3).utf8) + lineEnd
            }
        default:
            begin([])
            if let data = try store.data(of: job) {
                var reader = CSVReader(
                    Array(data.utf8), delimiter: job.separator, endsInCRLF: job.endsInCRLF, from: job.position)
                if job.position == 0 {
                    // The names of the columns come first, and were not read yet.
                    body = []
                    _ = try? reader.next()
                    reader = CSVReader(Array(data.utf8), delimiter: job.separator, endsInCRLF: job.endsInCRLF)
                }
                body += Array(reader.rest.utf8)
            }
        }
        return ServerResponse(status: 200, fields: [("Content-Type", "text/csv;charset=UTF-8")], body: body)
    }

    private func lines(
        of job: BulkJob, _ condition: String, _ values: [SQLValue], _ each: (RowReader, inout [UInt8]) -> Void
    ) throws(OrgFault) -> [UInt8] {
        try store.database.read { (connection) throws(OrgFault) -> [UInt8] in
            var bytes: [UInt8] = []
            do throws(DatabaseError) {
                try connection.rows(
                    """
                    SELECT "Record", "IsNew", "Error", "Line" FROM "org.JobRow" WHERE "Job" = ?1 AND \(condition)
                    ORDER BY "Position"
                    """, [.integer(job.number)] + values
                ) { each($0, &bytes) }
            } catch {
                throw OrgFault(error)
            }
            return bytes
        }
    }
}
