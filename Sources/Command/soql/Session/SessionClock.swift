// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The time of day where the user is.
enum SessionClock {
    /// The time now: `14:05:09`.
    static var now: String {
        var seconds = time(nil)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let numbers = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
