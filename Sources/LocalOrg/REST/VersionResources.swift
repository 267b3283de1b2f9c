// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/services/data`, `/services/data/vXX.0` and `/limits`.
struct VersionResources: Sendable {
    /// The version list, which needs no session.
    func list() -> ServerResponse {
        var writer = JSONWriter()
        writer.beginArray()
        for number in APIVersion.supported {
            let version = APIVersion(number: number)
            writer.object([("label", version.label), ("url", version.path), ("version", "\(number).0")])
        }
        writer.endArray()
        return .json(200, writer.bytes)
    }

    func resources(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        let names = [
            "actions", "analytics", "appMenu", "compactLayouts", "composite", "graphql", "jobs", "limits",
            "parameterizedSearch", "process",
            "query", "queryAll", "quickActions", "recent", "search", "sobjects", "tabs", "theme", "tooling",
        ]
        var writer = JSONWriter()
        writer.object(names.map { ($0, "\(call.version.path)/\($0)") })
        return .json(200, writer.bytes)
    }

    /// What is below `/composite`.
    func composites(_ call: RESTRouter.Call) -> ServerResponse {
        var writer = JSONWriter()
        writer.object(
            [("tree", "tree"), ("graph", "graph"), ("batch", "batch"), ("sobjects", "sobjects")].map {
                ($0, "\(call.version.path)/composite/\($1)")
            })
        return .json(200, writer.bytes)
    }

    func limits(_ call: RESTRouter.Call, _ usage: APIUsage) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        var writer = JSONWriter()
        writer.beginObject()
        let requests = ("DailyApiRequests", usage.allowance, max(0, usage.allowance - usage.used))
        for (name, most, left) in [requests, ("DataStorageMB", 5, 5), ("FileStorageMB", 20, 20)] {
            writer.key(name)
            writer.beginObject()
            writer.key("Max")
            writer.number(most)
            writer.key("Remaining")
            writer.number(left)
            writer.endObject()
        }
        writer.endObject()
        return .json(200, writer.bytes)
    }
}
