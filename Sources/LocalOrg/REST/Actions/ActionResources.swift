// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/actions`: the standard actions that can be invoked.
///
/// An e-mail goes nowhere; the journal has its request.
struct ActionResources {
    private struct Action {
        let name: String
        let label: String
        let inputs: [(name: String, isRequired: Bool)]
    }

    private static let standard = [
        Action(
            name: "emailSimple", label: "Send Email",
            inputs: [
                ("emailAddresses", true), ("emailSubject", true), ("emailBody", true), ("senderType", false),
                ("senderAddress", false), ("emailAddressesArray", false),
            ])
    ]
    private static let mostInputs = 200

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let (rest, path) = (call.rest, call.version.path)
        switch rest.count {
        case 1:
            try call.allow("GET")
            return .json(value: [
                "custom": JSONValue("\(path)/actions/custom"), "standard": JSONValue("\(path)/actions/standard"),
            ])
        case 2 where rest[1] == "custom":
            try call.allow("GET")
            return .json(value: ["actions": []])
        case 2 where rest[1] == "standard":
            try call.allow("GET")
            let list = Self.standard.map { action -> JSONValue in
                [
                    "label": JSONValue(action.label), "name": JSONValue(action.name),
                    "type": JSONValue(action.name.uppercased()),
                    "url": JSONValue("\(path)/actions/standard/\(action.name)"),
                ]
            }
            return .json(value: ["actions": JSONValue(JSONArray(list))])
        case 3 where rest[1] == "standard":
            guard let action = Self.standard.first(where: { $0.name == rest[2] }) else {
                throw OrgFault(404, "NOT_FOUND", "There is no standard action named '\(rest[2].prefix(100))'")
            }
            try call.allow("GET", "POST")
            return call.method == "GET" ? describe(action) : try invoke(action, call.request.body)
        default: throw .notFound
        }
    }

    private func describe(_ action: Action) -> ServerResponse {
        let inputs = action.inputs.map { input -> JSONValue in
            [
                "byteLength": 0, "description": JSONValue(input.name), "label": JSONValue(input.name),
                "maxOccurs": 1, "name": JSONValue(input.name), "picklistValues": nil,
                "required": JSONValue(input.isRequired), "sobjectType": nil, "type": "STRING",
            ]
        }
        return .json(value: [
            "category": nil, "description": JSONValue(action.label), "inputs": JSONValue(JSONArray(inputs)),
            "label": JSONValue(action.label), "name": JSONValue(action.name), "outputs": [], "standard": true,
            "targetEntityName": nil, "type": JSONValue(action.name.uppercased()),
        ])
    }

    /// Each input has its own result; the answer is 400 as soon as one has failed.
    private func invoke(_ action: Action, _ body: [UInt8]) throws(OrgFault) -> ServerResponse {
        guard let inputs = try RecordInput.members(body)["inputs"]?.array, !inputs.isEmpty else {
            throw .invalidInput("inputs must be a list of objects.")
        }
        guard inputs.count <= Self.mostInputs else {
            throw .invalidInput("At most \(Self.mostInputs) inputs are taken.")
        }
        let results = inputs.map { input -> (isSuccess: Bool, json: JSONValue) in
            let unknown = (input.object ?? [:]).keys.first { name in !action.inputs.contains { $0.name == name } }
            let missing = action.inputs.first { $0.isRequired && (input[$0.name]?.string ?? "").isEmpty }
            var fault: OrgFault?
            if let unknown {
                fault = OrgFault(400, "INVALID_API_INPUT", "The input '\(unknown.prefix(100))' is not known")
            } else if let missing {
                fault = OrgFault(400, "INVALID_API_INPUT", "Missing required input parameter: \(missing.name)")
            }
            return (fault == nil, Self.result(action, fault))
        }
        return .json(
            results.allSatisfy(\.isSuccess) ? 200 : 400, value: JSONValue(JSONArray(results.map(\.json))))
    }

    private static func result(_ action: Action, _ fault: OrgFault?) -> JSONValue {
        let errors: JSONValue =
            fault.map {
                [["fields": [], "message": JSONValue($0.message), "statusCode": JSONValue($0.code)]]
            } ?? .null
        return [
            "actionName": JSONValue(action.name), "errors": errors, "isSuccess": JSONValue(fault == nil),
            "outputValues": fault == nil ? ["SimpleEmail_StatusCode": "Sent"] : nil, "version": 1,
        ]
    }
}
