// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// A search, read: what is looked for, where, and what of it comes back.
struct SearchStatement {
    /// The fields that are looked into.
    enum Scope: String {
        case all = "ALL"
        case name = "NAME"
        case email = "EMAIL"
        case phone = "PHONE"
    }

    /// One object of RETURNING.
    struct Target {
        let object: String
        /// The fields, as a query's select list.
        var fields = "Id"
        /// What follows the fields: WHERE, ORDER BY, LIMIT and OFFSET of a query.
        var clauses = ""
    }

    var expression: SearchExpression
    var scope = Scope.all
    /// The objects to search; all of them when empty.
    var targets: [Target] = []
    /// The most records of all objects together.
    var limit = mostRecords

    /// The platform's own limit of records.
    static let mostRecords = 2_000
    /// Each of them is a search of its own.
    private static let mostTargets = 20
}

extension SearchStatement {
    /// Reads SOSL: `FIND {…} [IN … FIELDS] [RETURNING …] [LIMIT n]`; everything else is refused.
    init(parsing text: String) throws(OrgFault) {
        var scanner = SearchScanner(text)
        guard scanner.take("FIND"), let term = scanner.braces() else {
            throw .malformedSearch("a search must begin with FIND {…}")
        }
        expression = try SearchExpressionParser.parse(term)
        if scanner.take("IN") {
            guard let scope = scanner.word().flatMap({ Scope(rawValue: $0.uppercased()) }), scanner.take("FIELDS")
            else {
                throw .malformedSearch("IN must be followed by ALL, NAME, EMAIL or PHONE, and FIELDS")
            }
            self.scope = scope
        }
        if scanner.take("RETURNING") {
            repeat { try add(try Self.target(&scanner)) } while scanner.takeComma()
        }
        if scanner.take("LIMIT") {
            guard let limit = scanner.word().flatMap({ Int(outside: $0, in: .count) }),
                (1...Self.mostRecords).contains(limit)
            else {
                throw .malformedSearch("LIMIT must be followed by a number from 1 to \(Self.mostRecords)")
            }
            self.limit = limit
        }
        guard scanner.isAtEnd else {
            throw .malformedSearch(
                "unexpected, or unknown to the embedded org: '\(Substring(scanner.scalars.prefix(40)))'")
        }
    }

    /// Adds an object to look into.
    mutating func add(_ target: Target) throws(OrgFault) {
        guard targets.count < Self.mostTargets else {
            throw .malformedSearch("a search returns at most \(Self.mostTargets) objects")
        }
        targets.append(target)
    }

    private static func target(_ scanner: inout SearchScanner) throws(OrgFault) -> Target {
        guard let object = scanner.word() else {
            throw .malformedSearch("RETURNING must be followed by the names of objects")
        }
        guard let inside = scanner.parentheses() else { return Target(object: String(object)) }
        let (fields, clauses) = SearchScanner.split(inside, before: ["WHERE", "ORDER", "LIMIT", "OFFSET"])
        guard !fields.isEmpty else { throw .malformedSearch("the fields of \(object) are missing") }
        return Target(object: String(object), fields: fields, clauses: clauses)
    }
}

/// Reads a search from its beginning on.
///
/// It looks at scalars, not at characters: a mark that joins a brace or a quote would hide it in a character of its
/// own.
struct SearchScanner {
    private(set) var scalars: Substring.UnicodeScalarView

    init(_ text: String) {
        scalars = text[...].unicodeScalars.drop(while: \.properties.isWhitespace)
    }

    var isAtEnd: Bool { scalars.isEmpty }

    /// The next word, if there is one.
    mutating func word() -> Substring? {
        let word = scalars.prefix { SearchText.isWordLetter($0) || $0 == "_" }
        guard !word.isEmpty else { return nil }
        skip(word.count)
        return Substring(word)
    }

