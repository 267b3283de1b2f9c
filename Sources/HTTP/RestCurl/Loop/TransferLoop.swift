// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestBase
import RestTransport
import Synchronization

/// The border between callers and the loop thread: callers post, the thread takes.
///
/// The thread starts with the first message and ends after `stop`. It holds this object, not the transport, so that a
/// forgotten transport ends its thread.
final class TransferLoop: Sendable {
    enum Message: Sendable {
        case start(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
    }

    let configuration: CurlConfiguration
    private let multi: Mutex<MultiHandle?> = Mutex(nil)
    private let mailbox = Mutex(Mailbox<Message>())
    private let closed = AwaitedValue<Void>()

    init(configuration: CurlConfiguration) {
        self.configuration = configuration
    }

    /// Starts a transfer; ends it at once when the loop has been stopped.
    func start(_ transfer: Transfer) {
        switch mailbox.withLock({ $0.post(.start(transfer), isFirst: true) }) {
        case .none: break
        case .wake: wake()
        case .startThread: startThread()
        case .refuse: transfer.fail(.shutDown, "the transport was shut down")
        }
    }

    /// Ends a transfer with `.cancelled` now and lets the loop close its connection.
    func cancel(_ transfer: Transfer) {
        end(transfer, TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: false))
    }

    /// Ends a transfer with an error now and lets the loop close its connection.
    func end(_ transfer: Transfer, _ error: TransportError) {
        transfer.fail(error)
        post(.cancel(transfer))
    }

    /// Lets a transfer that paused for its reader or maker go on.
    func resume(_ transfer: Transfer) {
        post(.resume(transfer))
    }

    /// Tells the thread to end every transfer and itself.
    func stop() {
        if case .wake = mailbox.withLock({ $0.stop() }) { wake() }
    }

    /// Like `stop`, and returns when the connections are closed.
    func stopAndWait() async {
        switch mailbox.withLock({ $0.stop() }) {
        case .none, .startThread: break
        case .wake: wake()
        case .refuse: return
        }
        await closed.value()
    }

    /// The thread takes what was posted.
    func collect(into messages: inout [Message]) -> Bool {
        mailbox.withLock { $0.collect(into: &messages) }
    }

    /// Whether something was posted that the thread has not taken.
    var hasMessages: Bool { mailbox.withLock { $0.hasMessages } }

    /// The thread asks whether it may sleep.
    func fallAsleep() -> Bool {
        mailbox.withLock { $0.fallAsleep() }
    }

    /// The thread has ended.
    func close() {
        multi.withLock { $0 = nil }
        mailbox.withLock { $0.close() }
        closed.resolve(())
    }

    private func post(_ message: Message) {
        if case .wake = mailbox.withLock({ $0.post(message, isFirst: false) }) { wake() }
    }

    private func wake() {
        multi.withLock { $0 }?.wakeUp()
    }

    /// Makes the multi handle and the thread; transfers that wait for them fail when the system refuses either.
    private func startThread() {
        guard let handle = MultiHandle(configuration: configuration) else { return abandon() }
        multi.withLock { $0 = handle }
        if !runOnThread({ self.run() }) { abandon() }
    }

    /// What the thread does.
    private func run() {
        guard let handle = multi.withLock({ $0 }) else { return }
        var thread = LoopThread(loop: self, multi: consume handle)
        thread.run()
    }

    /// There can be no thread: whoever waits gets an error instead of silence.
    private func abandon() {
        stop()
        var messages: [Message] = []
        _ = collect(into: &messages)
        for case .start(let transfer) in messages {
            transfer.fail(.other, "no thread or descriptor left for the transport")
        }
        close()
    }
}

/// Runs work on a thread of its own.
///
/// - Returns: whether the system has a thread for it.
func runOnThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let context = unsafe Unmanaged.passRetained(Work(work))
    let failure = unsafe ccurl_start_thread(
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context.toOpaque())
    if failure != 0 { unsafe context.release() }
    return failure == 0
}

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

/// What other threads hand to the loop thread, and whether that thread must be woken for it.
///
/// One wake-up serves every message posted until the loop looks again.
struct Mailbox<Message> {
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

    /// Tells the loop to end; `refuse` means that the loop has ended already.
    mutating func stop() -> Action {
        switch phase {
        case .idle, .closed:
            phase = .closed
            return .refuse
        case .running, .stopping:
            phase = .stopping
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

    /// The loop has ended.
    mutating func close() { phase = .closed }

    private mutating func wake() -> Action {
        guard isAsleep else { return .none }
        isAsleep = false
        return .wake
    }
}
