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

    /// The platform's own actions; the payload has `actions`.
    public static let standardActions = RestRequest(name: "actions", resource: .data(["actions", "standard"]))

    /// The org's own actions; the payload names their kinds, or has the `actions` of one kind.
    public static func customActions(_ type: String? = nil) -> RestRequest {
        RestRequest(name: "customActions", resource: .data(["actions", "custom"] + [type].compactMap(\.self)))
    }

    /// What an action takes and gives.
    public static func describeAction(_ action: InvocableAction.Reference) -> RestRequest {
        RestRequest(name: "describeAction", resource: .data(action.path)).requiring(action)
    }

    /// Invokes an action, once for each of the inputs; the payload is an array of results.
    ///
    /// The server answers with status 400 as soon as one invocation failed; ``RestClient/invoke(_:_:)`` gives the
    /// results in that case too.
    public static func invoke(_ action: InvocableAction.Reference, _ inputs: [JSONObject]) -> RestRequest {
        var request = RestRequest(
            name: "invokeAction", method: .post, resource: .data(action.path), fields: jsonContent)
        request.body = .bytes(JSONValue(["inputs": JSONValue(JSONArray(inputs.map { JSONValue($0) }))]).bytes())
        guard (1...maximumActionInputs).contains(inputs.count) else {
            return request.refused(
                "inputs", "there are \(inputs.count); the server accepts 1 to \(maximumActionInputs)")
        }
        return request.requiring(action)
    }

    private func requiring(_ action: InvocableAction.Reference) -> RestRequest {
        action.names.reduce(self) { $0.requiring($1, "action") }
    }
}

extension RestClient {
    /// The platform's own actions.
    public func standardActions() async throws(RestError) -> [InvocableAction] {
        try await answer(.standardActions, by: [InvocableAction].init)
    }

    /// The org's own actions of one kind, such as `apex` or `flow`.
    public func customActions(_ type: String) async throws(RestError) -> [InvocableAction] {
        try await answer(.customActions(type), by: [InvocableAction].init)
    }

    /// What an action takes and gives.
    public func describeAction(_ action: InvocableAction.Reference) async throws(RestError) -> InvocableAction {
        try await content(of: .describeAction(action)) { (response) throws(RestError) in
            try InvocableAction(response.object(of: "describe of an action"), at: "the action")
        }
    }

    /// Invokes an action, once for each of the inputs.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - inputs: what each invocation takes.
    /// - Returns: what each came to, in their order.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func invoke(
        _ action: InvocableAction.Reference, _ inputs: [JSONObject]
    ) async throws(RestError) -> [InvocableAction.Outcome] {
        do throws(RestError) {
            return try await content(of: .invoke(action, inputs)) { (response) throws(RestError) in
                guard let results = [InvocableAction.Outcome](response.payload.array, count: inputs.count) else {
                    throw RestError(notAnAnswerTo: "invocation of an action", response)
                }
                return results
            }
        } catch {
            // The results are the body of a refusal too.
            guard error.status == 400,
                let results = [InvocableAction.Outcome](error.bodyRoot?.array, count: inputs.count)
            else {
                throw error
            }
            return results
        }
    }
}

extension [InvocableAction] {
    fileprivate init(_ response: RestResponse) throws(RestError) {
        self = try response.list("actions", of: "list of actions", InvocableAction.init)
    }
}

extension [InvocableAction.Outcome] {
    fileprivate init?(_ list: JSONArray?, count: Int) {
        guard let list, list.count == count else { return nil }
        self = list.compactMap { InvocableAction.Outcome($0) }
        guard self.count == count else { return nil }
    }
}