    /// Takes the keyword, if it comes next.
    mutating func take(_ keyword: String) -> Bool {
        var ahead = self
        guard let word = ahead.word(), word.uppercased() == keyword else { return false }
        self = ahead
        return true
    }

    mutating func takeComma() -> Bool {
        guard scalars.first == "," else { return false }
        skip(1)
        return true
    }

    /// What stands between braces, if they come next; braces inside are escaped.
    mutating func braces() -> Substring? {
        guard scalars.first == "{" else { return nil }
        var isEscaped = false
        for index in scalars.indices.dropFirst() {
            if scalars[index] == "}", !isEscaped { return inside(upTo: index) }
            isEscaped = scalars[index] == "\\" && !isEscaped
        }
        return nil
    }

    /// What stands between parentheses, if they come next; those in texts do not count.
    mutating func parentheses() -> Substring? {
        guard scalars.first == "(" else { return nil }
        var depth = 0
        var scan = TextScan()
        for index in scalars.indices {
            guard !scan.isInText(scalars[index]) else { continue }
            if scalars[index] == "(" { depth += 1 }
            if scalars[index] == ")" { depth -= 1 }
            if depth == 0 { return inside(upTo: index) }
        }
        return nil
    }

    private mutating func inside(upTo end: Substring.Index) -> Substring {
        let inside = scalars[scalars.index(after: scalars.startIndex)..<end]
        scalars = scalars[scalars.index(after: end)...].drop(while: \.properties.isWhitespace)
        return Substring(inside)
    }

    private mutating func skip(_ count: Int) {
        scalars = scalars.dropFirst(count).drop(while: \.properties.isWhitespace)
    }

    /// Cuts the text before the first of the keywords that stands outside of texts and parentheses.
    static func split(_ text: Substring, before keywords: Set<String>) -> (head: String, tail: String) {
        let scalars = text.unicodeScalars
        var depth = 0
        var scan = TextScan()
        var start = text.startIndex
        while start < text.endIndex {
            let letter = scalars[start]
            let isText = scan.isInText(letter)
            if !isText, letter == "(" { depth += 1 }
            if !isText, letter == ")" { depth -= 1 }
            guard !isText, depth == 0, letter.properties.isAlphabetic else {
                start = scalars.index(after: start)
                continue
            }
            let word = scalars[start...].prefix { SearchText.isWordLetter($0) || $0 == "_" || $0 == "." }
            if keywords.contains(Substring(word).uppercased()) {
                return (text[..<start].trimmingBlanks, String(text[start...]))
            }
            start = word.endIndex
        }
        return (text.trimmingBlanks, "")
    }

    /// Tells letters of a quoted text from others, one after another.
    private struct TextScan {
        private var isInside = false
        private var isEscaped = false

        mutating func isInText(_ letter: Unicode.Scalar) -> Bool {
            if isEscaped {
                isEscaped = false
                return true
            }
            if isInside, letter == "\\" { isEscaped = true }
            guard letter == "'" else { return isInside }
            isInside.toggle()
            return true
        }
    }
}

extension SearchStatement {
    /// Reads `/parameterizedSearch`: a plain text and parameters, in the address or as JSON.
    init(_ call: RESTRouter.Call) throws(OrgFault) {
        let root = JSONValue(
            call.method == "POST" ? try RecordInput.members(call.request.body) : try Self.object(of: call))
        for name in root.object?.keys ?? [] where !Self.known.contains(name) {
            throw .malformedSearch("the embedded org does not know the parameter '\(name.prefix(40))'")
        }
        guard let text = root["q"]?.string else { throw .malformedSearch("the parameter q is missing") }
        expression = try SearchExpressionParser.plain(text)
        if let name = root["in"] {
            guard let scope = name.string.flatMap({ Scope(rawValue: $0.uppercased()) }) else {
                throw .malformedSearch("in must be ALL, NAME, EMAIL or PHONE")
            }
            self.scope = scope
        }
        let most = try Self.limit("defaultLimit", in: root)
        for object in root["sobjects"]?.array ?? [] {
            try add(try Self.target(object, fields: root["fields"]?.array, limit: most))
        }
        if let limit = try Self.limit("overallLimit", in: root) { self.limit = limit }
    }

