// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// The text of a query or a search while it is put together: what was written, with values bound by their places.
struct SOQLText: Sendable {
    /// The text as it is sent.
    private(set) var text = ""
    /// The text with `?` in the place of each value.
    private(set) var shown = ""
    /// The first value that cannot stand where it stands, counted from 1, and why.
    private(set) var refused: (value: Int, reason: SOQLRefusal)?
    private var place: SOQLPlace
    private var values = 0

    /// What is wrong with the first value that cannot stand where it stands.
    var problem: String? { refused.map { "value \($0.value): \($0.reason.advice)" } }

    /// An empty text.
    init(_ language: SOQLPlace.Language, capacity: Int) {
        place = SOQLPlace(language)
        // bounded: by the length of a literal in the source
        text.reserveCapacity(capacity)
    }

    /// Takes a piece of the text itself.
    mutating func paste(_ piece: String) {
        place.pass(piece)
        text += piece
        shown += piece
        if place.isCrowded { refuse(.crowded) }
    }

    /// Binds one value.
    ///
    /// `description` names it if it has no literal.
    mutating func bind(_ literal: SOQLLiteral?, _ description: @autoclosure () -> String = "this value") {
        put { (place) throws(SOQLRefusal) in
            guard let literal, literal.isValid else { throw .unwritable(description()) }
            switch place {
            case .literal: return literal.text
            case .pattern: return try Self.pattern(literal)
            case .count: return try Self.count(literal)
            case .term: return try Self.term(literal)
            case .phrase: return try Self.phrase(literal)
            case .list: throw .wantsList
            default: throw Self.refusal(at: place)
            }
        }
    }

    /// Binds a list.
    mutating func bind(
        _ literals: [SOQLLiteral?], _ description: (Int) -> String = { "value \($0 + 1) of the list" }
    ) {
        put { (place) throws(SOQLRefusal) in
            guard place == .list else { throw Self.refusal(at: place, otherwise: .strayList) }
            guard !literals.isEmpty else { throw .emptyList }
            var texts: [String] = []
            for (index, literal) in literals.enumerated() {
                guard let literal, literal.isValid else { throw .unwritable(description(index)) }
                texts.append(literal.text)
            }
            return "(" + texts.joined(separator: ",") + ")"
        }
    }

    /// Binds a pattern.
    mutating func bind(_ pattern: SOQLPattern) {
        put { (place) throws(SOQLRefusal) in
            guard place == .pattern else { throw Self.refusal(at: place, otherwise: .strayPattern) }
            return pattern.text
        }
    }

    /// Binds the beginning of a word to look for.
    mutating func bind(prefix: String) {
        put { (place) throws(SOQLRefusal) in
            guard place == .term else { throw Self.refusal(at: place, otherwise: .strayPrefix) }
            return try Self.term(.string(prefix)) + "*"
        }
    }

    private mutating func put(_ write: (SOQLPlace.Kind) throws(SOQLRefusal) -> String) {
        values += 1
        do throws(SOQLRefusal) {
            text += try write(place.kind)
        } catch {
            refuse(error)
            text += "?"
        }
        shown += "?"
        place.passValue()
    }

    private mutating func refuse(_ reason: SOQLRefusal) {
        refused = refused ?? (values, reason)
    }

    /// Why nothing can be bound in such a place, or not this.
    private static func refusal(at place: SOQLPlace.Kind, otherwise: SOQLRefusal = .name) -> SOQLRefusal {
        switch place {
        case .quoted: .quoted
        case .comment: .comment
        case .name: .name
        case .crowded: .crowded
        case .literal, .pattern, .list, .count, .term, .phrase: otherwise
        }
    }
}

// MARK: - Literals by their places

extension SOQLText {
    /// A plain text as a pattern: its wildcards are wildcards.
    private static func pattern(_ literal: SOQLLiteral) throws(SOQLRefusal) -> String {
        guard case .string = literal else { throw .wantsText }
        return literal.text
    }

    private static func count(_ literal: SOQLLiteral) throws(SOQLRefusal) -> String {
        guard case .number(let number) = literal, number.isInteger, !number.text.hasBytes(prefix: "-") else {
            throw .wantsCount
        }
        return number.text
    }

    /// The value as a text to look for; operators in it are words like others.
    private static func term(_ literal: SOQLLiteral) throws(SOQLRefusal) -> String {
        // By scalars, as a blank and an accent after it are one `Character`.
        try phrase(literal).unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
            .map { String(String.UnicodeScalarView($0)) }
            .map { operators.contains($0.uppercased()) ? "\"\($0)\"" : $0 }
            .joined(separator: " ")
    }

