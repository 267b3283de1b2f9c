// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Measures the time of a processor that work takes on this thread, in seconds.
///
/// It is the least of three runs: what else the machine does hardly shows in it.
package func processorTime(of work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
        let begin = threadSeconds
        try work()
        least = min(least, threadSeconds - begin)
    }
    return least
}

private var threadSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
