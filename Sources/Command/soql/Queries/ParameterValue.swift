// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLSyntax

/// The value of a parameter: a literal of the query language, or a list of them.
enum ParameterValue: Equatable, Sendable {
    case one(SOQLLiteral)
    case list([SOQLLiteral])

    /// What a value is, by the word behind the parameter's name: `--param since:date=2026-01-31`.
    enum Kind: String, CaseIterable {
        case text, number, boolean, date, datetime, time, null
        /// Lists of texts, and of the others.
        case list, numbers, dates, datetimes

        /// What each value of a list is; `nil` for what is no list.
        fileprivate var element: Kind? {
            switch self {
            case .list: .text
            case .numbers: .number
            case .dates: .date
            case .datetimes: .datetime
            default: nil
            }
        }

        /// An example of what the kind takes.
        fileprivate var example: String {
            switch self {
            case .text, .list: "a text"
            case .number, .numbers: "a number such as 12.5"
            case .boolean: "true or false"
            case .date, .dates: "a day such as 2026-01-31, or a date formula such as LAST_N_DAYS:30"
            case .datetime, .datetimes: "an instant such as 2026-01-31T12:00:00Z"
            case .time: "a time such as 12:30:00Z"
            case .null: "nothing behind the ="
            }
        }
    }

    /// Reads a value; a list is divided by commas, or with `@FILE` has a value on each line of a file.
    ///
    /// - Throws: ``UsageError`` for a text that is no such value; `name` is the parameter's.
    init(_ text: String, as kind: Kind, of name: String) throws(UsageError) {
        guard let element = kind.element else {
            self = .one(try Self.literal(text, kind, name))
            return
        }
        let texts =
            if let file = text.removing(prefix: "@") { try Self.lines(of: String(file)) } else { Self.items(text) }
        guard !texts.isEmpty else { throw UsageError("the list of parameter '\(name)' is empty") }
        var literals: [SOQLLiteral] = []
        for text in texts { literals.append(try Self.literal(text, element, name)) }
        self = .list(literals)
    }

    private static func literal(_ text: String, _ kind: Kind, _ name: String) throws(UsageError) -> SOQLLiteral {
        if kind == .text { return .string(text) }
        if kind == .null, text.isEmpty { return .null }
        guard let literal = SOQLLiteral(parsing: text), kind.takes(literal) else {
            throw UsageError("parameter '\(name)' takes \(kind.example), not '\(text)'")
        }
        return literal
    }

    private static func items(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(byte: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of a file that are not empty.
    private static func lines(of file: String) throws(UsageError) -> [String] {
        let text = try StandardInput.read(file: file, most: 16 << 20)
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        return scalars.split { $0 == "\n" || $0 == "\r" }.map { String(String.UnicodeScalarView($0)) }
    }
}

extension ParameterValue.Kind {
    fileprivate func takes(_ literal: SOQLLiteral) -> Bool {
        switch (self, literal) {
        case (.number, .number), (.boolean, .boolean), (.date, .date), (.date, .formula), (.datetime, .dateTime),
            (.time, .time):
            true
        default: false
        }
    }
}
