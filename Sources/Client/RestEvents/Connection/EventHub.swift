// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// A reader that its subscription owns.
struct WeakReader {
    weak let reader: EventReader?
}

/// All subscriptions of one client, and their connections.
///
/// Subscriptions share a connection as far as their positions allow it: a channel is in a connection once, at one
/// position. Two subscriptions of a channel at different positions have two connections.
final class EventHub: ClientWork {
    private struct State {
        var connections: [EventConnection] = []
        var readers: [ObjectIdentifier: WeakReader] = [:]
        #if !canImport(Darwin)
        /// The connections for publishing, by their server.
        var publishers: [Origin: PubSubCalls] = [:]
        #endif
    }

    private let state = Mutex(State())
    /// The schemas of the Pub/Sub API, which all connections share.
    let schemas = EventSchemas()

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
        for connection in state.withLock(\.connections) where connection.wire == source.wire {
            if let member = connection.join(reader, starts, missing) { return (connection, member) }
        }
        let connection = EventConnection(source) { [weak self] stopped in
            self?.state.withLock { $0.connections.removeAll { $0 === stopped } }
        }
        state.withLock { $0.connections.append(connection) }
        return connection.join(reader, starts, missing).map { (connection, $0) }
    }

    func end(_ error: RestError) {
        #if !canImport(Darwin)
        let publishers = state.withLock { state in
            defer { state.publishers = [:] }
            return state.publishers
        }
        for publisher in publishers.values { _ = Task(name: "close") { await publisher.shutdown() } }
        #endif
        for weak in state.withLock({ Array($0.readers.values) }) {
            weak.reader?.end(EventError(error), dropsBuffer: true)
        }
    }
}

#if !canImport(Darwin)
extension EventHub {
    /// Returns the connection for publishing, and opens it first if necessary.
    func publisher(_ transport: PubSubTransport) async throws(WireError) -> PubSubCalls {
        if let known = state.withLock({ $0.publishers[transport.endpoint] }), known.isUsable { return known }
        let connection = try await transport.connect()
        state.withLock { $0.publishers[transport.endpoint] = connection }
        return connection
    }

    /// Drops a connection that may be dead.
    func drop(_ calls: PubSubCalls) {
        state.withLock { $0.publishers = $0.publishers.filter { $0.value !== calls } }
    }
}
#endif

/// The means of subscriptions: the client, its hub and the protocol.
struct EventSource: Sendable {
    let client: RestClient
    let hub: EventHub
    let wire: EventOptions.Wire
    let transport: any EventTransport

    init(_ client: RestClient, _ wire: EventOptions.Wire) {
        (self.client, hub, self.wire) = (client, EventHub.of(client), wire)
        #if !canImport(Darwin)
        if let endpoint = wire.endpoint {
            transport = PubSubTransport(client, endpoint, hub.schemas)
            return
        }
        #endif
        transport = CometDTransport(client: client)
    }
}

extension EventError {
    /// Whether the app ended the subscription, or the client or its login has ended.
    var isFromOutside: Bool { [.cancelled, .shutDown, .loggedOut].contains(code) }
}
