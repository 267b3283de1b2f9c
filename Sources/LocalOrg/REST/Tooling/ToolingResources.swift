// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/tooling`: queries and descriptions as the tooling API gives them, over the objects that the org has.
struct ToolingResources {
    let router: RESTRouter

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let rest = Array(call.rest.dropFirst())
        let inner = RESTRouter.Call(call, rest: rest)
        switch rest.first {
        case nil:
            try call.allow("GET")
            var writer = JSONWriter()
            writer.object(["describe", "query", "sobjects"].map { ($0, "\(call.version.path)/tooling/\($0)") })
            return .json(200, writer.bytes)
        case "query" where rest.count <= 2, "queryAll" where rest.count <= 2: return try router.queries.answer(inner)
        case "describe" where rest.count == 1: return try router.objects(.init(call, rest: ["sobjects"]))
        case "sobjects":
            try call.allow("GET")
            return try router.objects(inner)
        default:
            throw OrgFault(
                404, "NOT_FOUND",
                "The embedded org has no code, so it has no tool for it: \(call.path.folded.suffix(100))")
        }
    }
}
