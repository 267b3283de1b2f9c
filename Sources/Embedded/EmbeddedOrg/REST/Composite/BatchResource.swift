// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON

/// `/composite/batch`: up to 25 independent requests.
struct BatchResource {
    let router: RESTRouter

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("POST")
        let root = JSONValue(try RecordInput.members(call.request.body))
        let requests = try Self.requests(root["batchRequests"]?.array)
        let haltsOnError = try root.flag("haltOnError")
        var responses: [ServerResponse] = []
        for request in requests {
            let isHalted = haltsOnError && responses.contains { $0.isFailure }
            responses.append(isHalted ? OrgFault.batchHalted.response : answer(request))
        }
        return Self.response(responses)
    }

    /// Each of them counts as a call.
    private func answer(_ request: SubRequest) -> ServerResponse {
        do throws(OrgFault) {
            try router.usage.take()
            return request.answer(by: router)
        } catch {
            return error.response
        }
    }

    private static func requests(_ list: JSONArray?) throws(OrgFault) -> [SubRequest] {
        guard let list, !list.isEmpty else { throw .invalidInput("batchRequests must be a list of requests.") }
        guard list.count <= SubRequest.most else {
            throw .invalidInput("A batch has at most \(SubRequest.most) requests.")
        }
        var requests: [SubRequest] = []
        for (index, value) in list.enumerated() {
            guard let method = value["method"]?.string, let url = value["url"]?.string, let target = target(url) else {
                throw .invalidInput(
                    "batchRequests[\(index)] needs a method and a url that begins with a version, v66.0/.")
            }
            let body = value["richInput"].flatMap { $0.isNull ? nil : $0 }
            requests.append(SubRequest(method: method, target: target, body: body))
        }
        return requests
    }

    /// The target of `v66.0/limits`, `/v66.0/limits` or the whole path.
    private static func target(_ url: String) -> String? {
        if url.hasBytes(prefix: "/services/data/v") { return url }
        if url.hasBytes(prefix: "/v") { return "/services/data" + url }
        return url.hasBytes(prefix: "v") ? "/services/data/" + url : nil
    }

    private static func response(_ responses: [ServerResponse]) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("hasErrors", responses.contains { $0.isFailure })
        writer.key("results")
        writer.beginArray()
        for response in responses {
            writer.beginObject()
            writer.member("statusCode", response.status)
            writer.key("result")
            writer.body(of: response)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(200, writer.bytes)
    }
}

extension OrgFault {
    fileprivate static let batchHalted = OrgFault(
        412, "BATCH_PROCESSING_HALTED", "Batch processing halted per request")
}
