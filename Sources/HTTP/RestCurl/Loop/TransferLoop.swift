// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestBase
import RestTransport
import Synchronization

/// Passes messages from callers to the loop thread.
///
/// The thread starts with the first message and ends after `stop`. It retains this object and not the transport, so
/// that the release of the transport ends the thread.
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

    init(configuration: CurlConfiguration) { self.configuration = configuration }

    /// Starts a transfer, or fails it if the loop has been stopped.
    func start(_ transfer: Transfer) {
        switch mailbox.withLock({ $0.post(.start(transfer), isFirst: true) }) {
        case .none: break
        case .wake: wake()
        case .startThread: startThread()
        case .refuse: transfer.fail(.shutDown, "the transport was shut down")
        }
    }

    func cancel(_ transfer: Transfer) {
        end(transfer, TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: false))
    }

    /// Ends a transfer with an error, and closes its connection from the loop.
    func end(_ transfer: Transfer, _ error: TransportError) {
        transfer.fail(error)
        post(.cancel(transfer))
    }

    /// Continues a transfer that was paused for its reader or producer.
    func resume(_ transfer: Transfer) { post(.resume(transfer)) }

    /// Makes the thread end all transfers and return.
    func stop() {
        if case .wake = mailbox.withLock({ $0.stop() }) { wake() }
    }

    func stopAndWait() async {
        switch mailbox.withLock({ $0.stop() }) {
        case .none, .startThread: break
        case .wake: wake()
        case .refuse: return
        }
        await closed.value()
    }

    func collect(into messages: inout [Message]) -> Bool {
        mailbox.withLock { $0.collect(into: &messages) }
    }

    var hasMessages: Bool { mailbox.withLock { $0.hasMessages } }

    func fallAsleep() -> Bool { mailbox.withLock { $0.fallAsleep() } }

    func close() {
        multi.withLock { $0 = nil }
        mailbox.withLock { $0.close() }
        closed.resolve(())
    }

    private func post(_ message: Message) {
        if case .wake = mailbox.withLock({ $0.post(message, isFirst: false) }) { wake() }
    }

    private func wake() { multi.withLock { $0 }?.wakeUp() }

    /// Creates the multi handle and the thread, and fails the waiting transfers if the system has no resources.
    private func startThread() {
        guard let handle = MultiHandle(configuration: configuration) else { return abandon() }
        multi.withLock { $0 = handle }
        if !runOnThread({ self.run() }) { abandon() }
    }

    private func run() {
        guard let handle = multi.withLock({ $0 }) else { return }
        var thread = LoopThread(loop: self, multi: consume handle)
        thread.run()
    }

    /// Fails the waiting transfers, because no thread can be started.
    private func abandon() {
        stop()
        var messages: [Message] = []
        _ = collect(into: &messages)
        for case .start(let transfer) in messages {
            transfer.fail(.other, "the transport cannot start: no thread or file descriptor is available")
        }
        close()
    }
}

/// Runs work on a new thread, or returns `false` if the system has none.
package func runOnThread(_ work: @escaping @Sendable () -> Void) -> Bool {
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

/// The current turn of the loop, whose start is used as the time of all its events to read the clock only once.
///
/// Only the loop thread uses it.
final class LoopTurn {
    private(set) var start = ContinuousClock.now
    private(set) var number = 0
    /// The queues for which libcurl can take more transfers than before.
    var widened: [OriginLine] = []

    func begin() {
        number += 1
        start = .now
    }
}

/// Determines the time at which the loop must check its transfers' deadlines, and therefore the maximum sleep.
///
/// It stores one time instead of a queue. That time is never later than a deadline. It may be earlier than all of them,
/// which costs one unnecessary check.
struct DeadlineWatch {
    private var next: ContinuousClock.Instant?

    /// The maximum sleep in milliseconds, after which the deadline is checked again.
    static let longestSleep = 60_000

    mutating func add(_ deadline: ContinuousClock.Instant) {
        if let next, next <= deadline { return }
        next = deadline
    }

    /// Whether a deadline may have passed, in which case the remaining deadlines must be added again.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let next, next <= now else { return false }
        self.next = nil
        return true
    }

    /// The maximum sleep in milliseconds, rounded up so that the loop does not wake too early and spin.
    func sleepMilliseconds(now: ContinuousClock.Instant = .now) -> Int32 {
        guard let next else { return Int32(Self.longestSleep) }
        let left = now.duration(to: next).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        guard left.seconds < Int64(Self.longestSleep / 1000) else { return Int32(Self.longestSleep) }
        return Int32(left.seconds * 1000) + Int32((left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// The messages of other threads to the loop thread, and whether it must be woken.
///
/// One wake-up serves all messages until the loop checks again.
package struct Mailbox<Message> {
    /// The action of the sender after the lock is released.
    package enum Action {
        /// The loop is awake, or will wake, and takes the message.
        case none
        case startThread
        case wake
        /// The message was not taken, because the loop has ended or does not have the transfer yet.
        case refuse
    }

    private enum Phase {
        case idle
        case running
        /// The thread must end and takes no more messages.
        case stopping
        case closed
    }

    private var phase = Phase.idle
    private var messages: [Message] = []
    private var isAsleep = false

    package init() {}

    /// Adds a message and returns the action of the sender, where `isFirst` means that the message may start the
    /// thread.
    package mutating func post(_ message: Message, isFirst: Bool) -> Action {
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

    /// Makes the loop end, or returns `refuse` if it has already ended.
    package mutating func stop() -> Action {
        switch phase {
        case .idle, .closed:
            phase = .closed
            return .refuse
        case .running, .stopping:
            phase = .stopping
            return wake()
        }
    }

    /// Moves all messages in order of arrival into the array, which is emptied first, and returns whether the loop must
    /// end.
    package mutating func collect(into taken: inout [Message]) -> Bool {
        isAsleep = false
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &messages)
        return phase == .stopping
    }

    package var hasMessages: Bool { !messages.isEmpty }

    /// Marks the loop as asleep, or returns `false` if there is work to do.
    package mutating func fallAsleep() -> Bool {
        guard messages.isEmpty, phase == .running else { return false }
        isAsleep = true
        return true
    }

    package mutating func close() { phase = .closed }

    private mutating func wake() -> Action {
        guard isAsleep else { return .none }
        isAsleep = false
        return .wake
    }
}
