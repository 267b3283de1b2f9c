// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

extension JobResources {
    private static let mostInList = 1_000

    /// The jobs, the newest of 1,000 first; a longer list goes on at its locator.
    func list(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        var conditions = ["\"Kind\" <> 3", "(\"Operation\" IN ('query', 'queryAll')) = \(isQuery ? 1 : 0)"]
        if let condition = try kinds(call) { conditions.append(condition) }
        switch call.path.parameter("concurrencyMode")?.lowercased() {
        case nil: break
        case "serial": conditions.append("\"IsSerial\" = 1")
        case "parallel": conditions.append("\"IsSerial\" = 0")
        default: throw .invalidJob("concurrencyMode must be Serial or Parallel")
        }
        // Only jobs of 1.0 divide a query by a header.
        switch call.path.parameter("isPkChunkingEnabled")?.lowercased() {
        case nil: break
        case "true": conditions.append("\"IsChunked\" = 1")
        case "false": conditions.append("\"IsChunked\" = 0")
        default: throw .invalidJob("isPkChunkingEnabled must be true or false")
        }
        let start = try call.path.parameter("queryLocator").map { (text) throws(OrgFault) in
            try Self.position(text)
        }
        let most = Self.mostInList
        let jobs = try store.jobs(
            conditions.joined(separator: " AND ") + " AND \"Number\" > ?1", [.integer(Int64(start ?? 0))],
            most: most + 1)
        let next = jobs.count > most ? Self.locator(Int(clamping: jobs[most - 1].number)) : nil
        let path = "\(call.version.path)/jobs/\(isQuery ? "query" : "ingest")"
        return .json(value: [
            "done": JSONValue(next == nil),
            "nextRecordsUrl": next.map { JSONValue("\(path)?queryLocator=\($0)") } ?? .null,
            "records": JSONValue(JSONArray(jobs.prefix(most).map { $0.json(call.version) })),
        ])
    }

    private func kinds(_ call: RESTRouter.Call) throws(OrgFault) -> String? {
        switch call.path.parameter("jobType")?.lowercased() {
        case nil: return nil
        case "v2ingest": return "\"Kind\" = \(BulkJob.Kind.ingest.rawValue)"
        case "v2query": return "\"Kind\" = \(BulkJob.Kind.query.rawValue)"
        case "classic": return "\"Kind\" = \(BulkJob.Kind.classic.rawValue)"
        // The org has no big objects.
        case "bigobjectingest": return "\"Kind\" IS NULL"
        default: throw .invalidJob("jobType must be BigObjectIngest, Classic, V2Ingest or V2Query")
        }
    }

    /// A place in a list or in results, as clients give it back.
    static func locator(_ position: Int) -> String { Base64.encodeForURL(Array("\(position)".utf8)) }

    static func position(_ locator: String) throws(OrgFault) -> Int {
        guard let bytes = Base64.decodeForURL(locator), let text = String(validating: bytes, as: UTF8.self),
            let number = Int(outside: text, in: .count)
        else { throw .deadLocator }
        return number
    }
}
