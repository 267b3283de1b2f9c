// SPDX-License-Identifier: Apache-2.0

/// What a search asks of a record.
///
/// The lists are flat: only parentheses nest, and the parser limits those, so the depth does not grow with the text.
indirect enum SearchExpression: Equatable {
    /// These words, one behind the other in one field.
    case phrase([SearchWord])
    /// Each of the first and none of the second.
    case all([SearchExpression], without: [SearchExpression])
    /// One of them at least.
    case any([SearchExpression])

    /// Whether a record fulfils it whose fields have these words.
    func matches(_ fields: [[Substring]]) -> Bool {
        switch self {
        case .phrase(let words): fields.contains { Self.holds($0, words) }
        case .all(let parts, let excluded):
            parts.allSatisfy { $0.matches(fields) } && !excluded.contains { $0.matches(fields) }
        case .any(let parts): parts.contains { $0.matches(fields) }
        }
    }

    private static func holds(_ field: [Substring], _ words: [SearchWord]) -> Bool {
        guard field.count >= words.count else { return false }
        return (0...(field.count - words.count)).contains { start in
            words.indices.allSatisfy { words[$0].matches(field[start + $0]) }
        }
    }

    /// A few texts each of which every record has that fulfils it, so that the database can leave out most others.
    var requiredTexts: [String] {
        var texts: [String] = []
        addRequiredTexts(to: &texts)
        return texts
    }

    private func addRequiredTexts(to texts: inout [String]) {
        switch self {
        case .phrase(let words):
            for case let prefix? in words.lazy.map(\.asciiPrefix) where texts.count < 4 { texts.append(prefix) }
        case .all(let parts, _):
            for part in parts where texts.count < 4 { part.addRequiredTexts(to: &texts) }
        case .any: break
        }
    }

    /// The letters that are looked for, wildcards left out.
    var letterCount: Int {
        switch self {
        case .phrase(let words):
            words.reduce(0) { $0 + $1.elements.count { if case .letter = $0 { true } else { false } } }
        case .all(let parts, _), .any(let parts): parts.reduce(0) { $0 + $1.letterCount }
        }
    }
}
