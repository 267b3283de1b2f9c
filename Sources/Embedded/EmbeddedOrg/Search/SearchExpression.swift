// SPDX-License-Identifier: Apache-2.0

import RestBase

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

/// Reads what stands between the braces of FIND: words, phrases, `AND`, `OR`, `AND NOT`, parentheses.
///
/// `AND` binds closer than `OR`; words side by side must all be found. What comes out is as deep as the parentheses
/// are, and there are limits for those, for the letters and for the words.
struct SearchExpressionParser {
    private enum Token: Equatable {
        case open, close, and, or, not
        case phrase([SearchWord])

        var wordCount: Int { if case .phrase(let words) = self { words.count } else { 0 } }
    }

    private var tokens: ArraySlice<Token>
    private var depth = 0
    private static let deepest = 50
    /// Beyond this length the platform itself heeds no operators any more.
    private static let mostLetters = 4_000
    /// Of a plain text, whose words may come again and again.
    private static let mostPlainLetters = 100_000
    private static let mostWords = 300

    /// Reads an expression; escapes are those of the text between the braces.
    static func parse(_ text: Substring) throws(OrgFault) -> SearchExpression {
        try checkLength(of: text)
        var parser = SearchExpressionParser(tokens: try tokens(of: text)[...])
        let expression = try parser.alternatives()
        guard parser.tokens.isEmpty else { throw .malformedSearch("unexpected ')' or operator in the search term") }
        // The platform searches for nothing that has less than two letters.
        guard expression.letterCount >= 2 else { throw .tooShort(String(text)) }
        return expression
    }

    /// The words of a plain text, all of which must be found; one that comes again asks for nothing more.
    static func plain(_ text: String) throws(OrgFault) -> SearchExpression {
        try checkLength(of: text, most: mostPlainLetters)
        var seen: Set<Substring> = []
        let parts = text.words.filter { seen.insert($0).inserted }
        try checkLength(of: parts.joined())
        let phrases = parts.map { part in words(of: part.unicodeScalars.map { ($0, isEscaped: false) }) }.filter {
            !$0.isEmpty
        }
        try checkCount(of: phrases.joined().count)
        let expression = all(phrases.map { .phrase($0) })
        guard expression.letterCount >= 2 else { throw .tooShort(text) }
        return expression
    }

    private static func checkLength(
        of text: some StringProtocol, most: Int = mostLetters
    ) throws(OrgFault) {
        guard text.utf16.count <= most else { throw .malformedSearch("a search term may have at most \(most) letters") }
    }

    private static func checkCount(of words: Int) throws(OrgFault) {
        guard words <= mostWords else { throw .malformedSearch("a search term may have at most \(mostWords) words") }
    }

    /// All of them; one alone needs no list.
    private static func all(
        _ parts: [SearchExpression], without excluded: [SearchExpression] = []
    ) -> SearchExpression {
        parts.count == 1 && excluded.isEmpty ? parts[0] : .all(parts, without: excluded)
    }

    private init(tokens: ArraySlice<Token>) {
        self.tokens = tokens
    }

