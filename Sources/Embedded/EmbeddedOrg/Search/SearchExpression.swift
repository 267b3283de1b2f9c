// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLStore

/// A condition of a search.
///
/// The lists are flat. Only parentheses nest, and the parser limits them, so the depth does not grow with the text.
indirect enum SearchExpression {
    /// These words in sequence in one field.
    case phrase([SearchWord])
    /// All of the first and none of the second.
    case all([SearchExpression], without: [SearchExpression])
    /// At least one of them.
    case any([SearchExpression])

    /// Whether a record with these words in its fields matches.
    func matches(_ fields: [[Substring]]) -> Bool {
        switch self {
        case .phrase(let words):
            fields.contains { field in
                field.indices.dropLast(words.count - 1).contains { start in
                    words.indices.allSatisfy { words[$0].matches(field[start + $0]) }
                }
            }
        case .all(let parts, let excluded):
            parts.allSatisfy { $0.matches(fields) } && !excluded.contains { $0.matches(fields) }
        case .any(let parts): parts.contains { $0.matches(fields) }
        }
    }

    /// A few texts that every matching record contains, so the database can exclude most other records.
    var requiredTexts: [String] {
        var texts: [String] = []
        addRequiredTexts(to: &texts)
        return texts
    }

    private func addRequiredTexts(to texts: inout [String]) {
        switch self {
        case .phrase(let words):
            for prefix in words.lazy.map(\.asciiPrefix) where texts.count < 4 && !prefix.isEmpty {
                texts.append(prefix)
            }
        case .all(let parts, _):
            for part in parts where texts.count < 4 { part.addRequiredTexts(to: &texts) }
        case .any: break
        }
    }

    fileprivate var letterCount: Int {
        switch self {
        case .phrase(let words): words.reduce(0) { $0 + $1.pattern.count { !SearchWord.isWildcard($0) } }
        case .all(let parts, _), .any(let parts): parts.reduce(0) { $0 + $1.letterCount }
        }
    }
}

struct SearchWord: Equatable {
    /// The letters in lower case, where `*` matches any letters and `?` matches one letter.
    // prose: words that people search for
    fileprivate let pattern: [Character]

    // prose: words that people search for
    fileprivate static func isWildcard(_ letter: Character) -> Bool { letter == "*" || letter == "?" }

    /// Whether the pattern matches the whole word, which is in lower case.
    func matches(_ word: Substring) -> Bool {
        let letters = Array(word)
        // If the rest after the last `*` does not match, the `*` takes one letter more.
        var (position, letter) = (0, 0)
        var retry: (position: Int, letter: Int)?
        while letter < letters.count {
            if position < pattern.count, pattern[position] == "*" {
                position += 1
                retry = (position, letter)
            } else if position < pattern.count, pattern[position] == "?" || pattern[position] == letters[letter] {
                position += 1
                letter += 1
            } else if let last = retry {
                (position, letter) = (last.position, last.letter + 1)
                retry = (position, letter)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == "*" }
    }

    /// The letters before the first wildcard, up to the first letter that is not ASCII.
    ///
    /// SQLite ignores case only for ASCII.
    fileprivate var asciiPrefix: String { String(pattern.prefix { $0.isASCII && !Self.isWildcard($0) }) }
}

/// The words of a string: runs of letters and digits, in lower case.
enum SearchText {
    static func words(_ text: String) -> [Substring] {
        // prose: words that people search for
        text.lowercased().split { !$0.isLetter && !$0.isNumber }
    }

    /// Whether the scalar is part of a word, like a mark after a letter.
    static func isWordLetter(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Whether the scalar modifies the preceding one.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
}

/// Parses the text in the braces of FIND: words, phrases, `AND`, `OR`, `AND NOT`, parentheses.
///
/// `AND` binds closer than `OR`. Adjacent words must all be found. The depth of parentheses and the numbers of letters
/// and words are limited.
struct SearchExpressionParser {
    private enum Token: Equatable {
        case open, close, and, or, not
        case phrase([SearchWord])
    }

    private var tokens: ArraySlice<Token>
    private var depth = 0
    private static let deepest = 50
    /// Salesforce ignores operators beyond this length.
    private static let mostLetters = 4_000
    /// The limit of a plain text, whose words may repeat.
    private static let mostPlainLetters = 100_000
    private static let mostWords = 300

    /// Parses an expression with the escapes of text in braces.
    static func parse(_ text: Substring) throws(OrgError) -> SearchExpression {
        try checkLength(of: text, most: mostLetters)
        var parser = SearchExpressionParser(tokens: try tokens(of: text)[...])
        let expression = try parser.alternatives()
        guard parser.tokens.isEmpty else { throw .malformedSearch("unexpected ')' or operator in the search term") }
        return try checked(expression, text)
    }

    /// Returns the condition for all words of a plain text, without repeated words.
    static func plain(_ text: String) throws(OrgError) -> SearchExpression {
        try checkLength(of: text, most: mostPlainLetters)
        var seen: Set<Substring> = []
        let parts = text.words.filter { seen.insert($0).inserted }
        try checkLength(of: parts.joined(), most: mostLetters)
        let phrases = parts.map { words(of: Array($0.unicodeScalars)[...]) }.filter { !$0.isEmpty }
        try checkCount(of: phrases.map { .phrase($0) })
        return try checked(.all(phrases.map { .phrase($0) }, without: []), text[...])
    }

