// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time of day, which people and other clocks set; never used to measure how long something took.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Makes a clock from a function that gives milliseconds since the beginning of 1970 in UTC.
    package init(milliseconds read: @escaping @Sendable () -> Int64) {
        self.read = read
    }

    /// Milliseconds since the beginning of 1970 in UTC.
    package var milliseconds: Int64 { read() }
    /// Whole seconds since the beginning of 1970 in UTC.
    package var seconds: Int64 { read() / 1_000 }

    /// The system's clock.
    package static let system = WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
