// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestEvents
import RestSDK
import Synchronization

/// The channels to which a session listens while its user types.
@MainActor
final class SessionListeners {
    /// The subscription of one command.
    private struct Subscription {
        let channels: [String]
        let task: Task<Void, Never>
        let end: SubscriptionEnd
    }

    let notices = SessionNotices()
    private var subscriptions: [Subscription] = []

    /// The channels of the subscriptions that have not ended, in the order of the commands.
    var channels: [String] {
        subscriptions.removeAll(where: \.end.hasCome)
        return subscriptions.flatMap(\.channels)
    }

    func start(_ channels: [String], from start: EventStart, of client: RestClient) {
        let end = SubscriptionEnd()
        let events = client.events(channels, from: start, options: options(channels))
        subscriptions.append(
            Subscription(channels: channels, task: Self.task(events, end, notices), end: end))
    }

    /// Stops to listen to all channels.
    func stop() {
        for subscription in subscriptions { subscription.task.cancel() }
        subscriptions = []
    }

    /// Stops to listen, and lets the events end that wait to be shown.
    func close() {
        stop()
        notices.close()
    }

    private func options(_ channels: [String]) -> EventOptions {
        var options = EventOptions()
        options.onStatus = { [notices] status in
            if let note = status.note(of: channels) { notices.add(note.singleLine) }
        }
        return options
    }

    /// Not isolated, because the main actor waits for keys while events arrive.
    private nonisolated static func task(
        _ events: EventSequence<ReceivedEvent>, _ end: SubscriptionEnd, _ notices: SessionNotices
    ) -> Task<Void, Never> {
        Task {
            do throws(EventError) {
                for try await event in events { await notices.show(event.line) }
            } catch {
                end.come()
                guard error.code != .cancelled else { return }
                for line in Diagnostics.lines(of: error) { notices.add(line) }
                notices.add("soql: no longer listening to \(events.channels.joined(separator: ", "))".singleLine)
            }
        }
    }
}

/// Whether a subscription has ended on its own.
private final class SubscriptionEnd: Sendable {
    private let state = Mutex(false)

    var hasCome: Bool { state.withLock(\.self) }

    func come() { state.withLock { $0 = true } }
}

/// Lines that wait to be shown above the prompt.
final class SessionNotices: Sendable {
    private struct State {
        var lines: [(text: String, waiter: CheckedContinuation<Void, Never>?)] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// The maximum number of messages, after which the oldest is dropped.
    private static let most = 100

    /// Adds an event, and returns when it is shown, so that a busy session does not collect events.
    func show(_ text: String) async {
        await withCheckedContinuation { waiter in
            if !add(text, waiter) { waiter.resume() }
        }
    }

    func add(_ text: String) { _ = add(text, nil) }

    private func add(_ text: String, _ waiter: CheckedContinuation<Void, Never>?) -> Bool {
        let isAdded = state.withLock { state in
            guard !state.isClosed else { return false }
            let messages = state.lines.indices.filter { state.lines[$0].waiter == nil }
            if messages.count >= Self.most { state.lines.remove(at: messages[0]) }
            state.lines.append((text, waiter))
            return true
        }
        if isAdded { SignalPipe.wake() }
        return isAdded
    }

    /// The lines that were not taken before, in order.
    func take() -> [String] {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        for line in lines { line.waiter?.resume() }
        return lines.map(\.text)
    }

    /// Drops all lines, also those that are added later.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = take()
    }
}

extension SessionCommand {
    static let listen = SessionCommand(
        "listen", "[CHANNEL…|off]", "show the events of channels above the prompt, list the channels, or stop", .channel
    ) { session, call in
        let listeners = session.listeners
        switch call.words {
        case []:
            guard !listeners.channels.isEmpty else { return StandardOutput.note("not listening to a channel") }
            try await session.show(listeners.channels.map { $0 + "\n" }.joined())
        case ["off"]: listeners.stop()
        case let channels:
            if let known = channels.first(where: listeners.channels.contains) {
                throw UsageError("already listening to \(known)")
            }
            listeners.start(channels, from: .latest, of: try await session.org.client())
        }
    }
}
