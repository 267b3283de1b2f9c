// SPDX-License-Identifier: Apache-2.0

import LocalServer
public import RestJSON
import SOQLStore
import Synchronization

/// The actions below `/actions/custom`, which the app implements.
///
/// On Salesforce, they are methods of Apex classes and flows. Register a handler before a client calls it:
///
/// ```swift
/// org.actions.handle(.apex, "DoubleIt", inputs: [.init("number", .number)]) { input in
///     .success(["result": JSONValue((input["number"]?.int ?? 0) * 2)])
/// }
/// ```
public final class ActionHandlers: Sendable {
    /// The kind of an action on Salesforce.
    public enum Kind: String, Sendable, CaseIterable {
        /// An invocable method of a class.
        case apex
        /// An autolaunched flow.
        case flow
    }

    /// Handles one input.
    public typealias Handler = @Sendable (JSONObject) -> ActionResult

    struct Entry: Sendable {
        let kind: Kind
        let action: OrgAction
    }

    private let entries = Mutex<[Entry]>([])

    init() {}

    /// Registers a handler for an action, and replaces an earlier one with the same name.
    ///
    /// - Parameters:
    ///   - kind: the kind of action.
    ///   - name: the name in paths, case-sensitive.
    ///   - label: the label, by default the name.
    ///   - inputs: the known inputs. Unknown inputs and missing required ones are rejected.
    ///   - outputs: the outputs of a result.
    ///   - handler: returns the result of one input.
    public func handle(
        _ kind: Kind, _ name: String, label: String? = nil, inputs: [ActionParameter] = [],
        outputs: [ActionParameter] = [], _ handler: @escaping Handler
    ) {
        let action = OrgAction(
            name: name, label: label ?? name, type: kind.rawValue.uppercased(), inputs: inputs, outputs: outputs,
            run: handler)
        entries.withLock { entries in
            entries.removeAll { $0.kind == kind && $0.action.name == name }
            entries.append(Entry(kind: kind, action: action))
        }
    }

    func actions(_ kind: Kind) -> [OrgAction] {
        entries.withLock { $0.filter { $0.kind == kind }.map(\.action) }
    }
}

/// An input or an output of an action.
public struct ActionParameter: Sendable, Hashable {
    /// The type of a value.
    public enum ValueType: String, Sendable {
        /// A string.
        case string = "STRING"
        /// A number.
        case number = "NUMBER"
        /// A Boolean.
        case boolean = "BOOLEAN"
        /// The ID of a record.
        case reference = "REFERENCE"
    }

    /// The name.
    public let name: String
    /// The type of the values.
    public let type: ValueType
    /// Whether the input is required.
    public let isRequired: Bool

    /// Creates the description of an input or an output.
    public init(_ name: String, _ type: ValueType, isRequired: Bool = false) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}

/// The result of one input of an action.
public enum ActionResult: Sendable {
    /// The outputs of a successful action.
    case success(JSONObject)
    /// A code such as `INVALID_API_INPUT` and a sentence.
    case failure(code: String, message: String)
}

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

    func result(of input: JSONValue) -> (isSuccess: Bool, json: JSONValue) {
        guard let members = input.object else { return failed("INVALID_API_INPUT", "An input must be an object") }
        if let unknown = members.keys.first(where: { name in !inputs.contains { $0.name == name } }) {
            return failed("INVALID_API_INPUT", "The input '\(unknown.prefix(100))' is unknown")
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

/// `/actions/custom`: the actions that the app implements.
struct ActionResources {
    let custom: ActionHandlers

    private static let mostInputs = 200

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
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
                throw .missing("There are no custom actions of the type '\(rest[2].prefix(100))'")
            }
            return try respond(custom.actions(kind), call)
        default: throw .notFound
        }
    }

    /// Returns the list of actions, or the description or the results of one of them.
    private func respond(
        _ actions: [OrgAction], _ call: RESTRouter.Call
    ) throws(OrgError) -> ServerResponse {
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
            throw .missing("There is no \(call.rest[2]) action named '\(name.prefix(100))'")
        }
        try call.allow("GET", "POST")
        return call.method == "GET" ? .json(value: action.description) : try invoke(action, call.request.body)
    }

    /// Returns a result for each input, with status 400 if one of them failed.
    private func invoke(_ action: OrgAction, _ body: [UInt8]) throws(OrgError) -> ServerResponse {
        guard let inputs = try RecordInput.members(body)["inputs"]?.array, !inputs.isEmpty else {
            throw .invalidInput("inputs must be a list of objects.")
        }
        guard inputs.count <= Self.mostInputs else {
            throw .invalidInput("A call can have at most \(Self.mostInputs) inputs.")
        }
        let results = inputs.map(action.result)
        return .json(
            results.allSatisfy(\.isSuccess) ? 200 : 400, value: JSONValue(JSONArray(results.map(\.json))))
    }
}
