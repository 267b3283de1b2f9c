// SPDX-License-Identifier: Apache-2.0

public import RestJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONDecodingOptions {
    /// Options that read Foundation's types: `Date` in the given form, `Decimal` digit for digit, `URL` as text, `Data`
    /// as text in base 64.
    ///
    /// - Parameters:
    ///   - dates: how dates stand in the JSON.
    ///   - keyStrategy: how names become coding keys.
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
