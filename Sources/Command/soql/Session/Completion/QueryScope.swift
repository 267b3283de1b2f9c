// SPDX-License-Identifier: Apache-2.0

import RestBase

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
        var finder = Finder()
        for index in words.indices { finder.take(words, index) }
        return (finder.scopes, finder.starts)
    }

    private struct Finder {
        var scopes: [QueryScope] = []
        var starts: [Int: Int] = [:]
        /// What is open: the number of a query, or `nil` for other parentheses.
        private var open: [Int?] = [nil]
        /// Which queries are still in their select list.
        private var selecting: Set<Int> = []

        mutating func take(_ words: [QueryWord], _ index: Int) {
            switch words[index].kind {
            case .symbol(UInt8(ascii: "(")): open.append(nil)
            case .symbol(UInt8(ascii: ")")): if open.count > 1 { open.removeLast() }
            case .name:
                if words[index].upper == "SELECT" { begin(at: index) }
                if words[index].upper == "FROM", let number = open.last ?? nil { take(from: words, index, number) }
            default: break
            }
        }

        private mutating func begin(at index: Int) {
            let enclosing = open.dropLast().last { $0 != nil } ?? nil
            scopes.append(
                QueryScope(parent: enclosing.flatMap { selecting.contains($0) ? $0 : nil }, enclosing: enclosing))
            selecting.insert(scopes.count - 1)
            starts[index] = scopes.count - 1
            open[open.count - 1] = scopes.count - 1
        }

        private mutating func take(from words: [QueryWord], _ index: Int, _ number: Int) {
            selecting.remove(number)
            let names = words[(index + 1)...].prefix(3).prefix { $0.kind == .name }.map(\.upper)
            guard let source = names.first, !QueryClause.isKeyword(source) else { return }
            scopes[number].source = source
            let rest = names.dropFirst().drop { $0 == "AS" }
            scopes[number].alias = rest.first.flatMap { QueryClause.isKeyword($0) ? nil : $0 }
        }
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
