// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

extension RESTRouter {
    /// Answers a call of Bulk API 1.0, which has its own errors, on a thread for slow work.
    func classic(_ request: ServerRequest, _ path: RequestPath) -> ServerAnswer {
        .later(.slow) { [self] in
            do throws(OrgFault) {
                var response = try classicResource(request, path)
                add(usageTo: &response)
                return .ready(ServerReply(response))
            } catch {
                return .ready(ServerReply(error.classicResponse(to: request)))
            }
        }
    }

    private func classicResource(_ request: ServerRequest, _ path: RequestPath) throws(OrgFault) -> ServerResponse {
        let login = try authorize(request)
        try usage.take()
        guard path.segments.count > 3, let version = APIVersion(segment: "v\(path.segments[2])") else {
            throw OrgFault(400, "INVALIDVERSION", "Invalid version in the address: it must be like 66.0")
        }
        let router = using(Database(shared, .full))
        let resources = ClassicResources(
            store: BulkJobStore(database: router.records.store.database), worker: worker, queries: router.queries,
            request: request, version: version, user: login.subject)
        return try resources.answer(Array(path.segments.dropFirst(3)))
    }
}

extension ServerRequest {
    /// Whether it is for Bulk API 1.0.
    var isClassic: Bool { path?.segments.starts(with: ["services", "async"]) ?? false }

    /// The token of the session; Bulk API 1.0 has a field of its own for it.
    var sessionToken: String? { isClassic ? fields["X-SFDC-Session"] ?? bearerToken : bearerToken }
}
