// SPDX-License-Identifier: Apache-2.0

import CCurl
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
    private let mailbox = Mutex(Mailbox<Message, CheckedContinuation<Void, Never>>())

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
        if case .wake = mailbox.withLock({ $0.stop(nil) }) { wake() }
    }

    /// Like `stop`, and returns when the connections are closed.
    func stopAndWait() async {
        await withCheckedContinuation { waiter in
            switch mailbox.withLock({ $0.stop(waiter) }) {
            case .none, .startThread: break
            case .wake: wake()
            case .refuse: waiter.resume()
            }
        }
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
        for waiter in mailbox.withLock({ $0.close() }) {
            waiter.resume()
        }
    }

    private func post(_ message: Message) {
        if case .wake = mailbox.withLock({ $0.post(message, isFirst: false) }) { wake() }
    }

    private func wake() {
        multi.withLock { $0 }?.wakeUp()
    }
}

extension TransferLoop {
    /// Makes the multi handle and the thread; transfers that wait for them fail when the system refuses either.
    private func startThread() {
        guard let handle = MultiHandle(configuration: configuration) else { return abandon() }
        multi.withLock { $0 = handle }
        let context = unsafe Unmanaged.passRetained(self)
        let failure = unsafe ccurl_start_thread(
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure != 0 else { return }
        unsafe context.release()
        abandon()
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
