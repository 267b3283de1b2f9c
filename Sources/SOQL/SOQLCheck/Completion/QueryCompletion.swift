// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// Computes the completions of a query from its text and the descriptions of objects, without side effects.
package struct QueryCompletion {
    private let schema: CompletionSchema
    /// The names of the variables that can be bound.
    private let variables: [String]

    package init(_ schema: CompletionSchema, variables: [String] = []) {
        (self.schema, self.variables) = (schema, variables)
    }

    /// Returns the completions at the cursor, between the two texts.
    package func completion(before: String, after: String = "") -> Completion {
        let bytes = Array((before + after).utf8)
        let words = QueryWord.words(of: before + after).statement(at: before.utf8.count)
        let scopes = QueryScope.scopes(of: words)
        let (place, scope, range) = QueryPlace.at(before.utf8.count, words: words, scopes: scopes)
        let typed = String(decoding: bytes[range], as: UTF8.self)
        let lookup = SchemaLookup(schema: schema, scopes: scopes.scopes)
        let candidates = candidates(for: place, scope, typed, lookup)
        // Only the last name of a path is completed.
        let word = if case .field = place { typed.path.name } else { typed }
        return Completion(typed: word.count, candidates: candidates, wanted: lookup.missing)
    }
}

// MARK: - Statements

extension QueryCompletion {
    private func candidates(
        for place: QueryPlace, _ scope: Int?, _ typed: String, _ lookup: SchemaLookup
    ) -> [Completion.Candidate] {
        switch place {
        case .nothing: []
        case .statement: Self.words(["SELECT", "FIND"], typed)
        case .keywords(let words): Self.words(words, typed)
        case .object: schema.objects.names(beginningWith: typed).map { Completion.Candidate(text: $0) }
        case .children(let parent): Self.fitting(lookup.children(of: parent), typed)
        case .field(let use): fields(use, scope, typed, lookup)
        case .value(let field): values(of: field, scope, typed, lookup)
        case .text(let field):
            Self.fitting(lookup.value(field, scope)?.field?.choices ?? [], typed).map {
                Completion.Candidate(text: SOQLEscaping.escaped($0.text), suffix: "' ", note: $0.note)
            }
        case .variable: Self.fitting(variables.map { Completion.Candidate(text: $0) }, typed)
        case .parents: Self.fitting(lookup.parents(scope), typed)
        case .parent(let relationship):
            Self.fitting(lookup.targets(of: relationship, scope).map { Completion.Candidate(text: $0) }, typed)
        case .fieldOf(let object): Self.fitting(lookup.members(of: object, for: .selecting), typed)
        }
    }

    private func fields(
        _ use: QueryPlace.Use, _ scope: Int?, _ typed: String, _ lookup: SchemaLookup
    ) -> [Completion.Candidate] {
        let path = typed.path
        var candidates = Self.fitting(lookup.members(after: path.parents, scope, for: use), path.name)
        if path.parents.isEmpty { candidates += Self.words(Self.keywords(use), typed) }
        return candidates
    }

    private func values(
        of field: String, _ scope: Int?, _ typed: String, _ lookup: SchemaLookup
    ) -> [Completion.Candidate] {
        let value = lookup.value(field, scope)
        let choices = (value?.field?.choices ?? []).map {
            Completion.Candidate(text: "'\(SOQLEscaping.escaped($0.text))'", note: $0.note)
        }
        // If the field is unknown, all kinds of values are offered.
        let kind = value?.kind
        var words = ["NULL"]
        if kind == nil || kind == .boolean { words += ["TRUE", "FALSE"] }
        if kind == nil || kind == .date || kind == .dateTime { words += SOQLDateFormula.names }
        return Self.fitting(choices, typed)
            + Self.words(words, typed).map {
                let takesNumber = SOQLDateFormula.needsNumber(name: $0.text) == true
                return Completion.Candidate(text: $0.text, suffix: takesNumber ? ":" : " ")
            }
    }

    /// The functions and other keywords that can begin an operand.
    private static func keywords(_ use: QueryPlace.Use) -> [String] {
        let (uses, others): ([ExpressionUse], [String]) =
            switch use {
            case .selecting: ([.selection, .groupedSelection], ["(SELECT", "FIELDS(", "TYPEOF"])
            case .filtering: ([.condition], ["NOT"])
            case .having: ([.having], ["NOT"])
            case .grouping: ([.grouping], ["CUBE(", "ROLLUP("])
            case .ordering: ([.ordering, .groupedOrdering], [])
            case .argument("FIELDS"): ([], SOQLFieldGroup.allCases.map(\.rawValue))
            case .argument(let function): ([], ExpressionUse.functions(inside: function).map { $0 + "(" })
            }
        return Set(uses.flatMap(\.functions).map { $0 + "(" } + others).sorted { $0.lowercased() < $1.lowercased() }
    }

    /// The candidates that begin with the typed text.
    package static func fitting(_ candidates: [Completion.Candidate], _ typed: String) -> [Completion.Candidate] {
        let folded = typed.lowercased()
        return candidates.filter { folded.isEmpty || $0.text.lowercased().hasBytes(prefix: folded) }
    }

    /// Keywords, in lower case if the typed text is in lower case.
    private static func words(_ words: [String], _ typed: String) -> [Completion.Candidate] {
        let isLower = typed.contains(where: \.isLowercase) && !typed.contains(where: \.isUppercase)
        let candidates = words.map {
            Completion.Candidate(text: isLower ? $0.lowercased() : $0, suffix: $0.hasBytes(suffix: "(") ? "" : " ")
        }
        return fitting(candidates, typed)
    }
}

extension [QueryWord] {
    /// The words of the statement at a byte offset, where semicolons separate statements.
    fileprivate func statement(at cursor: Int) -> [QueryWord] {
        let ends = indices.filter { self[$0].kind == .sign(UInt8(ascii: ";")) }
        let start = ends.last { self[$0].range.upperBound <= cursor }.map { $0 + 1 } ?? 0
        let end = ends.first { self[$0].range.lowerBound >= cursor } ?? count
        return Array(self[start..<Swift.max(start, end)])
    }
}

extension String {
    /// The names before the last dot, and the text after it.
    package var path: (parents: [String], name: String) {
        let names = split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return (names.dropLast().map(\.self), names.last ?? "")
    }
}
