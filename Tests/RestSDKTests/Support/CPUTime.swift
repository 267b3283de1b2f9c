// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much time of a processor the work takes on this thread, the least of several times: what else the machine does
/// hardly shows in it.
func processorTime(of work: () throws -> Void) rethrows -> Double {
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
