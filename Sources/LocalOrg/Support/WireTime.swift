// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Points in time as the platform writes them, in UTC: `2026-01-29T10:11:12.000+0000` and `2026-01-29`.
enum WireTime {
    private static let millisecondsPerDay = 86_400_000

    /// Milliseconds since 1970 in UTC, now.
    static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// The present as a datetime.
    static var now: String { datetime(milliseconds: milliseconds) }

    static func datetime(milliseconds: Int64) -> String {
        let milliseconds = Int(clamping: milliseconds)
        let days = milliseconds.floorDivided(by: millisecondsPerDay)
        let rest = milliseconds - days * millisecondsPerDay
        let time = SOQLTime(hour: rest / 3_600_000, minute: rest / 60_000 % 60, second: rest / 1_000 % 60)
        return "\(date(days: Int64(days)))T\(time.text).\(String(1_000 + rest % 1_000).dropFirst())+0000"
    }

    /// The date so many days after 1970-01-01.
    static func date(days: Int64) -> String { CivilDay(number: Int(clamping: days)).date.text }
}