    private static func phrase(_ literal: SOQLLiteral) throws(SOQLRefusal) -> String {
        let value = if case .string(let text) = literal { text } else { literal.text }
        guard value.hasLetters else { throw .nothingToFind }
        return SOSL.escaped(value)
    }

    private static let operators: Set<String> = ["AND", "OR", "NOT"]
}

/// Why a value cannot be bound where it stands, with what to do instead.
package enum SOQLRefusal: Error {
    case quoted, comment, name, crowded
    case wantsList, wantsCount, wantsText
    case strayList, strayPattern, strayPrefix
    case emptyList, nothingToFind
    /// The value by its description.
    case unwritable(String)

    /// For the developer.
    package var advice: String {
        switch self {
        case .quoted: "values are quoted for you; remove the quotes around the value, and write a pattern as \\(like:)"
        case .comment: "a comment cannot hold a value"
        case .name: "a value is not allowed here; choose names and clauses in your code and insert them with \\(raw:)"
        case .crowded: "a value must stand alone; put a space before and after it, or write \\(prefix:) in a search"
        case .wantsList: "IN, INCLUDES and EXCLUDES take a list, such as \\([value])"
        case .wantsCount: "a whole number of 0 or more is needed here"
        case .wantsText: "LIKE takes a text or \\(like:)"
        case .strayList: "a list has its own parentheses and is allowed only after IN, INCLUDES and EXCLUDES"
        case .strayPattern: "\\(like:) is allowed only after LIKE"
        case .strayPrefix: "\\(prefix:) is allowed only between the braces of FIND, outside quotes"
        case .emptyList: "the list is empty, and the server refuses IN ()"
        case .unwritable(let value):
            "\(value) has no literal; bind a finite number, or a date in the calendar from 0001-01-01 to 9999-12-31"
        case .nothingToFind: "a search text needs at least one letter or digit"
        }
    }
}

/// Where the end of a query's or a search's text stands, and so what a value would be there.
///
/// It knows the places where a literal of the language can stand; every other place is one of a name. So a place that
/// nobody thought of takes no value.
struct SOQLPlace: Sendable, Equatable {
    /// The language of the text.
    enum Language: Sendable {
        case query, search
    }

    /// What a value would be.
    enum Kind: Sendable {
        /// One literal: behind `=`, between the parentheses of a list.
        case literal
        /// The pattern of `LIKE`.
        case pattern
        /// A list in parentheses: behind `IN`, `INCLUDES` and `EXCLUDES`.
        case list
        /// A whole number: behind `LIMIT`, `OFFSET` and `LAST_N_DAYS:`.
        case count
        /// A text to look for, between the braces of `FIND` or between double quotes there.
        case term, phrase
        /// A name, a keyword or anything else that no value is.
        case name
        /// A part of a text between single quotes, or of a comment.
        case quoted, comment
        /// A part of the word, number or value that it touches.
        case crowded
    }

    private enum Mode: Equatable {
        case plain, quoted, term, phrase, line
        case block(isEnding: Bool)
    }

    /// What the words before lead to.
    private enum Slot: Equatable {
        case name, literal, pattern, list, count
        /// Behind a date formula that takes a number, behind `FIND`, behind its braces.
        case formula, find, found
    }

    private let language: Language
    private var mode = Mode.plain
    private var slot = Slot.name
    /// The word under way.
    private var word = ""
    /// Whether each open parenthesis holds a list of literals.
    private var parentheses: [Bool] = []
    private var previous: Unicode.Scalar?
    private var isEscaped = false
    /// Whether a value would touch what stands between the braces of `FIND`.
    private var isGlued = false
    private var isBehindValue = false
    /// Whether text touches a value before it.
    private(set) var isCrowded = false

    /// The beginning of a text.
    init(_ language: Language) {
        self.language = language
    }

    /// What a value would be here.
    var kind: Kind {
        switch mode {
        case .quoted: .quoted
        case .line, .block: .comment
        case .phrase: isEscaped ? .crowded : .phrase
        case .term: isEscaped || isGlued || isBehindValue ? .crowded : .term
        case .plain: word.isEmpty && !isBehindValue ? plainKind : .crowded
        }
    }

