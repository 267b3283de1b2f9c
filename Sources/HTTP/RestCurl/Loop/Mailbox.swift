// SPDX-License-Identifier: Apache-2.0

/// What other threads hand to the loop thread, and whether that thread must be woken for it.
///
/// One wake-up serves every message posted until the loop looks again. Waiters are those who await the end of the loop.
struct Mailbox<Message, Waiter> {
    /// What whoever posted must do after the lock is released.
    enum Action {
        /// The loop is awake, or will be, and finds the message by itself.
        case none
        /// This is the first message: start the thread.
        case startThread
        /// The thread sleeps: wake it.
        case wake
        /// There is no loop any more, or none yet that the message could concern; it was not taken.
        case refuse
    }

    private enum Phase {
        /// No thread yet.
        case idle
        /// The thread runs.
        case running
        /// The thread was told to end and takes no new messages.
        case stopping
        /// There is no thread any more.
        case closed
    }

    private var phase = Phase.idle
    private var messages: [Message] = []
    private var waiters: [Waiter] = []
    private var isAsleep = false

    /// Leaves a message for the loop.
    ///
    /// - Parameters:
    ///   - message: what the loop is told.
    ///   - isFirst: whether the message may be the first one; any other concerns work the loop has begun.
    /// - Returns: what the sender must do.
    mutating func post(_ message: Message, isFirst: Bool) -> Action {
        switch phase {
        case .idle:
            guard isFirst else { return .refuse }
            phase = .running
            messages.append(message)
            return .startThread
        case .running:
            messages.append(message)
            return wake()
        case .stopping, .closed:
            return .refuse
        }
    }

    /// Tells the loop to end; a waiter is kept until the loop has closed.
    ///
    /// `refuse` means that the loop has ended already.
    mutating func stop(_ waiter: Waiter?) -> Action {
        switch phase {
        case .idle, .closed:
            phase = .closed
            return .refuse
        case .running, .stopping:
            phase = .stopping
            if let waiter { waiters.append(waiter) }
            return wake()
        }
    }

    /// The loop takes all messages in the order they came; the given array is emptied and kept for the next ones.
    ///
    /// - Returns: whether the loop was told to end.
    mutating func collect(into taken: inout [Message]) -> Bool {
        isAsleep = false
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &messages)
        return phase == .stopping
    }

    /// Whether something was posted that the loop has not taken.
    var hasMessages: Bool { !messages.isEmpty }

    /// The loop wants to sleep; refused when there is something to do.
    mutating func fallAsleep() -> Bool {
        guard messages.isEmpty, phase == .running else { return false }
        isAsleep = true
        return true
    }

    /// The loop has ended; gives those who await it.
    mutating func close() -> [Waiter] {
        phase = .closed
        defer { waiters = [] }
        return waiters
    }

    private mutating func wake() -> Action {
        guard isAsleep else { return .none }
        isAsleep = false
        return .wake
    }
}
