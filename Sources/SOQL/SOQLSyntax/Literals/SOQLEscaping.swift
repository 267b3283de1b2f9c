// SPDX-License-Identifier: Apache-2.0

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