    private static func limit(_ name: String, in object: JSONValue) throws(OrgFault) -> Int? {
        guard let value = object[name] else { return nil }
        guard let number = value.int.flatMap({ Int(outside: $0, in: .count) }), (1...mostRecords).contains(number)
        else { throw .malformedSearch("\(name) must be a number from 1 to \(mostRecords)") }
        return number
    }

    /// The org has no dictionary, so correcting the spelling changes nothing.
    private static let known: Set<String> = [
        "q", "in", "fields", "sobjects", "defaultLimit", "overallLimit", "spellCorrection",
    ]

    private static let knownOfObjects: Set<String> = ["name", "fields", "where", "orderBy", "limit"]

    private static func target(
        _ object: JSONValue, fields: JSONArray?, limit: Int?
    ) throws(OrgFault) -> Target {
        for name in object.object?.keys ?? [] where !knownOfObjects.contains(name) {
            throw .malformedSearch("the embedded org does not know the member '\(name.prefix(40))' of sobjects")
        }
        guard let name = object["name"]?.string,
            name.unicodeScalars.allSatisfy({ SearchText.isWordLetter($0) || $0 == "_" })
        else {
            throw .malformedSearch("every object of sobjects must have a name")
        }
        var target = Target(object: name)
        let fields = (object["fields"]?.array ?? fields)?.compactMap(\.string) ?? []
        if !fields.isEmpty { target.fields = fields.joined(separator: ",") }
        var clauses: [String] = []
        if let condition = object["where"]?.string { clauses.append("WHERE \(condition)") }
        if let order = object["orderBy"]?.string { clauses.append("ORDER BY \(order)") }
        if let limit = try self.limit("limit", in: object) ?? limit { clauses.append("LIMIT \(limit)") }
        target.clauses = clauses.joined(separator: " ")
        return target
    }

    /// The parameters of an address as the object that a body would be: `sobject=Account&Account.fields=Id,Name`.
    private static func object(of call: RESTRouter.Call) throws(OrgFault) -> JSONObject {
        func list(_ text: String) -> JSONValue {
            JSONValue(JSONArray(text.split(byte: ",").map { JSONValue(String($0)) }))
        }
        var root: JSONObject = [:]
        var objects: [JSONObject] = []
        // Each name is compared with those before it, so their number is limited.
        guard call.path.query.count <= 100 else { throw .malformedSearch("a search has at most 100 parameters") }
        for (name, value) in call.path.query {
            let parts = name.split(byte: ".", maxSplits: 1).map(String.init)
            let owner = objects.firstIndex { $0["name"]?.string == parts.first }
            switch (parts.count > 1 ? parts[1] : name, owner) {
            case ("sobject", nil) where parts.count == 1, ("sobject", .some) where parts.count == 1:
                objects.append(["name": JSONValue(value)])
            case ("fields", .some(let owner)) where parts.count > 1: objects[owner]["fields"] = list(value)
            case ("where", .some(let owner)) where parts.count > 1: objects[owner]["where"] = JSONValue(value)
            case ("limit", .some(let owner)) where parts.count > 1:
                objects[owner]["limit"] = Int(outside: value, in: .count).map { JSONValue($0) } ?? .null
            case ("fields", nil) where parts.count == 1: root["fields"] = list(value)
            case ("defaultLimit", nil), ("overallLimit", nil):
                root[name] = Int(outside: value, in: .count).map { JSONValue($0) } ?? JSONValue(value)
            default: root[name] = JSONValue(value)
            }
        }
        if !objects.isEmpty { root["sobjects"] = JSONValue(JSONArray(objects.map { JSONValue($0) })) }
        return root
    }
}
