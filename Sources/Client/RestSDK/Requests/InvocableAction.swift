// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

/// An action of the org that can be invoked: one of the platform's, or code and flows of the org's own.
public struct InvocableAction: Sendable, Hashable {
    /// Which action is meant.
    public enum Reference: Sendable, Hashable {
        /// One of the platform's, such as `emailSimple`.
        case standard(String)
        /// One of the org's own: its type, such as `apex` or `flow`, and its name.
        case custom(String, String)

        var path: [String] {
            switch self {
            case .standard(let name): ["actions", "standard", name]
            case .custom(let type, let name): ["actions", "custom", type, name]
            }
        }

        var names: [String] { Array(path.dropFirst(2)) }
    }

    /// One input or output.
    public struct Parameter: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The name for people.
        public let label: String
        /// The kind of its values, such as `STRING` or `SOBJECT`.
        public let type: String
        /// Whether an input must be given.
        public let isRequired: Bool
        /// How many values it takes at most.
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
    /// The name for people.
    public let label: String
    /// The kind of action.
    public let type: String
    /// What it takes; empty in a list of actions, which does not tell.
    public let inputs: [Parameter]
    /// What it gives; empty in a list of actions.
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
    /// What one invocation of an action came to.
    public struct Outcome: Sendable, Hashable {
        /// Whether it was done.
        public let isSuccess: Bool
        /// What it gave.
        public let outputs: JSONObject
        /// Why it was not done.
        public let faults: [APIFault]

        /// What it gave.
        ///
        /// - Throws: the first of the faults, when it was not done.
        public func get() throws(APIFault) -> JSONObject {
            guard isSuccess else {
                throw faults.first
                    ?? APIFault(errorCode: .unknown, message: "the server refused the action without a reason")
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
    /// The most inputs that one invocation takes.
    public static let maximumActionInputs = 200

    fileprivate func requiring(_ action: InvocableAction.Reference) -> RestRequest {
        action.names.reduce(self) { $0.requiring($1, "action") }
    }
}

extension Endpoint where Self == RestRequest.Typed<[InvocableAction]> {
    /// Asks for the platform's own actions.
    public static var standardActions: Self { actions("actions", ["standard"]) }

    /// Asks for the org's own actions of one kind, such as `apex` or `flow`.
    public static func customActions(_ type: String) -> Self {
        actions("customActions", ["custom", type]).with { $0 = $0.requiring(type, "type") }
    }

    private static func actions(_ name: String, _ path: [String]) -> Self {
        Self(RestRequest(name: name, resource: .data(["actions"] + path))) { (response) throws(RestError) in
            try response.list("actions", of: "list of actions", InvocableAction.init)
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<InvocableAction> {
    /// Asks what an action takes and gives.
    public static func describeAction(_ action: InvocableAction.Reference) -> Self {
        Self(RestRequest(name: "describeAction", resource: .data(action.path)).requiring(action)) {
            (response) throws(RestError) in
            try InvocableAction(response.object(of: "describe of an action"), at: "the action")
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<[InvocableAction.Outcome]> {
    /// Invokes an action, once for each of the inputs.
    ///
    /// The server answers with status 400 as soon as one invocation failed; the results are the content in that case
    /// too.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - inputs: what each invocation takes.
    /// - Returns: the request, whose content tells what each came to, in their order.
    public static func invoke(_ action: InvocableAction.Reference, _ inputs: [JSONObject]) -> Self {
        var request = RestRequest(
            name: "invokeAction", method: .post, resource: .data(action.path), fields: RestRequest.jsonContent
        ).requiring(action)
        request.body = .bytes(JSONValue(["inputs": JSONValue(JSONArray(inputs.map { JSONValue($0) }))]).bytes())
        let (count, limit) = (inputs.count, RestRequest.maximumActionInputs)
        if !(1...limit).contains(count) {
            request = request.refused("inputs", "there are \(count); the server accepts 1 to \(limit)")
        }
        return Self(
            request,
            refused: { $0.status == 400 ? Content(bodyOf: $0.bodyRoot?.array, count: count) : nil }
        ) { (response) throws(RestError) in
            guard let results = Content(bodyOf: response.payload.array, count: count) else {
                throw RestError(notAnAnswerTo: "invocation of an action", response)
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