    private static func checkLength(of text: some StringProtocol, most: Int) throws(OrgError) {
        guard text.utf16.count <= most else { throw .malformedSearch("a search term may have at most \(most) letters") }
    }

    private static func checkCount(of tokens: [Token]) throws(OrgError) {
        let count = tokens.reduce(0) { if case .phrase(let words) = $1 { $0 + words.count } else { $0 } }
        guard count <= mostWords else { throw .malformedSearch("a search term may have at most \(mostWords) words") }
    }

    /// Salesforce does not search for a single letter.
    private static func checked(_ expression: SearchExpression, _ text: Substring) throws(OrgError) -> SearchExpression
    {
        guard expression.letterCount < 2 else { return expression }
        throw OrgError(
            "INVALID_SEARCH", "search term must be longer than one character: \(text.prefix(100))")
    }

    private init(tokens: ArraySlice<Token>) {
        self.tokens = tokens
    }

    private mutating func takes(_ token: Token) -> Bool {
        guard tokens.first == token else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func alternatives() throws(OrgError) -> SearchExpression {
        var parts = [try conjunction()]
        while takes(.or) { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(OrgError) -> SearchExpression {
        var (parts, excluded) = ([try unit()], [SearchExpression]())
        while let next = tokens.first, next != .or, next != .close {
            if takes(.and), takes(.not) {
                excluded.append(try unit())
            } else {
                parts.append(try unit())
            }
        }
        return .all(parts, without: excluded)
    }

    private mutating func unit() throws(OrgError) -> SearchExpression {
        switch tokens.popFirst() {
        case .phrase(let words): return .phrase(words)
        case .open:
            depth += 1
            guard depth <= Self.deepest else { throw .malformedSearch("too many parentheses in the search term") }
            defer { depth -= 1 }
            let inner = try alternatives()
            guard takes(.close) else { throw .malformedSearch("a ')' is missing in the search term") }
            return inner
        default: throw .malformedSearch("a word is missing in the search term")
        }
    }

    /// Scalars and not characters, because a joined mark would hide a brace or a quote in a character.
    private typealias Scalars = ArraySlice<Unicode.Scalar>

    /// Reserved scalars, which must be escaped.
    private static let reserved: Set<Unicode.Scalar> = [
        "&", "|", "!", "{", "}", "[", "]", "^", "~", ":", "'", "+", "-", "\\",
    ]
    /// Replaces an escaped sign, which only separates words.
    private static let separator: Unicode.Scalar = "\u{1}"

    private static func tokens(of text: Substring) throws(OrgError) -> [Token] {
        var tokens: [Token] = []
        var rest = try unescaped(text)[...]
        while let scalar = rest.first {
            switch scalar {
            case "(": tokens.append(.open)
            case ")": tokens.append(.close)
            case "\"":
                let inside = rest.dropFirst().prefix { (scalar: Unicode.Scalar) in scalar != "\"" }
                rest = rest.dropFirst(inside.count + 1)
                guard !rest.isEmpty else { throw .malformedSearch("a quote is missing in the search term") }
                tokens.append(.phrase(words(of: inside)))
            case _ where scalar.properties.isWhitespace: break
            case _ where reserved.contains(scalar):
                throw .malformedSearch("the reserved character '\(scalar)' must be escaped")
            default:
                let word = rest.prefix {
                    !$0.properties.isWhitespace && !["(", ")", "\""].contains($0) && !reserved.contains($0)
                }
                rest = rest.dropFirst(word.count)
                tokens.append(token(word))
                continue
            }
            rest = rest.dropFirst()
        }
        try checkCount(of: tokens)
        // Signs alone have no meaning.
        return tokens.filter { $0 != .phrase([]) }
    }

    private static func token(_ scalars: Scalars) -> Token {
        switch String(String.UnicodeScalarView(scalars)).uppercased() {
        case "AND": .and
        case "OR": .or
        case "NOT": .not
        default: .phrase(words(of: scalars))
        }
    }

    private static func unescaped(_ text: Substring) throws(OrgError) -> [Unicode.Scalar] {
        var (scalars, isEscaped) = ([Unicode.Scalar](), false)
        for scalar in text.unicodeScalars {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                scalars.append(!isEscaped || SearchText.isWordLetter(scalar) ? scalar : separator)
                isEscaped = false
            }
        }
        guard !isEscaped else { throw .malformedSearch("the search term ends with a lone backslash") }
        return scalars
    }

    /// Returns the words in a text: runs of letters, digits and wildcards, but not of marks alone.
    private static func words(of scalars: Scalars) -> [SearchWord] {
        scalars.split { !SearchText.isWordLetter($0) && $0 != "*" && $0 != "?" }
            .filter { word in word.contains { !SearchText.isMark($0) } }
            .map { SearchWord(pattern: Array(String(String.UnicodeScalarView($0)).lowercased())) }
    }
}

extension OrgError {
    /// Returns the error for an invalid or unsupported search.
    static func malformedSearch(_ reason: String) -> OrgError { OrgError("MALFORMED_SEARCH", reason) }
}