    private mutating func alternatives() throws(OrgFault) -> SearchExpression {
        var parts = [try conjunction()]
        while tokens.first == .or {
            tokens.removeFirst()
            parts.append(try conjunction())
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(OrgFault) -> SearchExpression {
        var parts = [try unit()]
        var excluded: [SearchExpression] = []
        while let next = tokens.first, next != .or, next != .close {
            guard next == .and else {
                parts.append(try unit())
                continue
            }
            tokens.removeFirst()
            guard tokens.first == .not else {
                parts.append(try unit())
                continue
            }
            tokens.removeFirst()
            excluded.append(try unit())
        }
        return Self.all(parts, without: excluded)
    }

    private mutating func unit() throws(OrgFault) -> SearchExpression {
        switch tokens.popFirst() {
        case .phrase(let words): return .phrase(words)
        case .open:
            depth += 1
            guard depth <= Self.deepest else { throw .malformedSearch("too many parentheses in the search term") }
            defer { depth -= 1 }
            let inner = try alternatives()
            guard tokens.popFirst() == .close else { throw .malformedSearch("a ')' is missing in the search term") }
            return inner
        default: throw .malformedSearch("a word is missing in the search term")
        }
    }
}

extension SearchExpressionParser {
    /// Scalars, not characters: a mark that joins a brace or a quote would hide it in a character of its own.
    private typealias Letters = [(Unicode.Scalar, isEscaped: Bool)]

    /// Letters with a meaning of their own, which a search for them escapes.
    private static let reserved: Set<Unicode.Scalar> = [
        "&", "|", "!", "{", "}", "[", "]", "^", "~", ":", "'", "+", "-", "\\",
    ]

    private static func tokens(of text: Substring) throws(OrgFault) -> [Token] {
        var tokens: [Token] = []
        var letters = try unescaped(text)[...]
        while let (letter, isEscaped) = letters.first {
            switch letter {
            case "(" where !isEscaped: tokens.append(.open)
            case ")" where !isEscaped: tokens.append(.close)
            case "\"" where !isEscaped:
                letters = letters.dropFirst()
                let inside = letters.prefix { $0.0 != "\"" || $0.isEscaped }
                letters = letters.dropFirst(inside.count)
                guard !letters.isEmpty else { throw .malformedSearch("a quote is missing in the search term") }
                let words = words(of: Array(inside))
                if !words.isEmpty { tokens.append(.phrase(words)) }
            case _ where letter.properties.isWhitespace: break
            case _ where !isEscaped && reserved.contains(letter):
                throw .malformedSearch("the reserved character '\(letter)' must be escaped")
            default:
                let word = letters.prefix { !isEnd($0) }
                letters = letters.dropFirst(word.count)
                if let token = token(Array(word)) { tokens.append(token) }
                continue
            }
            letters = letters.dropFirst()
        }
        try checkCount(of: tokens.reduce(0) { $0 + $1.wordCount })
        return tokens
    }

    private static func isEnd(_ letter: (Unicode.Scalar, isEscaped: Bool)) -> Bool {
        guard !letter.isEscaped else { return false }
        return letter.0.properties.isWhitespace || ["(", ")", "\""].contains(letter.0) || reserved.contains(letter.0)
    }

    /// An operator or words; nothing for signs alone, which no text is searched for.
    private static func token(_ letters: Letters) -> Token? {
        switch String(String.UnicodeScalarView(letters.map(\.0))).uppercased() {
        case "AND": return .and
        case "OR": return .or
        case "NOT": return .not
        default:
            let words = words(of: letters)
            return words.isEmpty ? nil : .phrase(words)
        }
    }

    private static func unescaped(_ text: Substring) throws(OrgFault) -> Letters {
        var letters: Letters = []
        var isEscaped = false
        for letter in text.unicodeScalars {
            if letter == "\\", !isEscaped {
                isEscaped = true
            } else {
                letters.append((letter, isEscaped))
                isEscaped = false
            }
        }
        guard !isEscaped else { throw .malformedSearch("the search term ends with a lone backslash") }
        return letters
    }

    /// The words in a piece of text; what is neither letter, digit nor wildcard stands between two.
    private static func words(of letters: Letters) -> [SearchWord] {
        letters.split { letter, isEscaped in
            !SearchText.isWordLetter(letter) && (isEscaped || (letter != "*" && letter != "?"))
        }.filter { word in
            // Marks alone are no word.
            word.contains { !SearchText.isMark($0.0) }
        }.map { SearchWord(elements: elements(of: $0)) }
    }

    /// A word's letters and wildcards; scalars that make one letter come together again.
    private static func elements(of word: Letters.SubSequence) -> [SearchWord.Element] {
        var elements: [SearchWord.Element] = []
        var text = String.UnicodeScalarView()
        func endText() {
            elements += String(text).lowercased().map { .letter($0) }
            text = String.UnicodeScalarView()
        }
        for (letter, isEscaped) in word {
            switch letter {
            case "*" where !isEscaped:
                endText()
                elements.append(.anyRun)
            case "?" where !isEscaped:
                endText()
                elements.append(.anyOne)
            default: text.append(letter)
            }
        }
        endText()
        return elements
    }
}

extension OrgFault {
    /// A search that is not SOSL, or not of the part of it that the embedded org knows.
    static func malformedSearch(_ reason: String) -> OrgFault { OrgFault(400, "MALFORMED_SEARCH", reason) }

    static func tooShort(_ text: String) -> OrgFault {
        OrgFault(400, "INVALID_SEARCH", "search term must be longer than one character: \(text.prefix(100))")
    }
}
