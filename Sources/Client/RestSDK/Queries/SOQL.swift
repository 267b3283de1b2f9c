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
/// A value is allowed where a literal is allowed: after a comparison, `LIKE`, `LIMIT`, `OFFSET`, and the colon of a
/// date formula. A list is allowed after `IN`, `INCLUDES` and `EXCLUDES`. In all other positions a value is rejected:
/// in quotes, in a comment, in place of a name, or next to a letter or a digit. A value without a literal is rejected
/// too, such as an empty list or an infinite number. The call then fails before anything is sent. To insert text
/// without changes (a field name, a whole query from a user), use the explicit `\(raw: text)`.
public struct SOQL: Sendable, CustomStringConvertible {
    /// The text of the query with its values, as it is sent.
    public let text: String
    /// The text of the query for people and logs, with `?` in place of each bound value.
    public let description: String
    /// The reason why a value cannot be bound, or `nil`.
    package let problem: String?
    /// The first value that cannot be bound, counted from 1, and the reason.
    package private(set) var refused: (value: Int, reason: SOQLRejection)?

    init(text: String, description: String, problem: String?) {
        (self.text, self.description, self.problem) = (text, description, problem)
    }

    /// Makes a query from a complete text, for example from a file, a command line or a user.
    public init(raw text: String) {
        self.text = text
        description = text
        problem = nil
    }
}

extension SOQL: Hashable {
    /// Whether both queries send the same text.
    public static func == (left: SOQL, right: SOQL) -> Bool {
        left.text == right.text && left.problem == right.problem
    }

    /// Hashes the text that is sent.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension SOQL: ExpressibleByStringInterpolation {
    /// Makes a query from a literal, without changes.
    public init(stringLiteral value: String) { self.init(raw: value) }

    /// Makes a query from a literal with bound values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.query.text
        description = stringInterpolation.query.shown
        problem = stringInterpolation.query.problem
        refused = stringInterpolation.query.refused
    }

    /// A wildcard before or after the text of `\(like:)`.
    public enum Wildcard: Sendable, Hashable, CaseIterable {
        /// `%`: any number of characters, or none.
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

    /// Collects the parts of a query and binds its values.
    public struct StringInterpolation: StringInterpolationProtocol {
        var query: SOQLText

        /// Reserves capacity for the literal parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            query = SOQLText(.query, capacity: literalCapacity + min(interpolationCount, 1_000) * 16)
        }

        /// Appends a literal part.
        public mutating func appendLiteral(_ literal: String) { query.paste(literal) }

        /// Binds a value.
        ///
        /// After `LIKE`, a string is a pattern in which `%` and `_` are wildcards. To match them literally, use
        /// `\(like:)`.
        public mutating func appendInterpolation(_ value: some SOQL.Bindable) {
            query.bind(value.soqlLiteral, SOQLText.description(of: value))
        }

        /// Binds an optional value, with `null` for `nil`.
        public mutating func appendInterpolation(_ value: (some SOQL.Bindable)?) {
            guard let value else { return query.bind(.null) }
            appendInterpolation(value)
        }

        /// Binds a list for `IN`, `NOT IN`, `INCLUDES` or `EXCLUDES`, which must not be empty.
        public mutating func appendInterpolation(_ values: [some SOQL.Bindable]) {
            query.bind(values.map { $0.soqlLiteral }) { SOQLText.description(of: values[$0]) }
        }

        /// Binds a string for `LIKE` that matches itself: `%` and `_` are escaped.
        ///
        /// - Parameters:
        ///   - value: the text to find.
        ///   - prefix: a wildcard before the text.
        ///   - suffix: a wildcard after the text. `\(like: "Ac", suffix: .anyRun)` finds everything that begins with
        ///     `Ac`.
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

        /// Inserts text without changes.
        ///
        /// Never use it for an untrusted value, which could change the query. Values after the text are bound according
        /// to the syntax at the end of the text.
        public mutating func appendInterpolation(raw text: String) { query.paste(text) }
    }
}

extension Decimal: SOQL.Bindable {
    /// The number without an exponent, or `nil` for NaN.
    public var soqlLiteral: SOQLLiteral? { isNaN ? nil : SOQLNumber("\(self)").map(SOQLLiteral.number) }
}

extension SOQL.Bindable where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The number without an exponent, which SOQL does not have, or `nil` if it is infinite or too precise for a
    /// `Decimal`.
    public var soqlLiteral: SOQLLiteral? {
        isFinite ? (SOQLNumber("\(self)").map(SOQLLiteral.number) ?? Decimal(string: "\(self)")?.soqlLiteral) : nil
    }
}

extension Double: SOQL.Bindable {}
extension Float: SOQL.Bindable {}

extension Date: SOQL.Bindable {
    /// A datetime literal in UTC, rounded to Salesforce's precision of milliseconds, or `nil` outside the years 1 to
    /// 9999.
    ///
    /// As in records, the date is in the Gregorian calendar, even before its introduction in 1582.
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
    /// An enumeration with raw values needs only the conformance: `enum Stage: String, SOQL.Bindable { … }` is bound by
    /// its raw value.
    public protocol Bindable {
        /// The value as a literal of SOQL, or `nil` if it has no literal.
        var soqlLiteral: SOQLLiteral? { get }
    }
}

extension SOQL.Bindable where Self: RawRepresentable, RawValue: SOQL.Bindable {
    /// The literal of the raw value.
    public var soqlLiteral: SOQLLiteral? { rawValue.soqlLiteral }
}

extension SOQL.Bindable where Self: StringProtocol {
    /// A quoted, escaped string literal.
    public var soqlLiteral: SOQLLiteral? { .string(String(self)) }
}

extension String: SOQL.Bindable {}
extension Substring: SOQL.Bindable {}

extension SOQL.Bindable where Self: BinaryInteger {
    /// The digits of the number.
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
    /// A literal `YYYY-MM-DD`, or `nil` if the date does not exist.
    public var soqlLiteral: SOQLLiteral? { isValid ? .date(self) : nil }
}
