// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A query whose interpolated values are bound: each becomes an escaped literal, so no value can change the query.
///
/// ```swift
/// let name = "D'Arcy \\ Sons"
/// let query: SOQL = "SELECT Id FROM Account WHERE Name = \(name) AND Industry IN \(["Banking", "Energy"])"
/// ```
/// A value can stand where a literal can: after a comparison, `LIKE`, `LIMIT`, `OFFSET` and the colon of a date
/// formula, a list after `IN`, `INCLUDES` and `EXCLUDES`. Everywhere else, inside quotes, where a name must stand, in a
/// comment, next to a letter or a digit, it is refused: the call reports it before anything is sent. The same goes for
/// a value that has no literal, such as an empty list or an infinite number. Text that is to stand in the query as it
/// is (a field name, a whole query from a user) needs the visible `\(raw: text)`.
public struct SOQL: Sendable, CustomStringConvertible {
    /// The query's text as it is sent, with the values.
    public let text: String
    /// The query's text for people and logs: `?` stands for each bound value.
    public let description: String
    /// Why the query cannot be sent, when a value cannot be bound.
    package let problem: String?
    /// Which interpolated value cannot be bound, counted from 1, and why.
    package private(set) var refused: (value: Int, reason: SOQLRefusal)?

    init(text: String, description: String, problem: String?) {
        (self.text, self.description, self.problem) = (text, description, problem)
    }

    /// Takes a whole query as it is: from a file, a command line, a person.
    public init(raw text: String) {
        self.text = text
        description = text
        problem = nil
    }
}

extension SOQL: Hashable {
    /// Whether the same would be sent.
    public static func == (left: SOQL, right: SOQL) -> Bool {
        left.text == right.text && left.problem == right.problem
    }

    /// Adds what would be sent.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension SOQL: ExpressibleByStringInterpolation {
    /// Takes a literal as it is.
    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    /// Takes a literal with its bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.query.text
        description = stringInterpolation.query.shown
        problem = stringInterpolation.query.problem
        refused = stringInterpolation.query.refused
    }

    /// What may stand beside the text of `\(like:)`.
    public enum Wildcard: Sendable, Hashable, CaseIterable {
        /// `%`: any run of characters, also none.
        case anyRun
        /// `_`: exactly one character.
        case anyOne

        var element: SOQLPattern.Element {
            switch self {
            case .anyRun: .anyRun
            case .anyOne: .anyOne
            }
        }
    }

    /// Collects the pieces of a query and binds the values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        var query: SOQLText

        /// Reserves room for the literal pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            query = SOQLText(.query, capacity: literalCapacity + min(interpolationCount, 1_000) * 16)
        }

        /// Takes a piece of the query itself.
        public mutating func appendLiteral(_ literal: String) {
            query.paste(literal)
        }

        /// Binds one value.
        ///
        /// After `LIKE` a text is a pattern, in which `%` and `_` are wildcards; see `\(like:)`.
        public mutating func appendInterpolation(_ value: some SOQL.Bindable) {
            query.bind(value.soqlLiteral, SOQLText.description(of: value))
        }

        /// Binds a value that may be absent; `nil` becomes `null`.
        public mutating func appendInterpolation(_ value: (some SOQL.Bindable)?) {
            guard let value else { return query.bind(.null) }
            appendInterpolation(value)
        }

        /// Binds a list for `IN`, `NOT IN`, `INCLUDES` and `EXCLUDES`.
        ///
        /// An empty list has no literal.
        public mutating func appendInterpolation(_ values: [some SOQL.Bindable]) {
            query.bind(values.map { $0.soqlLiteral }) { SOQLText.description(of: values[$0]) }
        }

        /// Binds a text for `LIKE` that matches itself: `%` and `_` in it are escaped.
        ///
        /// - Parameters:
        ///   - value: the text to find.
        ///   - prefix: what may stand before it.
        ///   - suffix: what may stand after it: `\(like: "Ac", suffix: .anyRun)` finds all that begins with `Ac`.
        public mutating func appendInterpolation(
            like value: String, prefix: Wildcard? = nil, suffix: Wildcard? = nil
        ) {
            let text = SOQLPattern.Element.text(value)
            query.bind(SOQLPattern([prefix?.element, text, suffix?.element].compactMap { $0 }))
        }

        /// Binds a pattern of texts and wildcards for `LIKE`.
        package mutating func appendInterpolation(like pattern: SOQLPattern) {
            query.bind(pattern)
        }

        /// Takes text as it is.
        ///
        /// Never pass a value from outside: it can change the query. Values after it are bound by the place to which
        /// the text leads.
        public mutating func appendInterpolation(raw text: String) {
            query.paste(text)
        }
    }
}

