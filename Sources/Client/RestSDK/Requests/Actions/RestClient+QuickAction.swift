// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

extension RestClient {
    /// An action that the org's own app offers for records, such as `NewContact`.
    public struct QuickAction: Sendable, Hashable {
        /// The name, with the object's in front where it belongs to one: `Account.NewContact`.
        public let name: String
        /// The name for people.
        public let label: String
        /// What it does, such as `Create` or `Update`.
        public let type: String
        /// The object whose records it makes or changes; `nil` in a list of actions, which does not tell.
        public let target: String?
        /// The target's field that names the record it is done for.
        public let parentField: String?

        init(_ value: JSONValue, at place: String) throws(RestError) {
            name = try value.required("name", at: place)
            label = value["label"]?.string ?? name
            type = value["type"]?.string ?? ""
            target = value["targetSobjectType"]?.string
            parentField = value["targetParentField"]?.string
        }
    }
}

extension RestRequest {
    /// The quick actions of an object, or those that belong to none; the payload is an array.
    public static func quickActions(of type: String? = nil) -> RestRequest {
        quickAction("quickActions", .get, type, [])
    }

    /// What a quick action does.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the object that it belongs to; `nil` for none.
    /// - Returns: the request.
    public static func describeQuickAction(_ name: String, of type: String? = nil) -> RestRequest {
        quickAction("describeQuickAction", .get, type, [name, "describe"]).requiring(name, "name")
    }

    /// What the fields of a quick action are filled with at first.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the object that it belongs to; `nil` for none.
    ///   - id: the record that it would be done for; `nil` for none.
    /// - Returns: the request.
    public static func quickActionDefaults(
        _ name: String, of type: String? = nil, for id: String? = nil
    ) -> RestRequest {
        let request = quickAction(
            "quickActionDefaults", .get, type, [name, "defaultValues"] + [id].compactMap(\.self)
        ).requiring(name, "name")
        return id.map { request.requiringID($0) } ?? request
    }

    /// Does a quick action; the payload is a save result.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the object that it belongs to; `nil` for none.
    ///   - id: the record that it is done for; `nil` for none.
    ///   - fields: the fields of the record that it makes or changes.
    /// - Returns: the request.
    public static func performQuickAction(
        _ name: String, of type: String? = nil, for id: String? = nil, _ fields: JSONObject
    ) -> RestRequest {
        var request = quickAction("performQuickAction", .post, type, [name]).requiring(name, "name")
        var body: JSONObject = ["record": JSONValue(fields)]
        if let id { body["contextId"] = JSONValue(id) }
        request.body = .bytes(JSONValue(body).bytes())
        request.fields = jsonContent
        return id.map { request.requiringID($0) } ?? request
    }

    private static func quickAction(
        _ name: String, _ method: HTTPMethod, _ type: String?, _ path: [String]
    ) -> RestRequest {
        let base = type.map { ["sobjects", $0, "quickActions"] } ?? ["quickActions"]
        let request = RestRequest(name: name, method: method, resource: .data(base + path))
        return type.map { request.requiring($0, "type") } ?? request
    }
}

extension RestClient {
    /// The quick actions of an object, or those that belong to none.
    ///
    /// - Throws: ``RestError``.
    public func quickActions(of type: String? = nil) async throws(RestError) -> [RestClient.QuickAction] {
        try await content(of: .quickActions(of: type)) { (response) throws(RestError) in
            guard let list = response.payload.array else {
                throw RestError(notAnAnswerTo: "list of quick actions", response)
            }
            return try JSONValue(["actions": JSONValue(list)]).list("actions", QuickAction.init)
        }
    }

    /// What a quick action does.
    ///
    /// - Throws: ``RestError``.
    public func describeQuickAction(_ name: String, of type: String? = nil) async throws(RestError)
        -> RestClient.QuickAction
    {
        try await content(of: .describeQuickAction(name, of: type)) { (response) throws(RestError) in
            guard let json = response.payload.dictionary else {
                throw RestError(notAnAnswerTo: "describe of a quick action", response)
            }
            return try RestClient.QuickAction(JSONValue(json), at: "the action")
        }
    }

    /// Does a quick action.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the object that it belongs to; `nil` for none.
    ///   - id: the record that it is done for; `nil` for none.
    ///   - fields: the fields of the record that it makes or changes.
    /// - Returns: the id of the record that was made or changed.
    /// - Throws: ``RestError``.
    @discardableResult
    public func performQuickAction(
        _ name: String, of type: String? = nil, for id: String? = nil, _ fields: JSONObject
    ) async throws(RestError) -> String {
        try await content(of: .performQuickAction(name, of: type, for: id, fields)) { (response) throws(RestError) in
            guard let id = response.payload["id"]?.string else {
                throw RestError(notAnAnswerTo: "quick action", response)
            }
            return id
        }
    }
}
