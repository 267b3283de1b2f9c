// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// What can stand at a place of a statement.
enum QueryPlace: Equatable {
    /// What a field is wanted for; not every field can be used for everything.
    enum Use: Equatable {
        case selecting, filtering, having, grouping, ordering
        /// An argument of the function of this name.
        case argument(String)
    }

    /// Nothing that could be named.
    case nothing
    /// The beginning of a statement.
    case statement
    /// One of these words.
    case keywords([String])
    case field(Use)
    case object
    /// A relationship to the children of the query of this number.
    case children(of: Int)
    /// A value that the field is compared with, outside of quotes.
    case value(of: String)
    /// The same inside of quotes.
    case text(of: String)
    /// The name of a variable.
    case variable
    /// A relationship that leads to parents of several objects.
    case parents
    /// One of the objects that such a relationship leads to.
    case parent(by: String)
    /// A field of this object.
    case fieldOf(String)

    /// The place at a byte of a text.
    ///
    /// - Returns: the place; the number of the query that it is in; and the bytes before the cursor that are a part of
    ///   what is looked for.
    static func at(
        _ cursor: Int, words: [QueryWord], scopes: (scopes: [QueryScope], starts: [Int: Int])
    ) -> (place: QueryPlace, scope: Int?, typed: Range<Int>) {
        var walk = QueryWalk(starts: scopes.starts, scopes: scopes.scopes)
        for (index, word) in words.enumerated() {
            if word.range.lowerBound >= cursor { break }
            let isInside = cursor < word.range.upperBound
            switch word.kind {
            case .blockComment where isInside || !word.span.isClosed,
                .lineComment where cursor <= word.range.upperBound:
                return (.nothing, walk.scope, cursor..<cursor)
            case .string where isInside || !word.span.isClosed:
                return (walk.placeInQuotes, walk.scope, (word.range.lowerBound + 1)..<cursor)
            case .word where isInside || cursor == word.range.upperBound:
                return (walk.place, walk.scope, word.range.lowerBound..<cursor)
            case .number where isInside || cursor == word.range.upperBound:
                return (.nothing, walk.scope, cursor..<cursor)
            default: walk.take(word, index, next: words[(index + 1)...].first)
            }
        }
        return (walk.place, walk.scope, cursor..<cursor)
    }
}

/// One query of a statement, from its SELECT on: what it reads, wherever its FROM stands.
struct QueryScope: Equatable {
    /// The name behind FROM: an object, or in the select list of another query a relationship to children.
    var source: String?
    /// The other name that FROM gives it.
    var alias: String?
    /// The query around it, by its number, when this one stands in its select list.
    let parent: Int?
    /// The query around it, wherever this one stands.
    let enclosing: Int?

    /// The queries of a statement in the order of their SELECT, and the number of the one that begins at each word.
    static func scopes(of words: [QueryWord]) -> (scopes: [QueryScope], starts: [Int: Int]) {
        var scopes: [QueryScope] = []
        var starts: [Int: Int] = [:]
        // The number of the query that each open parenthesis holds, or `nil`; and what is still in its select list.
        var (open, selecting): ([Int?], Set<Int>) = ([nil], [])
        for (index, word) in words.enumerated() {
            switch word.kind {
            case .sign(UInt8(ascii: "(")): open.append(nil)
            case .sign(UInt8(ascii: ")")): if open.count > 1 { open.removeLast() }
            case .word where word.upper == "SELECT":
                let enclosing = open.dropLast().last { $0 != nil } ?? nil
                let parent = enclosing.flatMap { selecting.contains($0) ? $0 : nil }
                (starts[index], open[open.count - 1]) = (scopes.count, scopes.count)
                selecting.insert(scopes.count)
                scopes.append(QueryScope(parent: parent, enclosing: enclosing))
            case .word where word.upper == "FROM":
                guard let number = open.last ?? nil else { break }
                selecting.remove(number)
                let names = words[(index + 1)...].prefix(3).prefix { $0.kind == .word }.map(\.upper)
                guard let source = names.first, !QueryClause.isKeyword(source) else { break }
                let alias = names.dropFirst().drop { $0 == "AS" }.first
                scopes[number].source = source
                scopes[number].alias = alias.flatMap { QueryClause.isKeyword($0) ? nil : $0 }
            default: break
            }
        }
        return (scopes, starts)
    }
}

/// The parts of a query in their order.
enum QueryClause: Int, CaseIterable {
    case select, from, scope, `where`, with, group, having, order, limit, offset, usage, statistics

    /// The words that begin the clause.
    var opening: [String] {
        switch self {
        case .select: ["SELECT"]
        case .from: ["FROM"]
        case .scope: ["USING SCOPE"]
        case .where: ["WHERE"]
        case .with: ["WITH"]
        case .group: ["GROUP BY"]
        case .having: ["HAVING"]
        case .order: ["ORDER BY"]
        case .limit: ["LIMIT"]
        case .offset: ["OFFSET"]
        case .usage: ["FOR VIEW", "FOR REFERENCE"]
        case .statistics: ["UPDATE TRACKING", "UPDATE VIEWSTAT"]
        }
    }

    /// The clause that a word begins.
    init?(beginningWith word: String) {
        guard let clause = Self.first[word] else { return nil }
        self = clause
    }

    static func isKeyword(_ word: String) -> Bool { first[word] != nil }

    private static let first: [String: QueryClause] = Dictionary(
        allCases.map { (String($0.opening[0].prefix(before: " ")), $0) }
    ) { first, _ in first }

    /// The words that begin the clauses which can stand behind this one.
    func following(isChild: Bool) -> [String] {
        Self.allCases.filter { $0.rawValue > rawValue && !(isChild && Self.topOnly.contains($0)) && !onlyAfter($0) }
            .flatMap(\.opening)
    }

    private static let topOnly: Set<QueryClause> = [.scope, .group, .having, .usage, .statistics]

    /// HAVING stands behind GROUP BY only.
    private func onlyAfter(_ other: QueryClause) -> Bool { other == .having && self != .group }
}

/// One word of a statement that may be unfinished, or wrong.
struct QueryWord {
    let span: SOQLScanner.Span
    /// The written text, in upper case.
    let upper: String

    var kind: SOQLScanner.Span.Kind { span.kind }
    var range: Range<Int> { span.range }

    /// The words of a text.
    static func words(of text: String) -> [QueryWord] {
        var (scanner, words) = (SOQLScanner(text, hasComments: true, hasBraces: true), [QueryWord]())
        while let span = scanner.scan() {
            let text = span.kind == .word ? String(decoding: scanner[span.range], as: UTF8.self).uppercased() : ""
            words.append(QueryWord(span: span, upper: text))
        }
        return words
    }
}
