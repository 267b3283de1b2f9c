// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLSyntax

extension Endpoint where Self == RestRequest.Typed<[Record]> {
    /// Searches all objects of the org and returns records in the server's order.
    ///
    /// ``Record/type`` is the object of a record. A search that is too long for a URL is rejected. For a long text use
    /// ``ParameterizedSearch``, which is sent in a body.
    public static func search(_ sosl: SOSL) -> Self {
        found(
            RestRequest(name: "search", resource: .data(["search"]), query: [.init("q", sosl.text)])
                .refused("sosl", sosl.problem).requiring(sosl.text, "sosl"))
    }

    /// Searches all objects of the org for a plain text.
    public static func search(_ search: ParameterizedSearch) -> Self {
        let request = RestRequest(
            name: "parameterizedSearch", method: .post, resource: .data(["parameterizedSearch"]), effect: .reads)
        return found(request.json(search.json).with { $0.problem = search.problem })
    }

    /// API versions before 37 return the records without an enclosing object.
    private static func found(_ request: RestRequest) -> Self {
        Self(request) { (response) throws(RestError) in
            try (response.payload.array ?? response.payload["searchRecords"]?.array).records(of: "search", in: response)
        }
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the objects that the user searches by default, in order, as an array in the payload.
    public static var searchScopeOrder: RestRequest {
        RestRequest(name: "searchScopeOrder", resource: .data(["search", "scopeOrder"]))
    }

    /// Reads the columns in which apps show search results of these objects, as an array in the payload.
    public static func searchLayout(of types: [String]) -> RestRequest {
        RestRequest(
            name: "searchLayout", resource: .data(["search", "layout"]),
            query: [RestRequest.QueryItem("q", types.joined(separator: ","))]
        ).requiring(types.joined(), "types")
    }

    /// Suggests records of an object whose names match the text that the user has typed.
    public static func searchSuggestions(_ text: String, of type: String) -> RestRequest {
        RestRequest(
            name: "searchSuggestions", resource: .data(["search", "suggestions"]),
            query: [RestRequest.QueryItem("q", text), RestRequest.QueryItem("sobject", type)]
        ).requiring(text, "text").requiring(type, "type")
    }
}

/// A search for a plain text with parameters, as an alternative to a ``SOSL`` statement.
///
/// It is sent in a body, so it can be longer than a URL. No character of the text has a special meaning.
public struct ParameterizedSearch: Sendable, Hashable {
    /// The fields to search.
    public enum Scope: String, Sendable, Hashable {
        /// All searchable fields.
        case all = "ALL"
        /// Name fields.
        case name = "NAME"
        /// E-mail fields.
        case email = "EMAIL"
        /// Phone fields.
        case phone = "PHONE"
        /// The fields that the sidebar of Salesforce's own app searches.
        case sidebar = "SIDEBAR"
    }

    /// The options for the records of one object.
    public struct Object: Sendable, Hashable {
        /// The object's name.
        public var name: String
        /// The fields to return, or an empty array for the fields of the whole search.
        public var fields: [String]
        /// A condition for the records, without `WHERE`, in which interpolated values are bound.
        public var condition: SOQL?
        /// The order of the records, without `ORDER BY`, which is inserted without changes.
        public var order: String?
        /// The maximum number of records.
        public var limit: Int?

        /// Makes the options for an object.
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

    /// The text to search for.
    public var text: String
    /// The fields to search (for all optional properties, `nil` lets the server choose).
    public var scope: Scope?
    /// The objects to search, or an empty array for all searchable objects.
    public var objects: [Object]
    /// The fields to return of objects that have no `fields`.
    public var fields: [String] = []
    /// The maximum number of records of each object that has no `limit`.
    public var defaultLimit: Int?
    /// The maximum number of records in total.
    public var overallLimit: Int?
    /// Whether the server corrects the spelling of the text.
    public var correctsSpelling: Bool?

    /// Makes a search.
    public init(_ text: String, in scope: Scope? = nil, objects: [Object] = []) {
        self.text = text
        self.scope = scope
        self.objects = objects
    }
}

extension ParameterizedSearch {
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

