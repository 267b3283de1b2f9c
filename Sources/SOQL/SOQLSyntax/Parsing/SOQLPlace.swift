// SPDX-License-Identifier: Apache-2.0

/// The kind of value that can be at a position in a query or a search.
///
/// The positions where a literal of the language can be are known. Every other position is one of a name, so a position
/// that was forgotten takes no value.
package enum SOQLPlace: Sendable, Hashable {
    /// The language of a text.
    package enum Language: Sendable {
        case query, search
    }

    /// One literal, after a comparison.
    case literal
    /// A list in parentheses after `IN` or `GEOLOCATION`, and one literal of the list after `IN`.
    case list, item
    /// A list in parentheses after `INCLUDES` or `EXCLUDES`, and one literal of it.
    case sets, set
    /// The pattern of `LIKE`.
    case pattern
    /// A whole number after `LIMIT` and `OFFSET`, and after `LAST_N_DAYS:`.
    case count, days
    /// A coordinate of `GEOLOCATION`.
    case degrees
    /// A text to look for, between the braces of `FIND` or between double quotes there.
    case term, phrase
    /// A name, a keyword or anything else that is no value.
    case name
    /// A part of a text between single quotes, or of a comment.
    case quoted, comment
    /// A part of the word, number or value that it touches.
    case crowded

    /// Whether a value is a list with its parentheses.
    package var isWholeList: Bool { self == .list || self == .sets }
}

/// Follows the spans of a text and knows the place of a value after them.
private struct PlaceWalk: Sendable {
    private var slot = SOQLPlace.name
    /// The place of the values of the list that can be here.
    private var element = SOQLPlace.name
    /// The places of the values in the open parentheses.
    private var parentheses: [SOQLPlace] = []
    /// Whether the last span is a date formula that takes a number, and whether it is the braces of a search.
    private var (isBehindFormula, isBehindBraces) = (false, false)
    /// Whether a quote was cut off by the end of its line, so that nobody knows what is text.
    private var isBroken = false

    var place: SOQLPlace { isBroken ? .quoted : slot }

    mutating func take(_ span: SOQLScanner.Span, _ bytes: ArraySlice<UInt8>) {
        let before = self
        takeValue()
        switch span.kind {
        case .word: take(bytes, isBehindBraces: before.isBehindBraces)
        case .sign(UInt8(ascii: ":")): slot = before.isBehindFormula ? .days : .name
        case .sign(UInt8(ascii: "=")), .sign(UInt8(ascii: "<")), .sign(UInt8(ascii: ">")): slot = .literal
        case .sign(UInt8(ascii: ",")): slot = parentheses.last ?? .name
        case .sign(UInt8(ascii: "(")):
            slot = before.element
            parentheses.append(slot)
        case .sign(UInt8(ascii: ")")): _ = parentheses.popLast()
        case .braces: isBehindBraces = true
        case .string: isBroken = isBroken || !span.isClosed
        case .number, .sign, .lineComment, .blockComment: break
        }
    }

    /// Continues after a value.
    mutating func takeValue() {
        (slot, element, isBehindFormula, isBehindBraces) = (.name, .name, false, false)
    }

    private mutating func take(_ word: ArraySlice<UInt8>, isBehindBraces: Bool) {
        guard word.allSatisfy({ $0 < 0x80 }) else { return }
        let keyword = String(decoding: word, as: UTF8.self).uppercased()
        switch keyword {
        case "LIKE": slot = .pattern
        case "INCLUDES", "EXCLUDES": (slot, element) = (.sets, .set)
        case "GEOLOCATION": (slot, element) = (.list, .degrees)
        // After the braces of FIND it names the fields to look into.
        case "IN": if !isBehindBraces { (slot, element) = (.list, .item) }
        case "LIMIT", "OFFSET": slot = .count
        case "SELECT": if !parentheses.isEmpty { parentheses[parentheses.count - 1] = .name }
        default: isBehindFormula = SOQLDateFormula.needsNumber(name: keyword) == true
        }
    }
}

