// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Synchronization

/// All subscriptions of one client, and their connections.
///
/// Subscriptions share a connection as far as their positions allow it: a channel is in a connection once, at one
/// position. Two subscriptions of a channel at different positions have two connections.
final class EventHub: ClientWork {
    private struct WeakReader {
        weak let reader: EventReader?
    }

    private struct State {
        var connections: [EventConnection] = []
        var readers: [ObjectIdentifier: WeakReader] = [:]
    }

    private let state = Mutex(State())

    /// The hub of a client, with which it ends.
    static func of(_ client: RestClient) -> EventHub { client.work { EventHub() } }

    func add(_ reader: EventReader) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = WeakReader(reader: reader) }
    }

    func remove(_ reader: ObjectIdentifier) {
        state.withLock { _ = $0.readers.removeValue(forKey: reader) }
    }

    /// Adds a subscription to the first connection that accepts it, or to a new one.
    func join(
        _ reader: EventReader, _ starts: [ChannelStart], _ missing: EventOptions.Missing, of source: EventSource
    ) -> (connection: EventConnection, member: EventConnection.Member)? {
        for connection in state.withLock(\.connections) {
            if let member = connection.join(reader, starts, missing) { return (connection, member) }
        }
        let connection = EventConnection(source.wire, clock: source.clock, draw: source.draw) { [weak self] stopped in
            self?.state.withLock { $0.connections.removeAll { $0 === stopped } }
        }
        state.withLock { $0.connections.append(connection) }
        return connection.join(reader, starts, missing).map { (connection, $0) }
    }

    /// The number of open connections.
    var connections: Int { state.withLock(\.connections.count) }

    /// Ends all subscriptions.
    func end(_ error: RestError) {
        for weak in state.withLock({ Array($0.readers.values) }) {
            weak.reader?.end(EventError(error), dropsBuffer: true)
        }
    }
}

/// The means of subscriptions: the wire, the clock and the hub, which tests replace.
struct EventSource: Sendable {
    let hub: EventHub
    let wire: any EventWire
    let clock: any MonotonicClock
    var draw: @Sendable () -> Double = { .random(in: 0..<1) }

    init(_ client: RestClient) {
        (hub, wire, clock) = (EventHub.of(client), CometDWire(client: client), client.clock)
    }

    init(hub: EventHub, wire: any EventWire, clock: any MonotonicClock, draw: @escaping @Sendable () -> Double) {
        (self.hub, self.wire, self.clock, self.draw) = (hub, wire, clock, draw)
    }
}

extension EventError {
    /// Whether the app ended the subscription, or the client or its login has ended.
    var isFromOutside: Bool { [.cancelled, .shutDown, .loggedOut].contains(code) }
}