    var problem: InvalidArgument? {
        guard text.hasLetters else {
            return InvalidArgument("text", "must have letters or digits")
        }
        let limits = [("defaultLimit", defaultLimit), ("overallLimit", overallLimit)]
        if let (name, _) = limits.first(where: { ($0.1 ?? 1) < 1 }) {
            return InvalidArgument(name, "must be at least 1")
        }
        for object in objects {
            if object.name.isBlank {
                return InvalidArgument("objects", "every object needs its name")
            }
            if let reason = object.condition?.problem {
                return InvalidArgument("objects.\(object.name).condition", reason)
            }
            if let limit = object.limit, limit < 1 {
                return InvalidArgument("objects.\(object.name).limit", "must be at least 1")
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

/// A search whose interpolated values are bound, so that no value can change the search.
///
/// ```swift
/// let name = "Smith & Sons (2)"
/// let search: SOSL = "FIND {\(name)} IN NAME FIELDS RETURNING Account(Id, Name WHERE Industry = \("Banking"))"
/// ```
/// Between the braces of `FIND`, a value is a text to search for: reserved characters are escaped, and `and`, `or` and
/// `not` are ordinary words. All words must be found. To search for a phrase, put `"` around the value. In other
/// positions, a value becomes a literal, or is rejected if a literal is not allowed there, as in ``SOQL``. To insert
/// text without changes, use the explicit `\(raw: text)`.
public struct SOSL: Sendable, CustomStringConvertible {
    /// The text of the search with its values, as it is sent.
    public let text: String
    /// The text of the search for people and logs, with `?` in place of each bound value.
    public let description: String
    /// The reason why a value cannot be bound, or `nil`.
    package let problem: String?

    /// Makes a search from a complete text, for example from a file, a command line or a user.
    public init(raw text: String) {
        self.text = text
        description = text
        problem = nil
    }

    /// Escapes the reserved characters of `FIND`, and replaces control characters and whitespace by spaces.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for letter in text.unicodeScalars {
            if letter.properties.generalCategory == .control || letter.properties.isWhitespace {
                result += " "
            } else {
                if reserved.contains(letter) { result += "\\" }
                result.unicodeScalars.append(letter)
            }
        }
        return result
    }

    private static let reserved = Set("?&|!{}[]()^~*:\\\"'+-".unicodeScalars)
}

extension String {
    /// Whether the string has a letter or a digit, which every search needs.
    var hasLetters: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: false
            default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            }
        }
    }
}

extension SOSL: Hashable {
    /// Whether both searches send the same text.
    public static func == (left: SOSL, right: SOSL) -> Bool {
        left.text == right.text && left.problem == right.problem
    }

    /// Hashes the text that is sent.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension SOSL: ExpressibleByStringInterpolation {
    /// Makes a search from a literal, without changes.
    public init(stringLiteral value: String) { self.init(raw: value) }

    /// Makes a search from a literal with bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.search.text
        description = stringInterpolation.search.shown
        problem = stringInterpolation.search.problem
    }

    /// Collects the parts of a search and binds its values.
    public struct StringInterpolation: StringInterpolationProtocol {
        var search: SOQLText

        /// Reserves capacity for the literal parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            search = SOQLText(.search, capacity: literalCapacity + min(interpolationCount, 1_000) * 16)
        }

        /// Appends a literal part.
        public mutating func appendLiteral(_ literal: String) { search.paste(literal) }

        /// Binds a value: between the braces of `FIND` as a text to search for, in other positions as a literal.
        public mutating func appendInterpolation(_ value: some SOQL.Bindable) {
            search.bind(value.soqlLiteral, SOQLText.description(of: value))
        }

        /// Binds a list for `IN`, `NOT IN`, `INCLUDES` or `EXCLUDES`, but not between the braces of `FIND`.
        public mutating func appendInterpolation(_ values: [some SOQL.Bindable]) {
            search.bind(values.map { $0.soqlLiteral }) { SOQLText.description(of: values[$0]) }
        }

        /// Binds the beginning of a word: `\(prefix: "Smi")` finds Smith and Smiley.
        public mutating func appendInterpolation(prefix value: String) {
            search.bind(prefix: value)
        }

        /// Inserts text without changes.
        ///
        /// Never use it for an untrusted value, which could change the search. Values after the text are bound
        /// according to the syntax at the end of the text.
        public mutating func appendInterpolation(raw text: String) { search.paste(text) }
    }
}
