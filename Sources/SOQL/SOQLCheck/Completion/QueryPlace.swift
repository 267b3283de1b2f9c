// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SOQLSyntax

/// The syntactic context at a position of a statement, which determines the completions.
package enum QueryPlace: Equatable {
    /// The use of a field, because not every field supports every use.
    package enum Use: Equatable {
        case selecting, filtering, having, grouping, ordering
        /// An argument of the function with this name.
        case argument(String)
    }

    /// No completions.
    case nothing
    case statement
    case keywords([String])
    case field(Use)
    case object
    /// A child relationship of the query with this index.
    case children(of: Int)
    /// A value to compare with the field, outside of quotes.
    case value(of: String)
    /// A value to compare with the field, inside quotes.
    case text(of: String)
    case variable
    /// A relationship that refers to several objects.
    case parents
    /// One of the objects to which such a relationship refers.
    case parent(by: String)
    case fieldOf(String)

    /// The context at a byte offset, the index of the query that contains it, and the range of the word before the
    /// cursor.
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

/// One query of a statement, with the names from its FROM clause.
package struct QueryScope: Equatable {
    /// The name after FROM: an object, or a child relationship if the query is in a select list.
    var source: String?
    /// The alias after that name.
    var alias: String?
    /// The index of the enclosing query, if this query is in its select list.
    let parent: Int?
    /// The index of the enclosing query, if any.
    let enclosing: Int?

    /// The queries of a statement in the order of their SELECT, and the index of the query that begins at each word.
    static func scopes(of words: [QueryWord]) -> (scopes: [QueryScope], starts: [Int: Int]) {
        var scopes: [QueryScope] = []
        var starts: [Int: Int] = [:]
        // The index of the query in each open parenthesis (or `nil`), and the queries whose select list has not ended.
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

/// The clauses of a query in order.
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

    init?(beginningWith word: String) {
        guard let clause = Self.first[word] else { return nil }
        self = clause
    }

    static func isKeyword(_ word: String) -> Bool { first[word] != nil }

    private static let first: [String: QueryClause] = Dictionary(
        allCases.map { (String($0.opening[0].prefix(before: " ")), $0) }
    ) { first, _ in first }

    /// The first words of the clauses that are allowed after this clause.
    func following(isChild: Bool) -> [String] {
        Self.allCases.filter { $0.rawValue > rawValue && !(isChild && Self.topOnly.contains($0)) && !onlyAfter($0) }
            .flatMap(\.opening)
    }

    private static let topOnly: Set<QueryClause> = [.scope, .group, .having, .usage, .statistics]

    private func onlyAfter(_ other: QueryClause) -> Bool { other == .having && self != .group }
}

/// One word of a statement that may be incomplete or invalid.
package struct QueryWord {
    package let span: SOQLScanner.Span
    /// The text in upper case.
    let upper: String

    package var kind: SOQLScanner.Span.Kind { span.kind }
    package var range: Range<Int> { span.range }

    package static func words(of text: String) -> [QueryWord] {
        var (scanner, words) = (SOQLScanner(text, hasComments: true, hasBraces: true), [QueryWord]())
        while let span = scanner.scan() {
            let text = span.kind == .word ? String(decoding: scanner[span.range], as: UTF8.self).uppercased() : ""
            words.append(QueryWord(span: span, upper: text))
        }
        return words
    }
}
