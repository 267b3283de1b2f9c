// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension EasyHandle {
    /// Whether the transfer has used up its deadline or one of the configured times.
    func lateness(of transfer: Transfer, at now: ContinuousClock.Instant) -> TransferActivity.Lateness {
        var activity = TransferActivity(last: lastActivity)
        activity.hasLeft = hasLeft
        activity.hasHead = receiver.hasHead
        activity.isSending = !sender.isDone
        activity.isPaused = isPaused
        return activity.lateness(
            at: now, deadline: transfer.deadline, firstByte: configuration.firstByteTimeout,
            idle: configuration.idleTimeout)
    }
}