/// Knows the place of a value at the end of a text that is put together from pieces and values.
package struct SOQLPlaceReader: Sendable {
    private var scanner: SOQLScanner
    private var walk = PlaceWalk()
    private var search = SearchText()
    private var isBehindValue = false
    /// Whether text touches the value before it.
    package private(set) var isCrowded = false

    /// The beginning of a text.
    package init(_ language: SOQLPlace.Language) {
        scanner = SOQLScanner(hasComments: true, hasBraces: language == .search)
    }

    /// The place of a value after the text so far.
    package var place: SOQLPlace {
        switch scanner.open {
        case .string: .quoted
        case .lineComment, .blockComment: .comment
        case .braces where search.isEscaped: .crowded
        case .braces where search.isPhrase: .phrase
        case .braces: search.isGlued || isBehindValue ? .crowded : .term
        case .word, .number: .crowded
        case .sign: .name  // It may begin a comment.
        case nil: isBehindValue ? .crowded : walk.place
        }
    }

    /// Continues after a value.
    package mutating func passValue() {
        walk.takeValue()
        isBehindValue = true
    }

    /// Continues after text.
    package mutating func pass(_ text: String) {
        guard let first = text.unicodeScalars.first else { return }
        if isBehindValue, !canFollowValue(first) { isCrowded = true }
        isBehindValue = false
        scanner.append(text)
        while let span = scanner.scan() {
            if span.kind == .braces { search = SearchText() }
            walk.take(span, scanner[span.range])
        }
        if scanner.open == .braces { search.read(scanner.openBytes) }
    }

    private func canFollowValue(_ scalar: Unicode.Scalar) -> Bool {
        switch scanner.open {
        case .braces: search.isPhrase || scalar.properties.isWhitespace || "()}\"".unicodeScalars.contains(scalar)
        case .string, .lineComment, .blockComment: true
        case .word, .number, .sign, nil:
            scalar == " " || ("\t"..."\r").contains(scalar) || scalar == ")" || scalar == ","
        }
    }
}

/// The text between the braces of a search, as far as it was read.
private struct SearchText: Sendable {
    /// How many of its bytes were read.
    private var count = 0
    /// Whether the end of the text is between double quotes, and whether it is after a backslash.
    private(set) var isPhrase = false, isEscaped = false
    /// Whether a value would touch a word or a sign.
    private(set) var isGlued = false

    /// Reads what is new of a text that begins with its brace.
    mutating func read(_ bytes: ArraySlice<UInt8>) {
        for scalar in String(decoding: bytes.dropFirst(max(count, 1)), as: UTF8.self).unicodeScalars {
            isGlued = isEscaped || (!scalar.properties.isWhitespace && !"(){\"".unicodeScalars.contains(scalar))
            if !isEscaped, scalar == "\"" { isPhrase.toggle() }
            isEscaped = !isEscaped && scalar == "\\"
        }
        count = bytes.count
    }
}

/// A variable of a query: `:name`, or the name after the colon of a formula, as in `LAST_N_DAYS:name`.
package struct SOQLVariable: Sendable, Hashable {
    /// The name, without its colon.
    package let name: String
    /// The part of the text that the value replaces, in UTF-8 bytes.
    package let range: Range<Int>
    /// The position of that part.
    package let position: SOQLPosition
    /// The kind of value that it stands for.
    package let place: SOQLPlace

    /// The variables of a text in their order.
    ///
    /// Nothing in quotes, in comments, in the braces of a search, in dates and in times is a variable.
    package static func all(in text: String) -> [SOQLVariable] {
        var scanner = SOQLScanner(text, hasComments: true, hasBraces: true)
        var (walk, variables) = (PlaceWalk(), [SOQLVariable]())
        var colon: (span: SOQLScanner.Span, place: SOQLPlace)?
        while let span = scanner.scan() {
            let bytes = scanner[span.range]
            if let (sign, place) = colon, sign.range.upperBound == span.range.lowerBound, bytes.isPath {
                let isCount = walk.place == .days
                let start = isCount ? span : sign
                variables.append(
                    SOQLVariable(
                        name: String(decoding: bytes, as: UTF8.self),
                        range: start.range.lowerBound..<span.range.upperBound, position: start.position,
                        place: isCount ? .days : place))
                walk.takeValue()
                colon = nil
                continue
            }
            colon = span.kind == .sign(UInt8(ascii: ":")) ? (span, walk.place) : nil
            walk.take(span, bytes)
        }
        return variables
    }
}
