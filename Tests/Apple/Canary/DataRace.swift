// SPDX-License-Identifier: Apache-2.0

// expect: risks causing data races
final class Counter { var count = 0 }

@MainActor func race() {
    let counter = Counter()
    Task.detached { counter.count += 1 }
    counter.count += 1
}
