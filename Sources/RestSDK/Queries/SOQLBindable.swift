// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that can be bound in a ``SOQL`` query.
public protocol SOQLBindable {
    /// The value as a literal of the query language; `nil` when it has none.
    var soqlLiteral: SOQLLiteral? { get }
}

/// The text of one literal, escaped already.
public struct SOQLLiteral: Sendable, Hashable {
    let text: String

    /// Wraps the text of a literal of the query language, taken as it is.
    public init(_ text: String) {
        self.text = text
    }
}

extension String: SOQLBindable {
    /// A quoted, escaped text literal.
    public var soqlLiteral: SOQLLiteral? { SOQLLiteral(SOQLEscaping.quoted(self)) }
}

extension Bool: SOQLBindable {
    /// `true` or `false`.
    public var soqlLiteral: SOQLLiteral? { SOQLLiteral(self ? "true" : "false") }
}

extension Int: SOQLBindable {
    /// The digits.
    public var soqlLiteral: SOQLLiteral? { SOQLLiteral(String(self)) }
}

extension Double: SOQLBindable {
    /// The number without an exponent, which the query language has not; `nil` if it is not finite.
    public var soqlLiteral: SOQLLiteral? {
        guard isFinite else { return nil }
        return SOQLLiteral(Decimal(string: String(self)).map { "\($0)" } ?? String(self))
    }
}

extension Decimal: SOQLBindable {
    /// The number without an exponent; `nil` for not-a-number.
    public var soqlLiteral: SOQLLiteral? { isNaN ? nil : SOQLLiteral("\(self)") }
}

extension Date: SOQLBindable {
    /// A datetime literal in UTC with milliseconds.
    public var soqlLiteral: SOQLLiteral? {
        SOQLLiteral(formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}

/// A calendar day, for fields of type `date`.
public struct SOQLDate: SOQLBindable, Sendable, Hashable {
    /// The literal `YYYY-MM-DD`.
    public let soqlLiteral: SOQLLiteral?

    /// Makes a day of the Gregorian calendar; one that no calendar has cannot be bound.
    public init(year: Int, month: Int, day: Int) {
        let lengths = [31, year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28,
                       31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (0...9_999).contains(year), (1...12).contains(month), (1...lengths[month - 1]).contains(day) else {
            soqlLiteral = nil
            return
        }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        soqlLiteral = SOQLLiteral("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
    }
}
