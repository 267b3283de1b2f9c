// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLSyntax

extension Endpoint where Self == RestRequest.Typed<[Record]> {
    /// Searches the org for records of all objects, in the server's order; ``Record/type`` tells the object of each.
    ///
    /// A search that is too long for a URL is refused; use ``ParameterizedSearch``, which goes in a body.
    public static func search(_ sosl: SOSL) -> Self {
        var request = RestRequest(
            name: "search", resource: .data(["search"]), query: [RestRequest.QueryItem("q", sosl.text)])
        request.problem = sosl.problem.map { InvalidArgument(argument: "sosl", reason: $0) }
        return found(request.requiring(sosl.text, "sosl"))
    }

    /// Searches the org for a plain text, in records of all objects.
    public static func search(_ search: ParameterizedSearch) -> Self {
        var request = RestRequest(
            name: "parameterizedSearch", method: .post, resource: .data(["parameterizedSearch"]),
            fields: RestRequest.jsonContent)
        request.body = .bytes(search.json.bytes())
        request.problem = search.problem
        request.effect = .reads
        return found(request)
    }

    /// Versions before 37 give the records without an object around.
    private static func found(_ request: RestRequest) -> Self {
        Self(request) { (response) throws(RestError) in
            try (response.payload.array ?? response.payload["searchRecords"]?.array).records(of: "search", in: response)
        }
    }
}

extension Endpoint where Self == RestRequest {
    /// The objects that the user searches by default, in their order; the payload is an array.
    public static var searchScopeOrder: RestRequest {
        RestRequest(
            name: "searchScopeOrder", resource: .data(["search", "scopeOrder"]))
    }

    /// The columns in which an app shows records of these objects that a search found; the payload is an array.
    public static func searchLayout(of types: [String]) -> RestRequest {
        RestRequest(
            name: "searchLayout", resource: .data(["search", "layout"]),
            query: [RestRequest.QueryItem("q", types.joined(separator: ","))]
        ).requiring(types.joined(), "types")
    }

    /// The records of an object whose names resemble what was typed so far.
    public static func searchSuggestions(_ text: String, of type: String) -> RestRequest {
        RestRequest(
            name: "searchSuggestions", resource: .data(["search", "suggestions"]),
            query: [RestRequest.QueryItem("q", text), RestRequest.QueryItem("sobject", type)]
        ).requiring(text, "text").requiring(type, "type")
    }
}

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

/// A search whose interpolated values are bound: no value can change the search.
///
/// ```swift
/// let name = "Smith & Sons (2)"
/// let search: SOSL = "FIND {\(name)} IN NAME FIELDS RETURNING Account(Id, Name WHERE Industry = \("Banking"))"
/// ```
/// Between the braces of `FIND` a value is a text to look for: its reserved characters are escaped, and `and`, `or` and
/// `not` in it are words like others. All of its words must be found; put `"` around the value to find them side by
/// side. Everywhere else a value becomes a literal where a literal can stand and is refused where none can, as in
/// ``SOQL``. Text that is to stand in the search as it is needs the visible `\(raw: text)`.
public struct SOSL: Sendable, CustomStringConvertible {
    /// The search's text as it is sent, with the values.
    public let text: String
    /// The search's text for people and logs: `?` stands for each bound value.
    public let description: String
    /// Why the search cannot be sent, when a value cannot be bound.
    package let problem: String?

    /// Takes a whole search as it is: from a file, a command line, a person.
    public init(raw text: String) {
        self.text = text
        description = text
        problem = nil
    }

    /// The text with the characters escaped that mean something between the braces of `FIND`.
    ///
    /// Control characters and blanks of every kind become plain blanks.
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
    /// Whether the text has a letter or a digit, without which a search finds nothing.
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
    /// Whether the same would be sent.
    public static func == (left: SOSL, right: SOSL) -> Bool {
        left.text == right.text && left.problem == right.problem
    }

    /// Adds what would be sent.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension SOSL: ExpressibleByStringInterpolation {
    /// Takes a literal as it is.
    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    /// Takes a literal with its bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.search.text
        description = stringInterpolation.search.shown
        problem = stringInterpolation.search.problem
    }

    /// Collects the pieces of a search and binds the values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        var search: SOQLText

        /// Reserves room for the literal pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            search = SOQLText(.search, capacity: literalCapacity + min(interpolationCount, 1_000) * 16)
        }

        /// Takes a piece of the search itself.
        public mutating func appendLiteral(_ literal: String) {
            search.paste(literal)
        }

        /// Binds a value: between the braces of `FIND` as a text to look for, elsewhere as a literal.
        public mutating func appendInterpolation(_ value: some SOQL.Bindable) {
            search.bind(value.soqlLiteral, SOQLText.description(of: value))
        }

        /// Binds a list for `IN`, `NOT IN`, `INCLUDES` and `EXCLUDES`; the braces of `FIND` take no list.
        public mutating func appendInterpolation(_ values: [some SOQL.Bindable]) {
            search.bind(values.map { $0.soqlLiteral }) { SOQLText.description(of: values[$0]) }
        }

        /// Binds the beginning of a word to look for: `\(prefix: "Smi")` finds Smith and Smiley.
        public mutating func appendInterpolation(prefix value: String) {
            search.bind(prefix: value)
        }

        /// Takes text as it is.
        ///
        /// Never pass a value from outside: it can change the search. Values after it are bound by the place to which
        /// the text leads.
        public mutating func appendInterpolation(raw text: String) {
            search.paste(text)
        }
    }
}
