// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Measures the ratio of the CPU times of long and short work on this thread.
///
/// Both run alternately, and the minimum of each counts, because other programs only lengthen times. A ratio that is
/// too large is measured again, up to twelve times, because only a real growth of the cost stays too large.
///
/// - Parameters:
///   - bound: the ratio from which the measurement is repeated.
///   - floor: the minimum time of the short work, in seconds, below which a measurement is meaningless.
///   - short: the short work.
///   - long: the long work.
/// - Returns: the ratio, which is `bound` or more only if no round measured a lower one.
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
