// SPDX-License-Identifier: Apache-2.0

/// A literal of SOQL.
public enum SOQLLiteral: Sendable, Hashable {
    /// The value null.
    case null
    /// `TRUE` or `FALSE`.
    case boolean(Bool)
    /// A string with its escapes resolved.
    case string(String)
    /// A number with its digits as written.
    case number(SOQLNumber)
    /// An amount in a currency, such as `USD5000.50`.
    case currency(SOQLCurrency)
    /// A calendar date, which may not exist.
    case date(SOQLDate)
    /// A time in the zone as written.
    case dateTime(SOQLDateTime)
    /// A time of day in UTC.
    case time(SOQLTime)
    /// A range of days relative to today.
    case formula(SOQLDateFormula)
}

extension SOQLLiteral {
    /// Whether the printed literal is parsed as the same literal: its date or time exists, and no number is negative.
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

/// An amount in a currency, such as `USD5000.50`.
public struct SOQLCurrency: Sendable, Hashable {
    /// The three-letter currency code (ISO 4217) in upper case.
    public let code: String
    /// The amount.
    public let amount: SOQLNumber

    /// Creates an amount without a sign, or returns `nil` unless `code` is three letters and `amount` starts with a
    /// digit.
    public init?(code: String, amount: SOQLNumber) {
        guard code.utf8.count == 3, code.utf8.allSatisfy(\.isASCIILetter), amount.text.utf8.first?.isASCIIDigit == true
        else { return nil }
        self.code = code.uppercased()
        self.amount = amount
    }

    /// The amount as written in a query.
    public var text: String { code + amount.text }
}

/// A decimal number with its digits as written, without `+` and spaces, such as `-12.50`.
public struct SOQLNumber: Sendable, Hashable {
    /// The sign and the digits.
    public let text: String

    /// Creates a number from `[-] digits [. digits]` or `[-] . digits`, or returns `nil` for any other string.
    public init?(_ text: String) {
        guard SOQLNumber.isNumber(text.utf8) else { return nil }
        self.text = text
    }

    init(scanned text: String) {
        self.text = text
    }

    /// Whether the number was written without a decimal point.
    public var isInteger: Bool { !text.utf8.contains(UInt8(ascii: ".")) }
    /// The value, if it is a 64-bit integer.
    public var integer: Int64? { Int64(text) }
    /// The nearest double, or infinity if the number is too large.
    public var double: Double { Double(text.utf8.first == UInt8(ascii: ".") ? "0" + text : text) ?? .infinity }

    private static func isNumber(_ text: String.UTF8View) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let fraction = parts.last, !fraction.isEmpty else { return false }
        return parts.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
    }
}

extension SOQLLiteral {
    /// Parses exactly one literal as written in a query, or returns `nil` if it is invalid.
    package init?(parsing text: String) {
        guard var parser = try? Parser(text), let value = try? parser.parseLiteral(), parser.token.kind == .end,
            value.literal.isValid
        else { return nil }
        self = value.literal
    }
}

/// The pattern of LIKE with its escapes resolved.
public struct SOQLPattern: Sendable, Hashable {
    /// An element of a pattern.
    public enum Element: Sendable, Hashable {
        /// `%`: any number of characters, including none.
        case anyRun
        /// `_`: exactly one character.
        case anyOne
        /// A literal string.
        case text(String)
    }

    /// The elements in order, with adjacent strings joined.
    public private(set) var elements: [Element]
    /// The position of the opening quote.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a pattern from its elements.
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

/// Escapes values in the text of a query, so that they cannot become part of its syntax.
public enum SOQLEscaping {
    /// Returns the string in quotes, with escapes: `O'Hara` becomes `'O\'Hara'`.
    public static func quoted(_ text: String) -> String {
        "'" + escaped(text) + "'"
    }

    /// Returns the string with `\`, quotes and control characters escaped, without surrounding quotes.
    public static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 2)
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// Returns the string with `%` and `_` escaped as well for a LIKE pattern, without surrounding quotes.
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
    func hexadecimal(width: Int) -> String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}

extension SOQLLiteral {
    /// The literal as written in a query.
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

    /// Returns a string as a quoted literal, like ``SOQLEscaping/quoted(_:)``.
    public static func text(_ text: String) -> String { SOQLEscaping.quoted(text) }
}

extension SOQLPattern {
    /// The pattern as written in a query, with quotes.
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
