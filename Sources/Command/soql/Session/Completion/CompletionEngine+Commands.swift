// SPDX-License-Identifier: Apache-2.0

import RestText

extension CompletionEngine {
    /// What can stand at the end of a command, which is given without its backslash.
    func commandCompletion(_ line: Substring, after: String) -> Completion {
        let end = line.unicodeScalars.firstIndex(where: \.properties.isWhitespace) ?? line.endIndex
        let (name, rest) = (String(line[..<end]), line[end...])
        guard !rest.isEmpty else {
            let names = SessionCommand.all.map { Completion.Candidate(text: $0.name, note: $0.operands) }
            return Completion(typed: name.count, candidates: Self.fitting(names, name))
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
        case .choice(let words): return Self.completion(words, word)
        }
    }

    private func objects(_ word: String) -> Completion {
        Completion(
            typed: word.count,
            candidates: schema.objects.names(beginningWith: word).map { Completion.Candidate(text: $0) })
    }

    /// The fields of the object before the dot; `nil` without one.
    private func fields(_ word: String) -> Completion? {
        let (parents, name) = word.path
        guard let object = parents.first else { return nil }
        var lookup = SchemaLookup(schema: schema, scopes: [])
        let members = lookup.members(of: [object], for: .selecting)
        return Completion(typed: name.count, candidates: Self.fitting(members, name), wanted: lookup.missing)
    }

    private static func completion(_ texts: [String], _ word: String) -> Completion {
        let candidates = texts.map { Completion.Candidate(text: $0, suffix: $0.hasBytes(suffix: "/") ? "" : " ") }
        return Completion(typed: word.count, candidates: fitting(candidates, word))
    }
}
