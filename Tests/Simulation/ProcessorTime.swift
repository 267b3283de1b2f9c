// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Measures the processor time that work takes on this thread, in seconds.
///
/// The result is the least of three runs, so that other programs hardly affect it.
package func processorTime(of work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 { least = min(least, try time(of: work)) }
    return least
}

/// Measures how many times as much processor time long work takes as short work.
///
/// The two run in turn, and the least time of each counts: other programs lengthen a time and never shorten it. A ratio
/// that is too large is measured again, up to twelve times, because only a cost that really grows stays too large.
///
/// - Parameters:
///   - bound: the ratio from which the measurement is repeated.
///   - floor: the least time of the short work in seconds; a shorter time measures nothing.
///   - short: the short work.
///   - long: the long work.
/// - Returns: the ratio, which is at least `bound` only if all twelve rounds gave no lower one.
package func costRatio(
    below bound: Double, floor: Double = 0, short: () throws -> Void, long: () throws -> Void
) rethrows -> Double {
    var least = (short: Double.infinity, long: Double.infinity)
    for _ in 0..<12 {
        least.short = min(least.short, try time(of: short))
        least.long = min(least.long, try time(of: long))
        if least.long < bound * max(least.short, floor) { break }
    }
    return least.long / max(least.short, floor)
}

private func time(of work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let begin = now()
    try work()
    return now() - begin
}
