// SPDX-License-Identifier: Apache-2.0

/// The turn of the loop under way, whose beginning stands for all that happens in it: the clock is read once for many
/// transfers.
///
/// Used by the loop thread only.
final class LoopTurn {
    private(set) var start = ContinuousClock.now
    private(set) var number = 0
    /// The lines for which libcurl has more room than it had before.
    var widened: [OriginLine] = []

    /// The next turn begins.
    func begin() {
        number += 1
        start = .now
    }
}

/// Knows the moment at which the loop must look at its transfers' deadlines, and so how long it may sleep.
///
/// Keeps one instant instead of a queue: it may be earlier than any deadline still alive, which costs one look too
/// many, and is never later than one.
struct DeadlineWatch {
    private var next: ContinuousClock.Instant?

    /// The longest sleep; the deadline is looked at again afterwards.
    static let longestSleep = 60_000

    /// Takes a further deadline into account.
    mutating func add(_ deadline: ContinuousClock.Instant) {
        if let next, next <= deadline { return }
        next = deadline
    }

    /// Whether a deadline may have passed; if so the watch is empty and must be told the ones that remain.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let next, next <= now else { return false }
        self.next = nil
        return true
    }

    /// How long the loop may sleep, in milliseconds, rounded up so that it does not wake too early and spin.
    func sleepMilliseconds(now: ContinuousClock.Instant = .now) -> Int32 {
        guard let next else { return Int32(Self.longestSleep) }
        let left = now.duration(to: next).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        guard left.seconds < Int64(Self.longestSleep / 1000) else { return Int32(Self.longestSleep) }
        return Int32(left.seconds * 1000) + Int32((left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
