// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

/// A search for a plain text by parameters, in place of a ``SOSL`` statement.
///
/// It goes in a body, so that it may be longer than a URL, and nothing in the text has a meaning of its own.
public struct ParameterizedSearch: Sendable, Hashable {
    /// The fields that are looked into.
    public enum Scope: String, Sendable, Hashable {
        /// All that can be searched.
        case all = "ALL"
        /// Names.
        case name = "NAME"
        /// Addresses of mail.
        case email = "EMAIL"
        /// Telephone numbers.
        case phone = "PHONE"
        /// Those that the sidebar of the platform's own app looks into.
        case sidebar = "SIDEBAR"
    }

    /// What comes back of one object.
    public struct Object: Sendable, Hashable {
        /// The object's name.
        public var name: String
        /// The fields; those of the search as a whole when empty.
        public var fields: [String]
        /// A condition on its records, without `WHERE`; interpolated values are bound.
        public var condition: SOQL?
        /// Its order, without `ORDER BY`, taken as it is.
        public var order: String?
        /// The most of its records.
        public var limit: Int?

        /// Makes a value.
        public init(
            _ name: String, fields: [String] = [], condition: SOQL? = nil, order: String? = nil, limit: Int? = nil
        ) {
            self.name = name
            self.fields = fields
            self.condition = condition
            self.order = order
            self.limit = limit
        }
    }

    /// The text to look for.
    public var text: String
    /// The fields that are looked into; the server chooses for what is `nil`, here and below.
    public var scope: Scope?
    /// The objects; all that can be searched when empty.
    public var objects: [Object]
    /// The fields of objects that name none of their own.
    public var fields: [String] = []
    /// The most records of each object that has no limit of its own.
    public var defaultLimit: Int?
    /// The most records in all.
    public var overallLimit: Int?
    /// Whether a misspelt text is corrected.
    public var correctsSpelling: Bool?

    /// Makes a search.
    public init(_ text: String, in scope: Scope? = nil, objects: [Object] = []) {
        self.text = text
        self.scope = scope
        self.objects = objects
    }
}

extension ParameterizedSearch {
    /// The search as the server takes it.
    var json: JSONValue {
        var json: JSONObject = ["q": JSONValue(text)]
        if let scope { json["in"] = JSONValue(scope.rawValue) }
        if !objects.isEmpty { json["sobjects"] = JSONValue(JSONArray(objects.map(\.json))) }
        if !fields.isEmpty { json["fields"] = JSONValue(JSONArray(fields.map { JSONValue($0) })) }
        if let defaultLimit { json["defaultLimit"] = JSONValue(defaultLimit) }
        if let overallLimit { json["overallLimit"] = JSONValue(overallLimit) }
        if let correctsSpelling { json["spellCorrection"] = JSONValue(correctsSpelling) }
        return JSONValue(json)
    }

    /// The first argument that cannot be sent.
    var problem: InvalidArgument? {
        guard text.hasLetters else {
            return InvalidArgument(argument: "text", reason: "must have letters or digits")
        }
        let limits = [("defaultLimit", defaultLimit), ("overallLimit", overallLimit)]
        if let (name, _) = limits.first(where: { ($0.1 ?? 1) < 1 }) {
            return InvalidArgument(argument: name, reason: "must be at least 1")
        }
        for object in objects {
            if object.name.isBlank {
                return InvalidArgument(argument: "objects", reason: "every object needs its name")
            }
            if let reason = object.condition?.problem {
                return InvalidArgument(argument: "objects.\(object.name).condition", reason: reason)
            }
            if let limit = object.limit, limit < 1 {
                return InvalidArgument(argument: "objects.\(object.name).limit", reason: "must be at least 1")
            }
        }
        return nil
    }
}

extension ParameterizedSearch.Object {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["name": JSONValue(name)]
        if !fields.isEmpty { json["fields"] = JSONValue(JSONArray(fields.map { JSONValue($0) })) }
        if let condition { json["where"] = JSONValue(condition.text) }
        if let order { json["orderBy"] = JSONValue(order) }
        if let limit { json["limit"] = JSONValue(limit) }
        return JSONValue(json)
    }
}
