// SPDX-License-Identifier: Apache-2.0

public import RestJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
