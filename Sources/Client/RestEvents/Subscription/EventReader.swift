// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// The reader of one subscription: it joins a connection when it is first read, and leaves it when it is released.
final class EventReader: Sendable {
    private struct Core {
        var state: SubscriptionState<CheckedContinuation<Void, Never>>
        var place: (connection: EventConnection, member: EventConnection.Member)?
        /// The positions are loaded, and the lock of a named subscription is held.
        var isPrepared = false
        var lock: EventLock?
    }

    private let core: Mutex<Core>
    private let source: EventSource
    private let options: EventOptions
    private let subscription: EventSubscription?
    private let problem: EventError?

    init(
        _ channels: [String], from start: EventStart, _ subscription: EventSubscription?, _ options: EventOptions,
        _ source: EventSource
    ) {
        (self.source, self.options, self.subscription) = (source, options, subscription)
        problem = Self.problem(channels, subscription?.managed, options.wire)
        core = Mutex(
            Core(
                state: SubscriptionState(
                    channels, from: start, managed: subscription?.managed, capacity: options.bufferSize)))
        source.hub.add(self)
    }

    deinit { source.hub.remove(ObjectIdentifier(self)) }

    /// Ends the subscription for its only owner, and releases the lock of its name.
    func release() {
        end(nil, dropsBuffer: true)
        core.withLock { $0.lock = nil }
    }

    /// The maximum number and length of channels, so that a request has room for each.
    private static let (mostChannels, longestChannel) = (1_000, 400)

    private static func problem(
        _ channels: [String], _ managed: String?, _ wire: EventOptions.Wire
    ) -> EventError? {
        if managed != nil, wire == .cometD || channels.count != 1 {
            return EventError(
                .argument, "as: a managed subscription has one channel, and needs EventOptions.wire to be .pubSub")
        }
        guard !channels.isEmpty, channels.count <= mostChannels, Set(channels).count == channels.count else {
            return EventError(.argument, "channels: must be 1 to \(mostChannels) different channels")
        }
        for channel in channels {
            let isValid =
                channel.hasBytes(prefix: "/") && channel.utf8.count <= longestChannel
                && channel.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"*\"\\".utf8.contains($0) }
                && !["/meta/", "/service/"].contains { channel.hasBytes(prefix: $0) }
            guard isValid else {
                return EventError(
                    .argument,
                    "channels: '\(channel.prefix(80))' must be the path of one channel, such as /event/Name__e")
            }
        }
        return nil
    }

    /// Returns the next item, or `nil` after the end.
    ///
    /// - Throws: the error with which the subscription ended, once.
    func next() async throws(EventError) -> EventItem? {
        try await saveHandled()
        if Task.isCancelled { end(Self.cancelled, dropsBuffer: true) }
        while true {
            let (turn, place) = core.withLock { core in
                let (turn, hasRoom) = core.state.next()
                return (turn, hasRoom ? core.place : nil)
            }
            place?.connection.hasRoom()
            switch turn {
            case .item(let item):
                // Reported here, because no later event may be returned, and its position stored, before the gap.
                if case .status(let status) = item, case .gap = status { options.onStatus?(status) }
                return item
            case .end(let error):
                core.withLock { $0.lock = nil }
                if let error { throw error }
                return nil
            case .join: await join()
            case .wait: await wait()
            }
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isWaiting = core.withLock { $0.state.wait(waiter) }
                if !isWaiting { waiter.resume() }
            }
        } onCancel: {
            end(Self.cancelled, dropsBuffer: true)
        }
    }

    private static let cancelled = EventError(.cancelled, "the subscription was cancelled")

    private func join() async {
        if Task.isCancelled { return end(Self.cancelled, dropsBuffer: true) }
        do throws(EventError) { try await prepare() } catch { return end(error, dropsBuffer: true) }
        guard let starts = core.withLock({ $0.state.join() }) else { return }
        guard let place = source.hub.join(self, starts, options.invalidPosition, of: source) else {
            return core.withLock { $0.state.joinFailed() }
        }
        // The connection may have detached the subscription already, or the subscription has ended.
        let isJoined = core.withLock { core in
            guard core.state.isJoined else { return false }
            core.place = place
            return true
        }
        if !isJoined { place.connection.leave(place.member) }
    }

    /// Takes the lock of a named subscription, and loads its positions.
    private func prepare() async throws(EventError) {
        guard !core.withLock({ $0.isPrepared }) else { return }
        if let problem { throw problem }
        if let subscription {
            let (lock, positions) = try await subscription.begin()
            core.withLock { core in
                core.lock = lock
                core.state.begin(at: positions)
            }
        }
        core.withLock { $0.isPrepared = true }
    }

    /// Stores the position of the event whose handler has returned.
    private func saveHandled() async throws(EventError) {
        guard let subscription else { return }
        let (handled, place) = core.withLock { ($0.state.takeHandled(), $0.place) }
        guard let handled else { return }
        guard subscription.managed == nil else {
            await place?.connection.commit(handled)
            return
        }
        do throws(EventError) { try await subscription.save(handled) } catch {
            release()
            throw error
        }
    }
}

extension EventReader {
    func isFull(adding count: Int = 0) -> Bool { core.withLock { $0.state.isFull(adding: count) } }

    /// Adds items, and returns the rest of the work, which is done without the lock of the connection.
    ///
    /// The rest reports all statuses but gaps, which ``next()`` reports.
    func offer(_ items: [EventItem]) -> @Sendable () -> Void {
        var (all, gaps, statuses): ([EventItem], [(Int, EventGap)], [EventStatus]) = (items, [], [])
        var channel = (name: "", hasChanges: false)
        for (index, item) in items.enumerated() {
            switch item {
            case .event(let event):
                if event.channel != channel.name {
                    channel = (event.channel, event.channel.hasBytes(prefix: "/data/"))
                }
                if channel.hasChanges, let gap = Self.gap(event) { gaps.append((index, gap)) }
            case .status(.gap): break
            case .status(let status): statuses.append(status)
            }
        }
        for (index, gap) in gaps.reversed() { all.insert(.status(.gap(gap)), at: index) }
        let waiter = core.withLock { $0.state.offer(all) }
        let (told, onStatus) = (statuses, options.onStatus)
        return {
            if let onStatus { for status in told { onStatus(status) } }
            waiter?.resume()
        }
    }

    /// Returns the gap that a change event reports instead of a change.
    private static func gap(_ event: ReceivedEvent) -> EventGap? {
        guard let type = event["ChangeEventHeader"]?["changeType"]?.string, type.hasBytes(prefix: "GAP_") else {
            return nil
        }
        return EventGap(channel: event.channel, reason: .reported(String(type.prefix(40))))
    }

    func detached() {
        let waiter = core.withLock { core in
            core.place = nil
            return core.state.detached()
        }
        waiter?.resume()
    }

    /// Ends the subscription with an error, unless it has ended.
    func end(_ error: EventError?, dropsBuffer: Bool) {
        let (waiter, place) = core.withLock { core in
            defer { core.place = nil }
            return (core.state.end(error, dropsBuffer: dropsBuffer), core.place)
        }
        if let place { place.connection.leave(place.member) }
        waiter?.resume()
    }
}
