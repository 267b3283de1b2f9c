// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONEncodingOptions {
    /// The format of a `Date` in JSON.
    public enum DateForm: Sendable {
        /// A string in ISO 8601, including Salesforce's form `2026-01-29T10:11:12.000+0000`.
        ///
        /// A date without a time is midnight in UTC. Dates are written in UTC, rounded to Salesforce's precision of
        /// milliseconds: `2026-01-29T10:11:12.000Z`.
        case text
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// The result of custom closures, which return `nil` for an invalid value, and without `write` only read dates.
        case custom(
            _ read: @Sendable (JSONValue) -> Date?, write: (@Sendable (Date) -> JSONValue?)? = nil)
    }
}

extension JSONEncodingOptions {
    /// Returns options that write Foundation's types as `JSONDecodingOptions.foundation(dates:keyStrategy:)` reads
    /// them.
    ///
    /// A `Date` is written in the given format, a `Decimal` digit for digit, a `URL` as a string, and `Data` as base64.
    /// A date that the format cannot represent, such as a date before the year 1, and a `Decimal` that is NaN throw a
    /// `JSONEncodingError` with the path of the value.
    ///
    /// - Parameters:
    ///   - dates: the format of dates.
    ///   - keyStrategy: converts coding keys to names.
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

/// A value of a Foundation type that cannot be represented in JSON.
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
    /// Returns options that read Foundation's types.
    ///
    /// A `Date` is read in the given format, a `Decimal` digit for digit, a `URL` from a string, and `Data` from
    /// base64.
    ///
    /// - Parameters:
    ///   - dates: the format of dates.
    ///   - keyStrategy: converts names to coding keys.
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

// RestJSON does not use Foundation. With RestSDK, the rules for Foundation's types apply by default: to responses, to
// parts of responses, and to requests.

extension JSONValue {
    /// Encodes a value, with a `Decimal` digit for digit, a `Date` as the API's date-time, a `URL` as a string, and
    /// `Data` as base64.
    ///
    /// - Parameter value: the value to encode.
    /// - Throws: `JSONEncodingError` with the path of the value that cannot be encoded.
    public init(encoding value: some Encodable) throws(JSONEncodingError) {
        try self.init(encoding: value, options: .standard)
    }

    /// Decodes the value, with `Decimal`, `Date`, `URL` and `Data` in the form in which they are encoded.
    ///
    /// - Parameter type: the type of the result.
    /// - Returns: the decoded value.
    /// - Throws: `JSONDecodingError` with the path of the first error.
    public func decode<T: Decodable>(_ type: T.Type) throws(JSONDecodingError) -> T {
        try decode(type, options: .standard)
    }
}

extension JSONDecodingOptions {
    fileprivate static let standard = foundation()
}

extension JSONEncodingOptions {
    fileprivate static let standard = foundation()
}

extension JSONObject {
    /// The members as a Swift dictionary.
    ///
    /// If a name occurs twice, the last member is used. The values are `String`, `Bool`, `Int`, `Double`, `Decimal`,
    /// `[String: any Sendable]` and `[any Sendable]`. `null` is `JSONValue.null`. A number is an `Int` if possible,
    /// otherwise a `Double` if it has up to 15 digits, otherwise a `Decimal`.
    public var dictionary: [String: any Sendable] {
        var dictionary: [String: any Sendable] = [:]
        for member in self { dictionary[member.key] = member.value.plain }
        return dictionary
    }
}

extension JSONArray {
    /// The elements as a Swift array, with values as in `JSONObject.dictionary`.
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

    /// Returns a `Double`, which keeps up to 15 digits exactly, or a `Decimal` for more digits.
    private func number(_ text: String) -> any Sendable {
        let digits = text.prefix(beforeAny: "eE").without("-+.").drop(anyOf: "0")
        if digits.utf8.count <= 15, let double { return double }
        return Decimal(string: text) ?? double ?? self
    }
}
