// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/actions/custom`: the actions that the program that runs the org answers.
struct ActionResources {
    let custom: ActionHandlers

    private static let mostInputs = 200

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let (rest, path) = (call.rest, call.version.path)
        switch (rest.count, rest.count > 1 ? rest[1] : "") {
        case (1, _):
            try call.allow("GET")
            return .json(value: ["custom": JSONValue("\(path)/actions/custom")])
        case (2, "custom"):
            try call.allow("GET")
            let kinds = ActionHandlers.Kind.allCases.map(\.rawValue)
            return .json(
                value: JSONValue(
                    JSONObject(members: kinds.map { ($0, JSONValue("\(path)/actions/custom/\($0)")) })))
        case (3...4, "custom"):
            guard let kind = ActionHandlers.Kind(rawValue: rest[2]) else {
                throw OrgFault(404, "NOT_FOUND", "There are no custom actions of the type '\(rest[2].prefix(100))'")
            }
            return try answer(custom.actions(kind), call)
        default: throw .notFound
        }
    }

    /// The list of actions, or one of them.
    private func answer(
        _ actions: [OrgAction], _ call: RESTRouter.Call
    ) throws(OrgFault) -> ServerResponse {
        guard call.rest.count > 3 else {
            try call.allow("GET")
            let base = "\(call.version.path)/\(call.rest.joined(separator: "/"))"
            let list = actions.map { action -> JSONValue in
                [
                    "label": JSONValue(action.label), "name": JSONValue(action.name), "type": JSONValue(action.type),
                    "url": JSONValue("\(base)/\(action.name)"),
                ]
            }
            return .json(value: ["actions": JSONValue(JSONArray(list))])
        }
        let name = call.rest[3]
        guard let action = actions.first(where: { $0.name == name }) else {
            throw OrgFault(404, "NOT_FOUND", "There is no \(call.rest[2]) action named '\(name.prefix(100))'")
        }
        try call.allow("GET", "POST")
        return call.method == "GET" ? .json(value: action.description) : try invoke(action, call.request.body)
    }

    /// Each input has its own result; the answer is 400 as soon as one has failed.
    private func invoke(_ action: OrgAction, _ body: [UInt8]) throws(OrgFault) -> ServerResponse {
        guard let inputs = try RecordInput.members(body)["inputs"]?.array, !inputs.isEmpty else {
            throw .invalidInput("inputs must be a list of objects.")
        }
        guard inputs.count <= Self.mostInputs else {
            throw .invalidInput("At most \(Self.mostInputs) inputs are taken.")
        }
        let results = inputs.map(action.result)
        return .json(
            results.allSatisfy(\.isSuccess) ? 200 : 400, value: JSONValue(JSONArray(results.map(\.json))))
    }
}
