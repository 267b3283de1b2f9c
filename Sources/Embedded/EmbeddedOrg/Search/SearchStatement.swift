// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLStore

/// A parsed search: expression, scope, objects and limit.
struct SearchStatement {
    enum Scope: String {
        case all = "ALL"
        case name = "NAME"
        case email = "EMAIL"
        case phone = "PHONE"
    }

    /// An object in RETURNING.
    struct Target {
        let object: String
        /// The select list of its query.
        var fields = "Id"
        /// The clauses of its query: WHERE, ORDER BY, LIMIT and OFFSET.
        var clauses = ""
    }

    let expression: SearchExpression
    private(set) var scope = Scope.all
    /// The searched objects, or empty for all objects.
    private(set) var targets: [Target] = []
    /// The maximum number of records of all objects together.
    private(set) var limit = mostRecords

    /// Salesforce's limit of records.
    static let mostRecords = 2_000
    /// The maximum number of objects, because each one is a separate search.
    private static let mostTargets = 20

    private mutating func add(_ target: Target) throws(OrgError) {
        guard targets.count < Self.mostTargets else {
            throw .malformedSearch("a search returns at most \(Self.mostTargets) objects")
        }
        targets.append(target)
    }
}

extension SearchStatement {
    /// Parses SOSL: only `FIND {…} [IN … FIELDS] [RETURNING …] [LIMIT n]`.
    init(parsing text: String) throws(OrgError) {
        var scanner = SearchScanner(text)
        guard scanner.take("FIND"), let term = scanner.inside("{", "}") else {
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
            repeat {
                guard let object = scanner.word().map(String.init) else {
                    throw .malformedSearch("RETURNING must be followed by the names of objects")
                }
                var target = Target(object: object)
                if let inside = scanner.inside("(", ")") {
                    (target.fields, target.clauses) = SearchScanner.split(inside)
                    guard !target.fields.isEmpty else { throw .malformedSearch("the fields of \(object) are missing") }
                }
                try add(target)
            } while scanner.takeComma()
        }
        if scanner.take("LIMIT") {
            guard let limit = scanner.word().flatMap({ Int(outside: $0, in: .count) }),
                (1...Self.mostRecords).contains(limit)
            else {
                throw .malformedSearch("LIMIT must be followed by a number from 1 to \(Self.mostRecords)")
            }
            self.limit = limit
        }
        guard scanner.scalars.isEmpty else {
            throw .malformedSearch(
                "unexpected, or not supported by the embedded org: '\(Substring(scanner.scalars.prefix(40)))'")
        }
    }
}

/// Scans a search from its beginning.
///
/// It reads scalars and not characters, because a joined mark would hide a brace or a quote in a character.
private struct SearchScanner {
    private(set) var scalars: Substring.UnicodeScalarView

    init(_ text: String) {
        scalars = text[...].unicodeScalars.drop(while: \.properties.isWhitespace)
    }

    mutating func word() -> Substring? {
        let word = scalars.prefix { SearchText.isWordLetter($0) || $0 == "_" }
        guard !word.isEmpty else { return nil }
        skip(to: word.endIndex)
        return Substring(word)
    }

    /// Consumes the keyword if it is next.
    mutating func take(_ keyword: String) -> Bool {
        var ahead = self
        guard let word = ahead.word(), word.uppercased() == keyword else { return false }
        self = ahead
        return true
    }

    mutating func takeComma() -> Bool {
        guard scalars.first == "," else { return false }
        skip(to: scalars.index(after: scalars.startIndex))
        return true
    }

    /// Returns the text between two brackets if it is next, ignoring escaped and quoted brackets.
    mutating func inside(_ open: Unicode.Scalar, _ close: Unicode.Scalar) -> Substring? {
        guard scalars.first == open else { return nil }
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for index in scalars.indices {
            let scalar = scalars[index]
            guard !isEscaped, scalar != "\\" else {
                isEscaped.toggle()
                continue
            }
            // A quote in the search term is a letter.
            if scalar == "'", open == "(" { isQuoted.toggle() }
            if !isQuoted, scalar == open { depth += 1 }
            if !isQuoted, scalar == close { depth -= 1 }
            guard depth == 0 else { continue }
            let inside = scalars[scalars.index(after: scalars.startIndex)..<index]
            skip(to: scalars.index(after: index))
            return Substring(inside)
        }
        return nil
    }

    private mutating func skip(to index: Substring.Index) {
        scalars = scalars[index...].drop(while: \.properties.isWhitespace)
    }

    /// Splits the fields of an object from the following clauses.
    ///
    /// Fields are names separated by commas, so the first keyword ends them.
    static func split(_ text: Substring) -> (fields: String, clauses: String) {
        let keywords: Set<String> = ["WHERE", "ORDER", "LIMIT", "OFFSET"]
        for word in text.unicodeScalars.split(whereSeparator: {
            !SearchText.isWordLetter($0) && !"_.".unicodeScalars.contains($0)
        })
        where keywords.contains(Substring(word).uppercased()) {
            return (text[..<word.startIndex].trimmingBlanks, String(text[word.startIndex...]))
        }
        return (text.trimmingBlanks, "")
    }
}

extension SearchStatement {
    /// Reads the body of `/parameterizedSearch`: plain text and parameters.
    init(parameters root: JSONValue) throws(OrgError) {
        // The org has no dictionary, so spell correction has no effect.
        try Self.check(
            root, ["q", "in", "fields", "sobjects", "defaultLimit", "overallLimit", "spellCorrection"], "parameter")
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
            try Self.check(object, ["name", "fields", "where", "orderBy", "limit"], "member")
            guard let name = object["name"]?.string,
                name.unicodeScalars.allSatisfy({ SearchText.isWordLetter($0) || $0 == "_" })
            else { throw .malformedSearch("every object of sobjects must have a name") }
            var target = Target(object: name)
            let fields = ((object["fields"] ?? root["fields"])?.array ?? []).compactMap(\.string)
            if !fields.isEmpty { target.fields = fields.joined(separator: ",") }
            var clauses: [String] = []
            if let condition = object["where"]?.string { clauses.append("WHERE \(condition)") }
            if let order = object["orderBy"]?.string { clauses.append("ORDER BY \(order)") }
            if let limit = try Self.limit("limit", in: object) ?? most { clauses.append("LIMIT \(limit)") }
            target.clauses = clauses.joined(separator: " ")
            try add(target)
        }
        if let limit = try Self.limit("overallLimit", in: root) { self.limit = limit }
    }

    private static func check(_ object: JSONValue, _ known: Set<String>, _ kind: String) throws(OrgError) {
        for name in object.object?.keys ?? [] where !known.contains(name) {
            throw .malformedSearch("the embedded org does not support the \(kind) '\(name.prefix(40))'")
        }
    }

    private static func limit(_ name: String, in object: JSONValue) throws(OrgError) -> Int? {
        guard let value = object[name] else { return nil }
        guard let number = value.int.flatMap({ Int(outside: $0, in: .count) }), (1...mostRecords).contains(number)
        else { throw .malformedSearch("\(name) must be a number from 1 to \(mostRecords)") }
        return number
    }
}
