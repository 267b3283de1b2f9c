// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONEncodingOptions {
    /// How a `Date` stands in JSON.
    public enum DateForm: Sendable {
        /// Text in a form of ISO 8601, also the platform's own `2026-01-29T10:11:12.000+0000`; a day alone is its
        /// midnight in UTC.
        ///
        /// Dates are written in UTC, rounded to the milliseconds that the platform keeps: `2026-01-29T10:11:12.000Z`.
        case text
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// Whatever the functions make a date of, and of a date; `nil` does not fit. Without the second one dates
        /// cannot be written.
        case custom(
            _ read: @Sendable (JSONValue) -> Date?, write: (@Sendable (Date) -> JSONValue?)? = nil)
    }
}

extension JSONEncodingOptions {
    /// Options that write Foundation's types as `JSONDecodingOptions.foundation(dates:keyStrategy:)` reads
    /// them: `Date` in the given form, `Decimal` digit for digit, `URL` as text, `Data` as text in base 64.
    ///
    /// A date that the form cannot write, such as one before the year 1, and a `Decimal` that is not a number end the
    /// encoding with a `JSONEncodingError` that names its place.
    ///
    /// - Parameters:
    ///   - dates: how dates stand in the JSON.
    ///   - keyStrategy: how coding keys become names.
    /// - Returns: the options.
    public static func foundation(
        dates: JSONEncodingOptions.DateForm = .text, keyStrategy: KeyStrategy = .useDefaultKeys
    ) -> JSONEncodingOptions {
        var options = JSONEncodingOptions(keyStrategy: keyStrategy)
        options.encode(Date.self) { date in try dates.json(of: date).orUnwritable("the date") }
        options.encode(Decimal.self) { number in
            try (number.isNaN ? nil : JSONValue(numberText: "\(number)")).orUnwritable("the number")
        }
        options.encode(URL.self) { JSONValue($0.absoluteString) }
        options.encode(Data.self) { JSONValue($0.base64EncodedString()) }
        return options
    }
}

/// A value of one of Foundation's types has no place in JSON.
private struct Unwritable: Error, CustomStringConvertible {
    let description: String
}

extension JSONValue? {
    fileprivate func orUnwritable(_ what: String) throws -> JSONValue {
        guard let self else { throw Unwritable(description: "\(what) cannot be written as JSON") }
        return self
    }
}

extension JSONEncodingOptions.DateForm {
    fileprivate func json(of date: Date) -> JSONValue? {
        switch self {
        case .text: JSONTimestamp(rounding: date.timeIntervalSince1970)?.text.map { JSONValue($0) }
        case .secondsSince1970: JSONValue(date.timeIntervalSince1970)
        case .millisecondsSince1970: JSONValue(date.timeIntervalSince1970 * 1_000)
        case .custom(_, let write): write?(date)
        }
    }
}

extension JSONDecodingOptions {
    /// Options that read Foundation's types: `Date` in the given form, `Decimal` digit for digit, `URL` as text, `Data`
    /// as text in base 64.
    ///
    /// - Parameters:
    ///   - dates: how dates stand in the JSON.
    ///   - keyStrategy: how names become coding keys.
    /// - Returns: the options.
    public static func foundation(
        dates: JSONEncodingOptions.DateForm = .text, keyStrategy: KeyStrategy = .useDefaultKeys
    ) -> JSONDecodingOptions {
        var options = JSONDecodingOptions(keyStrategy: keyStrategy)
        options.decode(Date.self) { value in dates.date(of: value) }
        options.decode(Decimal.self) { value in value.numberText.flatMap { Decimal(numberText: $0) } }
        options.decode(URL.self) { value in value.string.flatMap { URL(string: $0) } }
        options.decode(Data.self) { value in value.string.flatMap { Data(base64Encoded: $0) } }
        return options
    }
}

extension Decimal {
    /// The number, or `nil` when it is beyond the range of decimal numbers.
    fileprivate init?(numberText text: String) {
        guard let value = Decimal(string: text), !value.isNaN else { return nil }
        self = value
    }
}

extension JSONEncodingOptions.DateForm {
    fileprivate func date(of value: JSONValue) -> Date? {
        switch self {
        case .text:
            value.string.flatMap { JSONTimestamp($0) }.map { Date(timeIntervalSince1970: $0.secondsSince1970) }
        // bounded: a date takes any number
        case .secondsSince1970: value.double.map { Date(timeIntervalSince1970: $0) }
        // bounded: a date takes any number
        case .millisecondsSince1970: value.double.map { Date(timeIntervalSince1970: $0 / 1_000) }
        case .custom(let read, _): read(value)
        }
    }
}

// RestJSON knows no type of Foundation. Whoever imports RestSDK gets the rules for them without asking: the same value
// is read from an answer, from a part of one, and written into a request.

extension JSONValue {
    /// Makes the JSON value of an `Encodable` one: a `Decimal` digit for digit, a `Date` as the API's date-time, a
    /// `URL` as text, `Data` as text in base 64.
    ///
    /// - Parameter value: what to write.
    /// - Throws: `JSONEncodingError` with the path to the value that cannot be written.
    public init(encoding value: some Encodable) throws(JSONEncodingError) {
        try self.init(encoding: value, options: .standard)
    }

    /// Reads the value as a `Decodable` type, with `Decimal`, `Date`, `URL` and `Data` as they are written.
    ///
    /// - Parameter type: the type to make.
    /// - Returns: the value.
    /// - Throws: `JSONDecodingError` with the path to the fault.
    public func decode<T: Decodable>(_ type: T.Type) throws(JSONDecodingError) -> T {
        try decode(type, options: .standard)
    }
}

extension JSONDecodingOptions {
    /// The rules for Foundation's types, made once.
    fileprivate static let standard = foundation()
}

extension JSONEncodingOptions {
    /// The rules for Foundation's types, made once.
    fileprivate static let standard = foundation()
}

extension JSONObject {
    /// The members as a plain dictionary, for code that expects one; of a name that repeats the last member
    /// counts.
    ///
    /// Values are `String`, `Bool`, `Int`, `Double`, `Decimal`, `[String: any Sendable]` and `[any Sendable]`; `null`
    /// stays `JSONValue.null`, so that it is not lost. A number is an `Int` if it is one, a `Double` if it has up to 15
    /// digits, else a `Decimal`.
    public var dictionary: [String: any Sendable] {
        var dictionary: [String: any Sendable] = [:]
        for member in self { dictionary[member.key] = member.value.plain }
        return dictionary
    }
}

extension JSONArray {
    /// The elements as a plain array; see `JSONObject.dictionary`.
    public var array: [any Sendable] { map(\.plain) }
}

extension JSONValue {
    fileprivate var plain: any Sendable {
        if let string { return string }
        if let bool { return bool }
        if let int { return int }
        if let numberText { return number(numberText) }
        if let object { return object.dictionary }
        if let array { return array.array }
        return self
    }

    /// A double, which gives back up to 15 digits as they were written; beyond that a decimal.
    private func number(_ text: String) -> any Sendable {
        let digits = text.prefix(beforeAny: "eE").without("-+.").drop(anyOf: "0")
        if digits.utf8.count <= 15, let double { return double }
        return Decimal(string: text) ?? double ?? self
    }
}