    private var plainKind: Kind {
        switch slot {
        case .literal: .literal
        case .pattern: .pattern
        case .list: .list
        case .count: .count
        case .name, .formula, .find, .found: .name
        }
    }

    /// Goes on behind a value.
    mutating func passValue() {
        (slot, previous, isGlued, isBehindValue) = (.name, nil, true, true)
    }

    /// Goes on behind text.
    mutating func pass(_ text: String) {
        for scalar in text.unicodeScalars {
            if isBehindValue, !canFollowValue(scalar) { isCrowded = true }
            isBehindValue = false
            step(scalar)
            previous = scalar
        }
    }

    private func canFollowValue(_ scalar: Unicode.Scalar) -> Bool {
        switch mode {
        case .plain: scalar.isBlank || scalar == ")" || scalar == ","
        case .term: scalar.properties.isWhitespace || "()}\"".unicodeScalars.contains(scalar)
        case .phrase, .quoted, .line, .block: true
        }
    }

    private mutating func step(_ scalar: Unicode.Scalar) {
        switch mode {
        case .plain: stepPlain(scalar)
        case .quoted: stepQuoted(scalar)
        case .term, .phrase: stepTerm(scalar)
        case .line: if scalar == "\n" || scalar == "\r" { mode = .plain }
        case .block(let isEnding): mode = isEnding && scalar == "/" ? .plain : .block(isEnding: scalar == "*")
        }
    }

    private mutating func stepQuoted(_ scalar: Unicode.Scalar) {
        if isEscaped {
            isEscaped = false
        } else if scalar == "\\" {
            isEscaped = true
        } else if scalar == "'" {
            mode = .plain
        }
    }

    private mutating func stepTerm(_ scalar: Unicode.Scalar) {
        guard !isEscaped else {
            (isEscaped, isGlued) = (false, true)
            return
        }
        isGlued = !scalar.properties.isWhitespace && !"(){}\"".unicodeScalars.contains(scalar)
        switch scalar {
        case "\\": isEscaped = true
        case "}": (mode, slot) = (.plain, .found)
        case "\"": mode = mode == .term ? .phrase : .term
        default: break
        }
    }
}

// MARK: - Outside of texts

extension SOQLPlace {
    private mutating func stepPlain(_ scalar: Unicode.Scalar) {
        guard !scalar.isWord else { return word.unicodeScalars.append(scalar) }
        if !word.isEmpty { finishWord() }
        guard !scalar.isBlank else { return }
        switch (scalar, previous) {
        case ("/", "/"), ("-", "-"): (mode, slot) = (.line, .name)
        case ("*", "/"): (mode, slot) = (.block(isEnding: false), .name)
        case ("'", _): (mode, slot) = (.quoted, .name)
        case ("{", _) where slot == .find: (mode, isGlued) = (.term, false)
        default: slot = self.slot(behind: scalar)
        }
    }

    /// Where a sign leads to, and the parentheses that it opens or closes.
    private mutating func slot(behind sign: Unicode.Scalar) -> Slot {
        switch sign {
        case "=", "<", ">": return .literal
        case ":": return slot == .formula ? .count : .name
        case ",": return parentheses.last == true ? .literal : .name
        case "(":
            parentheses.append(slot == .list)
            return slot == .list ? .literal : .name
        case ")":
            _ = parentheses.popLast()
            return .name
        default: return .name
        }
    }

    private mutating func finishWord() {
        let keyword = word.utf8.allSatisfy { $0 < 0x80 } ? word.uppercased() : ""
        word = ""
        switch keyword {
        case "LIKE": slot = .pattern
        case "INCLUDES", "EXCLUDES", "GEOLOCATION": slot = .list
        case "IN": slot = slot == .found ? .name : .list  // behind the braces of FIND it names the fields to look into
        case "LIMIT", "OFFSET": slot = .count
        case "FIND" where language == .search: slot = .find
        default:
            if keyword == "SELECT", !parentheses.isEmpty { parentheses[parentheses.count - 1] = false }
            slot = SOQLDateFormula.needsNumber(name: keyword) == true ? .formula : .name
        }
    }
}

extension Unicode.Scalar {
    /// Whether it parts words, for the language.
    fileprivate var isBlank: Bool { self == " " || ("\t"..."\r").contains(self) }

    /// Whether it is a part of a name or a number, or of what might be one.
    fileprivate var isWord: Bool {
        !isASCII || properties.isAlphabetic || ("0"..."9").contains(self) || "_.$@".unicodeScalars.contains(self)
    }
}
