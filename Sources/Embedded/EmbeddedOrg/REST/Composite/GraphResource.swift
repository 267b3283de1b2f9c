// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/composite/graph`: up to 75 graphs with up to 500 nodes together, each graph all or none.
struct GraphResource {
    let router: RESTRouter

    private static let (mostGraphs, mostNodes) = (75, 500)

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("POST")
        guard let list = try RecordInput.members(call.request.body)["graphs"]?.array, !list.isEmpty else {
            throw .invalidInput("graphs must be a list of graphs.")
        }
        guard list.count <= Self.mostGraphs else {
            throw .invalidInput("A request has at most \(Self.mostGraphs) graphs.")
        }
        var graphs: [(id: String, plan: CompositePlan)] = []
        for graph in list {
            guard let id = graph["graphId"]?.string, !id.isEmpty else {
                throw .invalidInput("A graph needs a graphId.")
            }
            graphs.append((id, try CompositePlan(nodesOf: graph)))
        }
        if let id = graphs.map(\.id).firstRepeated { throw .repeated("graphId", id) }
        guard graphs.reduce(0, { $0 + $1.plan.requests.count }) <= Self.mostNodes else {
            throw .invalidInput("A request has at most \(Self.mostNodes) nodes.")
        }
        let composite = CompositeResource(router: router)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("graphs")
        writer.beginArray()
        for graph in graphs {
            let results = try composite.results(graph.plan)
            writer.beginObject()
            writer.member("graphId", graph.id)
            writer.key("graphResponse")
            CompositeResource.write(results, &writer)
            writer.member("isSuccessful", !results.contains { $0.response.isFailure })
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(200, writer.bytes)
    }
}
