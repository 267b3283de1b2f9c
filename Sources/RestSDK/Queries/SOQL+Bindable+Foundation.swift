// SPDX-License-Identifier: Apache-2.0

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
    public var soqlLiteral: SOQLLiteral? {
        guard (-62_135_596_800..<253_402_300_799).contains(timeIntervalSince1970) else { return nil }
        // bounded: by the years, above
        let milliseconds = Int64((timeIntervalSince1970 * 1_000).rounded())
        // bounded: by the years, above
        let second = Int64((Double(milliseconds) / 1_000).rounded(.down))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(second)))
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
            let minute = parts.minute, let wholeSecond = parts.second
        else { return nil }
        let time = SOQLTime(
            hour: hour, minute: minute, second: wholeSecond, nanosecond: Int(milliseconds - second * 1_000) * 1_000_000)
        return .dateTime(SOQLDateTime(date: SOQLDate(year: year, month: month, day: day), time: time))
    }
}
