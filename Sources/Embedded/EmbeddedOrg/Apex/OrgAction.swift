// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// An action that can be invoked: its description, and what it does with one input.
struct OrgAction: Sendable {
    let name: String
    let label: String
    let type: String
    let inputs: [ActionParameter]
    let outputs: [ActionParameter]
    let run: ActionHandlers.Handler

    var description: JSONValue {
        [
            "category": nil, "description": JSONValue(label), "inputs": Self.list(inputs), "label": JSONValue(label),
            "name": JSONValue(name), "outputs": Self.list(outputs), "standard": false,
            "targetEntityName": nil, "type": JSONValue(type),
        ]
    }

    private static func list(_ parameters: [ActionParameter]) -> JSONValue {
        let list = parameters.map { parameter -> JSONValue in
            [
                "byteLength": 0, "description": JSONValue(parameter.name), "label": JSONValue(parameter.name),
                "maxOccurs": 1, "name": JSONValue(parameter.name), "picklistValues": nil,
                "required": JSONValue(parameter.isRequired), "sobjectType": nil,
                "type": JSONValue(parameter.type.rawValue),
            ]
        }
        return JSONValue(JSONArray(list))
    }

    /// The result of one input.
    func result(of input: JSONValue) -> (isSuccess: Bool, json: JSONValue) {
        guard let members = input.object else { return failed("INVALID_API_INPUT", "An input must be an object") }
        if let unknown = members.keys.first(where: { name in !inputs.contains { $0.name == name } }) {
            return failed("INVALID_API_INPUT", "The input '\(unknown.prefix(100))' is not known")
        }
        for parameter in inputs {
            let value = members[parameter.name] ?? .null
            if parameter.isRequired, value.isNull || value.string?.isEmpty == true {
                return failed("INVALID_API_INPUT", "Missing required input parameter: \(parameter.name)")
            }
            guard value.isNull || parameter.type.takes(value) else {
                return failed("INVALID_API_INPUT", "The input \(parameter.name) is not a \(parameter.type.rawValue)")
            }
        }
        switch run(members) {
        case .success(let outputs): return (true, json(nil, .init(outputs)))
        case .failure(let code, let message): return failed(code, message)
        }
    }

    private func failed(_ code: String, _ message: String) -> (isSuccess: Bool, json: JSONValue) {
        (false, json([["fields": [], "message": JSONValue(message), "statusCode": JSONValue(code)]], nil))
    }

    private func json(_ errors: JSONValue?, _ outputs: JSONValue?) -> JSONValue {
        [
            "actionName": JSONValue(name), "errors": errors ?? .null, "isSuccess": JSONValue(errors == nil),
            "outputValues": outputs ?? .null, "version": 1,
        ]
    }
}

extension ActionParameter.ValueType {
    fileprivate func takes(_ value: JSONValue) -> Bool {
        switch self {
        case .string: value.string != nil
        case .number: value.numberText != nil
        case .boolean: value.bool != nil
        case .reference: value.string.map { RecordID.normalized($0) != nil } ?? false
        }
    }
}
