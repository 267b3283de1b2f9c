// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// The parts of a statement that a person sees in different colors while typing it.
///
/// The statement may be incomplete or invalid. Names are only judged if the descriptions of their objects are known.
package struct QueryHighlight {
    package enum Kind: Sendable, Equatable {
        case keyword, function
        /// A known object, field or relationship.
        case name
        /// A name that its object does not have.
        case unknown
        /// A string, a number or another value.
        case literal
        case comment
    }

    private let schema: CompletionSchema

    package init(_ schema: CompletionSchema) { self.schema = schema }

    /// Returns the ranges in UTF-8 bytes that have a kind, in order, and the objects whose missing descriptions would
    /// provide more kinds.
    ///
    /// The name that ends at the cursor may be incomplete, so it is not unknown.
    package func parts(
        of text: String, cursor: Int
    ) -> (ranges: [(range: Range<Int>, kind: Kind)], missing: Set<String>) {
        let bytes = Array(text.utf8)
        let words = QueryWord.words(of: text)
        let scopes = QueryScope.scopes(of: words)
        let lookup = SchemaLookup(schema: schema, scopes: scopes.scopes)
        let ranges = words.enumerated().compactMap { index, word -> (range: Range<Int>, kind: Kind)? in
            let kind: Kind?
            switch word.kind {
            case .string, .number, .braces: kind = .literal
            case .lineComment, .blockComment: kind = .comment
            case .sign: kind = nil
            case .word:
                let (place, scope, _) = QueryPlace.at(word.range.lowerBound, words: words, scopes: scopes)
                let text = String(decoding: bytes[word.range], as: UTF8.self)
                let isCall = index + 1 < words.count && words[index + 1].kind == .sign(UInt8(ascii: "("))
                let found = self.kind(of: text, word.upper, isCall: isCall, at: place, scope, lookup)
                kind = found == .unknown && word.range.upperBound == cursor ? nil : found
            }
            return kind.map { (word.range, $0) }
        }
        return (ranges, lookup.missing)
    }

    private func kind(
        of text: String, _ upper: String, isCall: Bool, at place: QueryPlace, _ scope: Int?, _ lookup: SchemaLookup
    ) -> Kind? {
        let path = text.path
        func judged(_ candidates: [Completion.Candidate]) -> Kind? {
            guard !candidates.isEmpty else { return nil }
            let folded = path.name.lowercased()
            return candidates.contains { $0.text.lowercased() == folded } ? .name : .unknown
        }
        switch place {
        case .object:
            let names = schema.objects.names(beginningWith: text)
            if names.contains(where: { $0.lowercased() == text.lowercased() }) { return .name }
            return Self.keywords.contains(upper) ? .keyword : schema.objects.isEmpty ? nil : .unknown
        case .field(let use):
            if isCall { return Self.keywords.contains(upper) ? .keyword : .function }
            if path.parents.isEmpty, Self.keywords.contains(upper) { return .keyword }
            return judged(lookup.members(after: path.parents, scope, for: use))
        case .fieldOf(let object): return judged(lookup.members(of: object, for: .selecting))
        case .children(let parent): return judged(lookup.children(of: parent))
        case .value: return .literal
        default: return Self.keywords.contains(upper) ? .keyword : nil
        }
    }

    private static let keywords: Set<String> = {
        let clauses = QueryClause.allCases.flatMap(\.opening).flatMap { $0.split(byte: " ").map(String.init) }
        return Set(clauses).union([
            "AND", "OR", "NOT", "IN", "LIKE", "INCLUDES", "EXCLUDES", "ASC", "DESC", "NULLS", "FIRST", "LAST", "TYPEOF",
            "WHEN", "THEN", "ELSE", "END", "FIND", "RETURNING", "AS", "DATA", "CATEGORY", "SECURITY_ENFORCED",
            "USER_MODE", "SYSTEM_MODE", "CUBE", "ROLLUP", "ALL", "ROWS",
        ])
    }()
}
