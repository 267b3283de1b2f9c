// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

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
