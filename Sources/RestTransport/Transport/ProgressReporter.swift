// SPDX-License-Identifier: Apache-2.0

/// Tells a caller how far a transfer has come, at most twenty times a second and once at the end.
package struct ProgressReporter {
    private static let pause = Duration.milliseconds(50)

    /// Whom to tell; never called under a lock, since it may cancel the transfer.
    package let handler: TransferProgress.Handler
    private var next = ContinuousClock.now

    /// Makes a reporter for somebody who wants to know.
    package init(_ handler: @escaping TransferProgress.Handler) {
        self.handler = handler
    }

    /// Whether the last report is old enough for another one, which then counts as made.
    package mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        guard now >= next else { return false }
        next = now + Self.pause
        return true
    }

    /// Reports when the last report is old enough.
    package mutating func report(_ progress: @autoclosure () -> TransferProgress) {
        if isDue() { handler(progress()) }
    }

    /// Reports in any case.
    package func reportEnd(_ progress: TransferProgress) {
        handler(progress)
    }
}
