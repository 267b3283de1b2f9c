// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Tells a caller how far a transfer has come, at most twenty times a second and once at the end.
struct ProgressReporter {
    private static let pause = Duration.milliseconds(50)

    private let handler: TransferProgress.Handler
    private var next = ContinuousClock.now

    init?(_ handler: TransferProgress.Handler?) {
        guard let handler else { return nil }
        self.handler = handler
    }

    /// Reports when the last report is old enough.
    mutating func report(_ progress: @autoclosure () -> TransferProgress) {
        let now = ContinuousClock.now
        guard now >= next else { return }
        next = now + Self.pause
        handler(progress())
    }

    /// Reports in any case.
    func reportEnd(_ progress: TransferProgress) {
        handler(progress)
    }
}
