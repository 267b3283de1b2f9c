// SPDX-License-Identifier: Apache-2.0

/// A constant of the language.
public enum SOQLLiteral: Sendable, Hashable {
    /// No value.
    case null
    /// `TRUE` or `FALSE`.
    case boolean(Bool)
    /// Text, with the escapes resolved.
    case string(String)
    /// A number, kept digit for digit.
    case number(SOQLNumber)
    /// An amount in a currency: `USD5000.50`.
    case currency(SOQLCurrency)
    /// A calendar date, not necessarily one that exists.
    case date(SOQLDate)
    /// An instant, in the zone it was written in.
    case dateTime(SOQLDateTime)
    /// A time of day in UTC.
    case time(SOQLTime)
    /// A range of days relative to today.
    case formula(SOQLDateFormula)
}

extension SOQLLiteral {
    /// Whether the literal, once written, is read as itself: days and times exist, no count is negative.
    public var isValid: Bool {
        switch self {
        case .null, .boolean, .string, .number, .currency: true
        case .date(let date): date.isValid
        case .dateTime(let dateTime): dateTime.isValid
        case .time(let time): time.isValid
        case .formula(let formula): formula.isValid
        }
    }
}

/// An amount in a currency: `USD5000.50`.
public struct SOQLCurrency: Sendable, Hashable {
    /// The three letters of the currency (ISO 4217), in upper case.
    public let code: String
    /// The amount.
    public let amount: SOQLNumber

    /// An amount; `nil` unless the code is three letters A to Z and the amount begins with a digit.
    ///
    /// The language has no sign there.
    public init?(code: String, amount: SOQLNumber) {
        guard code.utf8.count == 3, code.utf8.allSatisfy(\.isASCIILetter), amount.text.utf8.first?.isASCIIDigit == true
        else { return nil }
        self.code = code.uppercased()
        self.amount = amount
    }

    /// The amount as written in a query.
    public var text: String { code + amount.text }
}

/// A decimal number, digit for digit as written, without `+` and blanks: `-12.50`.
public struct SOQLNumber: Sendable, Hashable {
    /// The digits.
    public let text: String

    /// A number from `[-] digits [. digits]` or `[-] . digits`; `nil` for any other text.
    public init?(_ text: String) {
        guard SOQLNumber.isNumber(text.utf8) else { return nil }
        self.text = text
    }

    init(scanned text: String) {
        self.text = text
    }

    /// Whether it was written without a decimal point.
    public var isInteger: Bool { !text.utf8.contains(UInt8(ascii: ".")) }
    /// The number, if it is an integer of 64 bits.
    public var integer: Int64? { Int64(text) }
    /// The nearest double; infinite when it is too large.
    public var double: Double { Double(text.utf8.first == UInt8(ascii: ".") ? "0" + text : text) ?? .infinity }

    private static func isNumber(_ text: String.UTF8View) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let fraction = parts.last, !fraction.isEmpty else { return false }
        return parts.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
    }
}

extension SOQLLiteral {
    /// Reads one literal as it stands in a query.
    ///
    /// - Returns: `nil` when the text is none, is more than one, or names a day or a time that does not exist.
    package init?(parsing text: String) {
        guard var parser = try? Parser(text), let value = try? parser.parseLiteral(), parser.token.kind == .end,
            value.literal.isValid
        else { return nil }
        self = value.literal
    }
}

/// The pattern of LIKE, with the escapes resolved.
public struct SOQLPattern: Sendable, Hashable {
    /// A piece of a pattern.
    public enum Element: Sendable, Hashable {
        /// `%`: any run of characters, also none.
        case anyRun
        /// `_`: exactly one character.
        case anyOne
        /// These characters themselves.
        case text(String)
    }

    /// The pieces in order; two texts never stand side by side.
    public private(set) var elements: [Element]
    /// Where the opening quote was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A pattern of pieces.
    public init(_ elements: [Element], position: SOQLPosition = .start) {
        self.elements = []
        self.position = position
        for element in elements { append(element) }
    }

    mutating func append(_ element: Element) {
        if case .text(let addition) = element, case .text(let text)? = elements.last {
            elements[elements.count - 1] = .text(text + addition)
        } else if element != .text("") {
            elements.append(element)
        }
    }
}

/// Puts values into the text of a query so that they cannot become a part of its grammar.
public enum SOQLEscaping {
    /// The text as a quoted string: `O'Hara` becomes `'O\'Hara'`.
    public static func quoted(_ text: String) -> String {
        "'" + escaped(text) + "'"
    }

    /// The text with `\`, quotes and control characters escaped, without quotes around it.
    public static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 2)
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// The text escaped so that in a LIKE pattern `%` and `_` mean themselves, without quotes around it.
    public static func escapedLikePattern(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 2)
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" { result.append("\\") }
            append(scalar, to: &result)
        }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\\": result += "\\\\"
        case "'": result += "\\'"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case "\u{08}": result += "\\b"
        case "\u{00}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
            result += "\\u" + scalar.value.hexadecimal(width: 4)
        default: result.unicodeScalars.append(scalar)
        }
    }
}

extension UInt32 {
    /// Hexadecimal digits with leading zeros up to a width.
    func hexadecimal(width: Int) -> String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}

extension SOQLLiteral {
    /// The literal as it is written in a query.
    public var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .string(let text): SOQLEscaping.quoted(text)
        case .number(let number): number.text
        case .currency(let amount): amount.text
        case .date(let date): date.text
        case .dateTime(let dateTime): dateTime.text
        case .time(let time): time.text + "Z"
        case .formula(let formula): formula.text
        }
    }

    /// A text as a quoted literal; the same as ``SOQLEscaping/quoted(_:)``.
    public static func text(_ text: String) -> String { SOQLEscaping.quoted(text) }
}

extension SOQLPattern {
    /// The pattern as it is written in a query, with quotes.
    public var text: String {
        var result = "'"
        for element in elements {
            switch element {
            case .anyRun: result += "%"
            case .anyOne: result += "_"
            case .text(let text): result += SOQLEscaping.escapedLikePattern(text)
            }
        }
        return result + "'"
    }
}
