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

/// One word of a search, in lower case; `*` stands for any letters and `?` for one.
struct SearchWord: Equatable {
    enum Element: Equatable {
        // prose: words that people search for
        case letter(Character)
        case anyOne
        case anyRun
    }

    let elements: [Element]

    /// Whether the pattern is the whole of the word, which is in lower case.
    func matches(_ word: Substring) -> Bool {
        let letters = Array(word)
        // Where to go on when what follows the last run does not fit: the run takes one letter more.
        var (element, letter) = (0, 0)
        var resume: (element: Int, letter: Int)?
        while letter < letters.count {
            if element < elements.count, elements[element] == .anyRun {
                resume = (element + 1, letter)
                element += 1
            } else if element < elements.count, fits(elements[element], letters[letter]) {
                element += 1
                letter += 1
            } else if let last = resume {
                resume = (last.element, last.letter + 1)
                (element, letter) = (last.element, last.letter + 1)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anyRun }
    }

    // prose: words that people search for
    private func fits(_ element: Element, _ letter: Character) -> Bool {
        switch element {
        case .letter(let wanted): wanted == letter
        case .anyOne, .anyRun: true
        }
    }

    /// The letters at the beginning that are what they are; SQLite compares ASCII letters without case, and no others.
    var asciiPrefix: String? {
        var prefix = ""
        for case .letter(let letter) in elements.prefix(while: { $0 != .anyRun && $0 != .anyOne }) {
            guard letter.isASCII else { break }
            prefix.append(letter)
        }
        return prefix.isEmpty ? nil : prefix
    }
}

/// The words of a text: runs of letters and digits, in lower case.
enum SearchText {
    static func words(_ text: String) -> [Substring] {
        text.lowercased().split { !isWordLetter($0) }
    }

    // prose: words that people search for
    static func isWordLetter(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber }

    /// The same of a scalar; marks belong to the letter before them.
    static func isWordLetter(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Whether the scalar only changes the one before it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
}
