// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the cost of a task grows with its input.
enum Growth {
    /// How many times as much processor time the task takes for four times the input: about 4 when the cost is linear,
    /// 16 when it is quadratic.
    ///
    /// Only this thread's own time counts, and the least of several runs, so that a loaded machine changes little.
    static func factor(from size: Int, _ task: (Int) throws -> Void) rethrows -> Double {
        let (small, large) = (try least(size, task), try least(size * 4, task))
        return large / max(small, 0.000_05)
    }

    private static func least(_ size: Int, _ task: (Int) throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<5 {
            let start = time
            try task(size)
            least = min(least, time - start)
        }
        return least
    }

    /// The processor time of this thread in seconds.
    private static var time: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