extension Decimal: SOQL.Bindable {
    /// The number without an exponent; `nil` for not-a-number.
    public var soqlLiteral: SOQLLiteral? { isNaN ? nil : SOQLNumber("\(self)").map(SOQLLiteral.number) }
}

extension SOQL.Bindable where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The number without an exponent, which the query language has not; `nil` if it is not finite or has more digits
    /// than a decimal number takes.
    public var soqlLiteral: SOQLLiteral? {
        isFinite ? (SOQLNumber("\(self)").map(SOQLLiteral.number) ?? Decimal(string: "\(self)")?.soqlLiteral) : nil
    }
}

extension Double: SOQL.Bindable {}
extension Float: SOQL.Bindable {}

extension Date: SOQL.Bindable {
    /// A datetime literal in UTC, rounded to the milliseconds that the platform keeps; `nil` outside the years 1 to
    /// 9999.
    ///
    /// The date is of the Gregorian calendar, also before its introduction in 1582, as in records.
    public var soqlLiteral: SOQLLiteral? {
        guard timeIntervalSince1970 >= -62_135_596_800, let moment = JSONTimestamp(rounding: timeIntervalSince1970),
            let date = moment.text.flatMap({ SOQLDate(String($0.prefix(10))) })
        else { return nil }
        let second = moment.secondOfDay
        let time = SOQLTime(
            hour: second / 3_600, minute: second / 60 % 60, second: second % 60, nanosecond: moment.nanoseconds)
        return .dateTime(SOQLDateTime(date: date, time: time))
    }
}

extension SOQLText {
    /// The description of a value that has no literal.
    static func description(of value: some Any) -> String {
        switch value {
        case let date as Date: date == .distantPast ? "Date.distantPast" : "the date \(date)"
        case let date as SOQLDate: "the date \(date)"
        case let number as any BinaryFloatingPoint: "the number \(number)"
        default: "this \(type(of: value))"
        }
    }
}

extension SOQL {
    /// A value that can be bound in a ``SOQL`` query.
    ///
    /// An enumeration with raw values needs nothing but the name: `enum Stage: String, SOQL.Bindable { … }` is bound by
    /// its raw value.
    public protocol Bindable {
        /// The value as a literal of the query language; `nil` when it has none.
        var soqlLiteral: SOQLLiteral? { get }
    }
}

extension SOQL.Bindable where Self: RawRepresentable, RawValue: SOQL.Bindable {
    /// The literal of the raw value.
    public var soqlLiteral: SOQLLiteral? { rawValue.soqlLiteral }
}

extension SOQL.Bindable where Self: StringProtocol {
    /// A quoted, escaped text literal.
    public var soqlLiteral: SOQLLiteral? { .string(String(self)) }
}

extension String: SOQL.Bindable {}
extension Substring: SOQL.Bindable {}

extension SOQL.Bindable where Self: BinaryInteger {
    /// The digits.
    public var soqlLiteral: SOQLLiteral? { SOQLNumber(String(self)).map(SOQLLiteral.number) }
}

extension Int: SOQL.Bindable {}
extension Int8: SOQL.Bindable {}
extension Int16: SOQL.Bindable {}
extension Int32: SOQL.Bindable {}
extension Int64: SOQL.Bindable {}
extension Int128: SOQL.Bindable {}
extension UInt: SOQL.Bindable {}
extension UInt8: SOQL.Bindable {}
extension UInt16: SOQL.Bindable {}
extension UInt32: SOQL.Bindable {}
extension UInt64: SOQL.Bindable {}
extension UInt128: SOQL.Bindable {}

extension Bool: SOQL.Bindable {
    /// `true` or `false`.
    public var soqlLiteral: SOQLLiteral? { .boolean(self) }
}

extension SOQLDate: SOQL.Bindable {
    /// A literal `YYYY-MM-DD`; `nil` for a day that no calendar has.
    public var soqlLiteral: SOQLLiteral? { isValid ? .date(self) : nil }
}
