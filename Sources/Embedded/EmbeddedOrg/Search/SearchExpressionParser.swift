// SPDX-License-Identifier: Apache-2.0

import RestBase

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
