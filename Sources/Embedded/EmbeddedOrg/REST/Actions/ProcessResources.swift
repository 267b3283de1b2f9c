// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

/// `/process/rules` and `/process/approvals`: the org has no workflow rule and no approval process.
struct ProcessResources {
    let schema: Schema

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        switch (call.rest[1], call.rest.count) {
        case ("rules", 2): return try rules(call)
        case ("rules", 3...4):
            try call.allow("GET", "POST")
            guard schema.object(named: call.rest[2]) != nil else { throw .unknownObject(call.rest[2]) }
            guard call.rest.count == 3, call.method == "GET" else {
                throw OrgFault(404, "NOT_FOUND", "\(call.rest[2]) has no such workflow rule")
            }
            return .json(value: ["rules": [:]])
        case ("approvals", 2): return try approvals(call)
        default: throw .notFound
        }
    }

    /// Every rule of the records is run, of which there is none.
    private func rules(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "POST")
        guard call.method == "POST" else { return .json(value: ["rules": [:]]) }
        guard let ids = try RecordInput.members(call.request.body)["contextIds"]?.array, !ids.isEmpty else {
            throw .invalidInput("contextIds must be a list of ids.")
        }
        for id in ids { _ = try object(of: id.string ?? "") }
        return .json(value: ["errors": nil, "success": true])
    }

    /// Each request has its own result; without a process, all of them fail.
    private func approvals(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "POST")
        guard call.method == "POST" else { return .json(value: ["approvals": [:]]) }
        guard let requests = try RecordInput.members(call.request.body)["requests"]?.array, !requests.isEmpty else {
            throw .invalidInput("requests must be a list of requests.")
        }
        let results = requests.map { request -> JSONValue in
            let fault: OrgFault
            do throws(OrgFault) {
                fault = try refusal(of: request)
            } catch {
                fault = error
            }
            return [
                "actorIds": nil, "entityId": request["contextId"] ?? .null,
                "errors": [["message": JSONValue(fault.message), "statusCode": JSONValue(fault.code)]],
                "instanceId": nil, "instanceStatus": nil, "newWorkitemIds": nil, "success": false,
            ]
        }
        return .json(400, value: JSONValue(JSONArray(results)))
    }

    private func refusal(of request: JSONValue) throws(OrgFault) -> OrgFault {
        switch request["actionType"]?.string?.lowercased() {
        case "submit":
            _ = try object(of: request["contextId"]?.string ?? "")
            return OrgFault(400, "NO_APPLICABLE_PROCESS", "No applicable approval process was found.")
        case "approve", "reject", "remove":
            return OrgFault(400, "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id: no such work item")
        default: throw .invalidInput("actionType must be Submit, Approve, Reject or Remove.")
        }
    }

    private func object(of id: String) throws(OrgFault) -> SObjectSchema {
        guard let known = RecordID.normalized(id),
            let object = schema.objects.first(where: { known.hasBytes(prefix: $0.keyPrefix) })
        else { throw .malformedID(id) }
        return object
    }
}
