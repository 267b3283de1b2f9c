// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
