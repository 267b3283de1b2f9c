// SPDX-License-Identifier: Apache-2.0

/// The kind of value that is allowed at a position in a query or a search.
///
/// The positions where a literal is allowed are listed. Every other position counts as a name, so a position that is
/// missing here accepts no value.
package enum SOQLPlace: Sendable, Hashable {
    package enum Language: Sendable {
        case query, search
    }

    /// One literal after a comparison operator.
    case literal
    /// A list in parentheses after `IN` or `GEOLOCATION`, and one literal of the list after `IN`.
    case list, item
    /// A list in parentheses after `INCLUDES` or `EXCLUDES`, and one literal of the list.
    case sets, set
    /// The pattern of `LIKE`.
    case pattern
    /// A whole number after `LIMIT` and `OFFSET`, and after `LAST_N_DAYS:`.
    case count, days
    /// A coordinate of `GEOLOCATION`.
    case degrees
    /// A search term between the braces of `FIND`, and one between double quotes there.
    case term, phrase
    /// A name, a keyword or anything else that is not a value.
    case name
    /// A part of a quoted string, and a part of a comment.
    case quoted, comment
    /// A position that touches a word, a number or a value.
    case crowded

    /// Whether a value is a list with its parentheses.
    package var isWholeList: Bool { self == .list || self == .sets }
}

/// Determines the kind of value that is allowed after the spans read so far.
private struct PlaceWalk: Sendable {
    private var slot = SOQLPlace.name
    /// The kind of the elements, if a list can begin here.
    private var element = SOQLPlace.name
    /// The kinds of the values in the open parentheses.
    private var parentheses: [SOQLPlace] = []
    /// Whether the last span is a date formula that takes a number, and whether it is the braces of a search.
    private var (isBehindFormula, isBehindBraces) = (false, false)
    /// Whether a quote was cut off by the end of its line, so that the rest cannot be interpreted.
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
        // After the braces of FIND, IN is followed by the fields to search.
        case "IN": if !isBehindBraces { (slot, element) = (.list, .item) }
        case "LIMIT", "OFFSET": slot = .count
        case "SELECT": if !parentheses.isEmpty { parentheses[parentheses.count - 1] = .name }
        default: isBehindFormula = SOQLDateFormula.needsNumber(name: keyword) == true
        }
    }
}

/// Determines the kind of value allowed at the end of a text that is composed of fragments and values.
package struct SOQLPlaceReader: Sendable {
    private var scanner: SOQLScanner
    private var walk = PlaceWalk()
    private var search = SearchText()
    private var isBehindValue = false
    /// Whether text touches the value before it.
    package private(set) var isCrowded = false

    package init(_ language: SOQLPlace.Language) {
        scanner = SOQLScanner(hasComments: true, hasBraces: language == .search)
    }

    /// The kind of value that is allowed after the text so far.
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

    package mutating func passValue() {
        walk.takeValue()
        isBehindValue = true
    }

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
    /// The number of bytes that were read.
    private var count = 0
    /// Whether the end of the text is between double quotes, and whether it is after a backslash.
    private(set) var isPhrase = false, isEscaped = false
    /// Whether a value would touch a word or a sign.
    private(set) var isGlued = false

    /// Reads the new part of a text that begins with its brace.
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
    /// The name without the colon.
    package let name: String
    /// The range in UTF-8 bytes that the value replaces.
    package let range: Range<Int>
    /// The start of the range.
    package let position: SOQLPosition
    /// The kind of value.
    package let place: SOQLPlace

    /// The variables of a text in order, outside of quotes, comments, the braces of a search, dates and times.
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
