// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

extension JobResources {
    /// The platform counts 150 MB after base 64, which makes a text longer by a third.
    static let mostBytes = 112_500_000

    /// Whether a request uploads records, so that its body goes to a file.
    static func takesLongBody(_ request: ServerRequest) -> Bool {
        guard let segments = request.path?.segments, request.method == "PUT", segments.count == 7,
            request.fields["Content-Encoding"] == nil, request.mediaType == "text/csv"
        else { return false }
        return segments[3] == "jobs" && segments[4].lowercased() == "ingest" && segments[6].lowercased() == "batches"
    }

    func upload(_ job: BulkJob, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try check(job)
        var spool = Spool()
        if let sink = call.request.sink as? Spool { spool = sink } else { spool.append(call.request.body) }
        try ContentStore(database: store.database).keep(spool) { (content) throws(OrgFault) in
            try store.write { (connection) throws(OrgFault) in
                let found = try BulkJobStore.jobs("\"Number\" = ?1", [.integer(job.number)], connection).first
                guard var known = found else { throw .notFound }
                try check(known)
                known.upload = content
                _ = try BulkJobStore.update(known, from: [.open], connection)
            }
        }
        return .empty(201)
    }

    private func check(_ job: BulkJob) throws(OrgFault) {
        guard job.state == .open else { throw .jobState("Only a job that is Open takes an upload") }
        guard job.upload == 0 else {
            throw OrgFault(
                400, "CLIENTINPUTERROR",
                "Found multiple contents for job: <\(job.id)>: a job takes one upload; make another job for the rest")
        }
    }
}
