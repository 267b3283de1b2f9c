// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension SOQLDateTime {
    /// The instant in UTC as datetimes are stored, `2026-01-29T10:11:12.000+0000`.
    ///
    /// It is `nil` when the date does not exist or has no four-digit year in UTC. What is finer than a millisecond is
    /// dropped, as the platform keeps no more.
    var wireText: String? {
        guard isValid else { return nil }
        let minutes = time.hour * 60 + time.minute - offsetMinutes
        let day = CivilDay(date) + minutes.floorDivided(by: 24 * 60)
        let minuteOfDay = minutes - minutes.floorDivided(by: 24 * 60) * 24 * 60
        let clock = SOQLTime(hour: minuteOfDay / 60, minute: minuteOfDay % 60, second: time.second).text
        let date = day.date
        guard (0...9_999).contains(date.year) else { return nil }
        let milliseconds = String(1_000 + time.nanosecond / 1_000_000).dropFirst()
        return date.text + "T" + clock + "." + milliseconds + "+0000"
    }
}
