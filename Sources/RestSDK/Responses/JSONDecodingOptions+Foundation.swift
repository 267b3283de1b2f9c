// SPDX-License-Identifier: Apache-2.0

public import RestJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a `Date` stands in JSON.
public enum DateForm: Sendable {
    /// Text in a form of ISO 8601, also the platform's own `2026-01-29T10:11:12.000+0000`; a day alone is its midnight
    /// in UTC.
    case text
    /// A number of seconds since 1970.
    case secondsSince1970
    /// A number of milliseconds since 1970.
    case millisecondsSince1970
    /// Whatever the function makes a date of; `nil` does not fit.
    case custom(@Sendable (JSONValue) -> Date?)
}

extension JSONDecodingOptions {
    /// Options that read Foundation's types: `Date` in the given form, and `Decimal` digit for digit.
    ///
    /// - Parameters:
    ///   - dates: how dates stand in the JSON.
    ///   - keyStrategy: how names become coding keys.
    public static func foundation(
        dates: DateForm = .text, keyStrategy: KeyStrategy = .useDefaultKeys
    ) -> JSONDecodingOptions {
        var options = JSONDecodingOptions(keyStrategy: keyStrategy)
        options.decode(Date.self) { value in dates.date(of: value) }
        options.decode(Decimal.self) { value in value.numberText.flatMap { Decimal(string: $0) } }
        return options
    }
}

extension DateForm {
    fileprivate func date(of value: JSONValue) -> Date? {
        switch self {
        case .text:
            value.string.flatMap { JSONTimestamp($0) }.map { Date(timeIntervalSince1970: $0.secondsSince1970) }
        // bounded: a date takes any number
        case .secondsSince1970: value.double.map { Date(timeIntervalSince1970: $0) }
        // bounded: a date takes any number
        case .millisecondsSince1970: value.double.map { Date(timeIntervalSince1970: $0 / 1_000) }
        case .custom(let read): read(value)
        }
    }
}
