// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

/// Compares a query job with the same rows by pages, by the org's own work only.
///
/// The pages are read without a socket, and the job is polled only after the org has finished its work.
func orgBulkFigure() async throws {
    let rows = extent(50_000, short: 500)
    let org = try await LocalOrg.start(LocalOrgConfiguration(records: rows))
    let fields: HTTPFields = [
        "Authorization": "Bearer \(org.issueCredential().accessToken)", "Content-Type": "application/json",
    ]
    let query = "SELECT Id, Name, Industry, AnnualRevenue, NumberOfEmployees, CreatedDate FROM Account"
    func json(_ method: String, _ target: String, _ body: String = "") throws -> JSONValue {
        let response = org.respond(method, target, fields: fields, body: Array(body.utf8))
        guard response.head.status == 200 else {
            throw CommandFailed(command: target, status: CInt(response.head.status))
        }
        return try JSONValue(parsing: response.body)
    }
    let data = "/services/data/v68.0"
    let pairs = try await Pairs {
        var target: String? = "\(data)/query?q=\(query.replacing(" ", with: "+"))"
        while let next = target { target = try json("GET", next)["nextRecordsUrl"]?.string }
    } ours: {
        let made = try json("POST", "\(data)/jobs/query", #"{"operation":"query","query":"\#(query)"}"#)
        org.finishJobs()
        let ended = try json("GET", "\(data)/jobs/query/\(made["id"]?.string ?? "")")
        guard ended["numberRecordsProcessed"]?.int ?? 0 >= rows else {
            throw CommandFailed(command: "query job", status: 0)
        }
    }
    await org.stop()
    pairs.figure("org.bulk.query", atMost: 2).print()
}
