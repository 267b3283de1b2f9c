// SPDX-License-Identifier: Apache-2.0

/// Counts events by name and says when there were too many, as a value without I/O.
///
/// The count of a name begins with its first event and is forgotten a period later. The event that makes it full begins
/// the period anew: from then on the name is blocked for all of it.
struct AttemptLimiter: Sendable {
    private struct Window {
        var start: ContinuousClock.Instant
        var count = 0
    }

    let most: Int
    let period: Duration
    private var windows: [String: Window] = [:]
    /// Names kept at once; those whose time is over are dropped beyond it.
    private static let capacity = 10_000

    init(most: Int, period: Duration) {
        self.most = max(1, most)
        self.period = period
    }

    /// How long the name stays blocked, or `nil` when it is not.
    func block(of name: String, at now: ContinuousClock.Instant) -> Duration? {
        guard let window = windows[name], window.count >= most, now < window.start + period else { return nil }
        return window.start + period - now
    }

    mutating func count(_ name: String, at now: ContinuousClock.Instant) {
        if windows.count >= Self.capacity { windows = windows.filter { now < $0.value.start + period } }
        var window = windows[name] ?? Window(start: now)
        if now >= window.start + period { window = Window(start: now) }
        window.count += 1
        if window.count == most { window.start = now }
        windows[name] = window
    }

    mutating func forget(_ name: String) { windows[name] = nil }
    mutating func forgetAll() { windows.removeAll() }
}
