// SPDX-License-Identifier: Apache-2.0

/// The turn of the loop under way, whose beginning stands for all that happens in it: the clock is read once for many
/// transfers.
///
/// Used by the loop thread only.
final class LoopTurn {
    private(set) var start = ContinuousClock.now
    private(set) var number = 0

    /// The next turn begins.
    func begin() {
        number += 1
        start = .now
    }
}
