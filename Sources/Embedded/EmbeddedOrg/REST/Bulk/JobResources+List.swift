// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

extension JobResources {
    private static let mostInList = 1_000

    /// The jobs, the newest of 1,000 first; a longer list goes on at its locator.
    func list(_ isQuery: Bool, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let kind: BulkJob.Kind = isQuery ? .query : .ingest
        var conditions = ["\"Kind\" = \(kind.rawValue)"]
        // All jobs of 2.0 are parallel, and none divides a query by a header.
        let filters = [
            ("jobType", isQuery ? "v2query" : "v2ingest", ["bigobjectingest", "classic", "v2ingest", "v2query"]),
            ("concurrencyMode", "parallel", ["parallel", "serial"]),
            ("isPkChunkingEnabled", "false", ["false", "true"]),
        ]
        for (name, own, all) in filters {
            guard let value = call.path.parameter(name)?.lowercased() else { continue }
            guard all.contains(value) else {
                throw .invalidJob("\(name) must be one of \(all.joined(separator: ", "))")
            }
            if value != own { conditions.append("0") }
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

    /// A place in a list or in results, as clients give it back.
    static func locator(_ position: Int) -> String { Base64.encodeForURL(Array("\(position)".utf8)) }

    static func position(_ locator: String) throws(OrgFault) -> Int {
        guard let bytes = Base64.decodeForURL(locator), let text = String(validating: bytes, as: UTF8.self),
            let number = Int(outside: text, in: .count)
        else { throw .deadLocator }
        return number
    }
}
