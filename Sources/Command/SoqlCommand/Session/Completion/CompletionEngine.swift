// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck

/// Computes completions from the text and the information about the org, without side effects.
struct CompletionEngine {
    var schema = CompletionSchema()
    /// The names of the session's variables.
    var variables: [String] = []
    /// The names of the logins.
    var accounts: [String] = []
    /// Returns the paths with a prefix, where directories end with a slash.
    var files: @Sendable (String) -> [String] = { _ in [] }

    func completion(before: String, after: String = "") -> Completion {
        if let line = before.commandLine { return commandCompletion(line, after: after) }
        return QueryCompletion(schema, variables: variables).completion(before: before, after: after)
    }
}

extension CompletionEngine {
    /// The completions at the end of a command, given without its backslash.
    func commandCompletion(_ line: Substring, after: String) -> Completion {
        let end = line.unicodeScalars.firstIndex(where: \.properties.isWhitespace) ?? line.endIndex
        let (name, rest) = (String(line[..<end]), line[end...])
        guard !rest.isEmpty else {
            let names = SessionCommand.all.map { Completion.Candidate(text: $0.name, note: $0.operands) }
            return Completion(typed: name.count, candidates: QueryCompletion.fitting(names, name))
        }
        guard let command = SessionCommand.all.first(where: { $0.name == name }) else { return Completion() }
        let scalars = rest.unicodeScalars
        let last = scalars.lastIndex(where: \.properties.isWhitespace)
        let word = String(rest[(last.map(scalars.index(after:)) ?? rest.startIndex)...])
        switch command.argument {
        case .nothing: return Completion()
        case .query:
            return completion(before: String(rest.unicodeScalars.drop(while: \.properties.isWhitespace)), after: after)
        case .object: return objects(word)
        case .objectOrField: return fields(word) ?? objects(word)
        case .file: return Self.completion(files(word), word)
        case .account: return Self.completion(accounts, word)
        case .variable: return Self.completion(variables, word)
        case .channel:
            var found = Self.completion(schema.channels + ["off"], word)
            found.wantsChannels = true
            return found
        case .choice(let words): return Self.completion(words, word)
        }
    }

    private func objects(_ word: String) -> Completion {
        Self.completion(schema.objects.names(beginningWith: word), word)
    }

    /// The fields of the object before the dot, or `nil` if there is no dot.
    private func fields(_ word: String) -> Completion? {
        let (parents, name) = word.path
        guard let object = parents.first else { return nil }
        let lookup = SchemaLookup(schema: schema, scopes: [])
        let members = lookup.members(of: object, for: .selecting)
        return Completion(typed: name.count, candidates: QueryCompletion.fitting(members, name), wanted: lookup.missing)
    }

    private static func completion(_ texts: [String], _ word: String) -> Completion {
        let candidates = texts.map { Completion.Candidate(text: $0, suffix: $0.hasBytes(suffix: "/") ? "" : " ") }
        return Completion(typed: word.count, candidates: QueryCompletion.fitting(candidates, word))
    }
}

/// A list of completions below the line, in columns like `ls`.
struct CandidateList {
    private let cells: [String]

    init(_ candidates: [Completion.Candidate]) {
        cells = candidates.map { ($0.note.isEmpty ? $0.text : "\($0.text) (\($0.note))").singleLine }
    }

    /// The list for a terminal of this size, with a count of the candidates that do not fit.
    func text(_ columns: Int, _ rows: Int) -> String {
        let (columns, rows) = (max(columns, 1), max(rows - 3, 1))
        let width = (cells.map(\.columnWidth).max() ?? 0) + 2
        let across = max(1, columns / width)
        let shown = cells.prefix(across * rows)
        let down = (shown.count + across - 1) / across
        var lines = (0..<down).map { row in
            stride(from: row, to: shown.count, by: down).map { index in
                let cell = shown[index].cut(toColumns: max(columns - 1, 1))
                let isLast = index + down >= shown.count
                return isLast ? cell : cell + String(repeating: " ", count: max(0, width - cell.columnWidth))
            }.joined()
        }
        if shown.count < cells.count { lines.append("… and \(cells.count - shown.count) more".cut(toColumns: columns)) }
        return lines.map { $0 + "\n" }.joined()
    }
}
