// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// The text of a query or a search under construction, in which values are bound according to the syntax around them.
struct SOQLText: Sendable {
    private(set) var text = ""
    /// The text with `?` in place of each value.
    private(set) var shown = ""
    /// The first value that cannot be bound, counted from 1, and the reason.
    private(set) var refused: (value: Int, reason: SOQLRejection)?
    private var places: SOQLPlaceReader
    private var values = 0

    var problem: String? { refused.map { "value \($0.value): \($0.reason.advice)" } }

    init(_ language: SOQLPlace.Language, capacity: Int) {
        places = SOQLPlaceReader(language)
        // bounded: by the length of a literal in the source
        text.reserveCapacity(capacity)
    }

    mutating func paste(_ chunk: String) {
        places.pass(chunk)
        text += chunk
        shown += chunk
        if places.isCrowded { refuse(.crowded) }
    }

    /// Binds a value, which `description` describes if it has no literal.
    mutating func bind(_ literal: SOQLLiteral?, _ description: @autoclosure () -> String = "this value") {
        put { (place) throws(SOQLRejection) in
            guard let literal, literal.isValid else { throw .unwritable(description()) }
            switch place {
            case .literal, .item, .set, .degrees: return literal.text
            case .pattern: return try Self.pattern(literal)
            case .count, .days: return try Self.count(literal)
            case .term: return try Self.term(literal)
            case .phrase: return try Self.phrase(literal)
            case .list, .sets: throw .wantsList
            default: throw Self.rejection(at: place)
            }
        }
    }

    mutating func bind(
        _ literals: [SOQLLiteral?], _ description: (Int) -> String = { "value \($0 + 1) of the list" }
    ) {
        put { (place) throws(SOQLRejection) in
            guard place.isWholeList else { throw Self.rejection(at: place, otherwise: .strayList) }
            guard !literals.isEmpty else { throw .emptyList }
            var texts: [String] = []
            for (index, literal) in literals.enumerated() {
                guard let literal, literal.isValid else { throw .unwritable(description(index)) }
                texts.append(literal.text)
            }
            return "(" + texts.joined(separator: ",") + ")"
        }
    }

    mutating func bind(_ pattern: SOQLPattern) {
        put { (place) throws(SOQLRejection) in
            guard place == .pattern else { throw Self.rejection(at: place, otherwise: .strayPattern) }
            return pattern.text
        }
    }

    mutating func bind(prefix: String) {
        put { (place) throws(SOQLRejection) in
            guard place == .term else { throw Self.rejection(at: place, otherwise: .strayPrefix) }
            return try Self.term(.string(prefix)) + "*"
        }
    }

    private mutating func put(_ write: (SOQLPlace) throws(SOQLRejection) -> String) {
        values += 1
        do throws(SOQLRejection) {
            text += try write(places.place)
        } catch {
            refuse(error)
            text += "?"
        }
        shown += "?"
        places.passValue()
    }

    private mutating func refuse(_ reason: SOQLRejection) {
        refused = refused ?? (values, reason)
    }

    /// Returns the reason why a value is not allowed in this context, or `otherwise` if another kind of value is.
    private static func rejection(at place: SOQLPlace, otherwise: SOQLRejection = .name) -> SOQLRejection {
        switch place {
        case .quoted: .quoted
        case .comment: .comment
        case .name: .name
        case .crowded: .crowded
        case .literal, .list, .item, .sets, .set, .pattern, .count, .days, .degrees, .term, .phrase: otherwise
        }
    }
}

// MARK: - Literals by their places

extension SOQLText {
    /// A plain string as a pattern, in which its wildcards keep their meaning.
    private static func pattern(_ literal: SOQLLiteral) throws(SOQLRejection) -> String {
        guard case .string = literal else { throw .wantsText }
        return literal.text
    }

    private static func count(_ literal: SOQLLiteral) throws(SOQLRejection) -> String {
        guard case .number(let number) = literal, number.isInteger, !number.text.hasBytes(prefix: "-") else {
            throw .wantsCount
        }
        return number.text
    }

    /// The value as a text to search for, in which operators are ordinary words.
    private static func term(_ literal: SOQLLiteral) throws(SOQLRejection) -> String {
        // Split by scalars, because a space followed by a combining accent is one `Character`.
        try phrase(literal).unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
            .map { String(String.UnicodeScalarView($0)) }
            .map { operators.contains($0.uppercased()) ? "\"\($0)\"" : $0 }
            .joined(separator: " ")
    }

    private static func phrase(_ literal: SOQLLiteral) throws(SOQLRejection) -> String {
        let value = if case .string(let text) = literal { text } else { literal.text }
        guard value.hasLetters else { throw .nothingToFind }
        return SOSL.escaped(value)
    }

    private static let operators: Set<String> = ["AND", "OR", "NOT"]
}

/// The reason why a value cannot be bound, with advice.
package enum SOQLRejection: Error {
    case quoted, comment, name, crowded
    case wantsList, wantsCount, wantsText
    case strayList, strayPattern, strayPrefix
    case emptyList, nothingToFind
    /// The description of a value without a literal.
    case unwritable(String)

    package var advice: String {
        switch self {
        case .quoted: "values are quoted for you; remove the quotes around the value, and write a pattern as \\(like:)"
        case .comment: "a comment cannot hold a value"
        case .name: "a value is not allowed here; choose names and clauses in your code and insert them with \\(raw:)"
        case .crowded:
            "a value must be a separate word; put a space before and after it, or write \\(prefix:) in a search"
        case .wantsList: "IN, INCLUDES and EXCLUDES take a list, such as \\([value])"
        case .wantsCount: "a whole number of 0 or more is needed here"
        case .wantsText: "LIKE takes a string or \\(like:)"
        case .strayList: "a list has its own parentheses and is allowed only after IN, INCLUDES and EXCLUDES"
        case .strayPattern: "\\(like:) is allowed only after LIKE"
        case .strayPrefix: "\\(prefix:) is allowed only between the braces of FIND, outside quotes"
        case .emptyList: "the list is empty, and the server rejects IN ()"
        case .unwritable(let value):
            "\(value) has no literal; bind a finite number, or a date in the calendar from 0001-01-01 to 9999-12-31"
        case .nothingToFind: "a search term needs at least one letter or digit"
        }
    }
}
