// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

/// An invocable action of the org: a standard action, or custom code or a flow.
public struct InvocableAction: Sendable, Hashable {
    /// The identity of an action.
    public enum Reference: Sendable, Hashable {
        /// A standard action, such as `emailSimple`.
        case standard(String)
        /// A custom action with its type, such as `apex` or `flow`, and its name.
        case custom(String, String)

        var path: [String] {
            switch self {
            case .standard(let name): ["actions", "standard", name]
            case .custom(let type, let name): ["actions", "custom", type, name]
            }
        }

        var names: [String] { Array(path.dropFirst(2)) }
    }

    /// An input or output of an action.
    public struct Parameter: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The label.
        public let label: String
        /// The type of the values, such as `STRING` or `SOBJECT`.
        public let type: String
        /// Whether the input is required.
        public let isRequired: Bool
        /// The maximum number of values.
        public let maximumOccurrences: Int

        init(_ value: JSONValue, at place: String) throws(RestError) {
            name = try value.required("name", at: place)
            label = value["label"]?.string ?? name
            type = value["type"]?.string ?? ""
            isRequired = value.flag("required")
            maximumOccurrences = try value.size("maxOccurs", at: place)
        }
    }

    /// The name.
    public let name: String
    /// The label.
    public let label: String
    /// The type of the action.
    public let type: String
    /// The inputs, which lists of actions do not include.
    public let inputs: [Parameter]
    /// The outputs, which lists of actions do not include.
    public let outputs: [Parameter]

    init(_ value: JSONValue, at place: String) throws(RestError) {
        name = try value.required("name", at: place)
        label = value["label"]?.string ?? name
        type = value["type"]?.string ?? ""
        inputs = try value.list("inputs", Parameter.init)
        outputs = try value.list("outputs", Parameter.init)
    }
}

extension InvocableAction {
    /// The result of one invocation of an action.
    public struct Outcome: Sendable, Hashable {
        /// Whether the invocation succeeded.
        public let isSuccess: Bool
        /// The output values.
        public let outputs: JSONObject
        /// The errors, if the invocation failed.
        public let faults: [APIFault]

        /// Returns the output values, or throws if the invocation failed.
        ///
        /// - Throws: the first error.
        public func get() throws(APIFault) -> JSONObject {
            guard isSuccess else {
                throw faults.first
                    ?? APIFault(errorCode: .unknown, message: "the server rejected the action without a reason")
            }
            return outputs
        }

        init?(_ value: JSONValue) {
            guard let isSuccess = value["isSuccess"]?.bool else { return nil }
            self.isSuccess = isSuccess
            outputs = value["outputValues"]?.object ?? [:]
            faults = APIFault.faults(in: value)
        }
    }
}

extension RestRequest {
    /// The maximum number of inputs in one call.
    public static let maximumActionInputs = 200

    fileprivate func requiring(_ action: InvocableAction.Reference) -> RestRequest {
        action.names.reduce(self) { $0.requiring($1, "action") }
    }
}

extension Endpoint where Self == RestRequest.Typed<[InvocableAction]> {
    /// Lists Salesforce's standard actions.
    public static var standardActions: Self { actions("actions", ["standard"]) }

    /// Lists the custom actions of one type, such as `apex` or `flow`.
    public static func customActions(_ type: String) -> Self {
        actions("customActions", ["custom", type]).with { $0 = $0.requiring(type, "type") }
    }

    private static func actions(_ name: String, _ path: [String]) -> Self {
        Self(RestRequest(name: name, resource: .data(["actions"] + path))) { (response) throws(RestError) in
            try response.list("actions", of: "request for the list of actions", InvocableAction.init)
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<InvocableAction> {
    /// Reads the inputs and outputs of an action.
    public static func describeAction(_ action: InvocableAction.Reference) -> Self {
        Self(RestRequest(name: "describeAction", resource: .data(action.path)).requiring(action)) {
            (response) throws(RestError) in
            try InvocableAction(response.object(of: "request for the description of an action"), at: "the action")
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<[InvocableAction.Outcome]> {
    /// Invokes an action once for each input.
    ///
    /// If any invocation failed, the server responds with status 400. The content still has all results.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - inputs: the input values of each invocation.
    /// - Returns: the request, whose content has the result of each invocation, in order.
    public static func invoke(_ action: InvocableAction.Reference, _ inputs: [JSONObject]) -> Self {
        let count = inputs.count
        let request = RestRequest(name: "invokeAction", method: .post, resource: .data(action.path))
            .requiring(action).json(["inputs": JSONValue(JSONArray(inputs.map { JSONValue($0) }))])
            .requiring(count, "inputs", atMost: RestRequest.maximumActionInputs)
        return Self(
            request,
            refused: { $0.status == 400 ? Content(bodyOf: $0.bodyRoot?.array, count: count) : nil }
        ) { (response) throws(RestError) in
            guard let results = Content(bodyOf: response.payload.array, count: count) else {
                throw RestError(notAResponseTo: "call of an action", response)
            }
            return results
        }
    }
}

extension [InvocableAction.Outcome] {
    fileprivate init?(bodyOf list: JSONArray?, count: Int) {
        guard let list, list.count == count else { return nil }
        self = list.compactMap { InvocableAction.Outcome($0) }
        guard self.count == count else { return nil }
    }
}
