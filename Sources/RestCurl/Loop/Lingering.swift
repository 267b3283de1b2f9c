// SPDX-License-Identifier: Apache-2.0

/// Whether the loop should look for work a little longer before it sleeps.
///
/// To sleep and be woken takes time. While several transfers are under way the next answer, or the next request of a
/// caller who was just answered, is often there sooner. Where it is not, as with a server far away or with one
/// processor, the loop soon stops looking: each look in vain doubles the number of times it sleeps at once.
struct Lingering {
    /// The longest look; a longer one gained nothing on loopback.
    static let longest = Duration.microseconds(50)
    /// The most times in a row the loop sleeps at once.
    private static let mostSkipped = 256

    private var skipped = 1
    private var left = 0

    /// Whether to look now.
    mutating func isWorthwhile() -> Bool {
        guard left > 0 else { return true }
        left -= 1
        return false
    }

    /// Takes note of what a look was good for.
    mutating func note(foundWork: Bool) {
        skipped = foundWork ? 1 : min(skipped * 2, Self.mostSkipped)
        left = skipped - 1
    }
}
