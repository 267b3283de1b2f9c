// SPDX-License-Identifier: Apache-2.0

import SOQLStore

/// Controls the events of an org, for tests of clients that listen.
public struct OrgEvents: Sendable {
    let bus: EventBus
    let endpoint: CometDEndpoint
    let pubsub: PubSubService
    let database: Database
    let userID: String

    /// A change event that reports lost changes.
    public enum Gap: String, Sendable, Hashable, CaseIterable {
        /// Records were created, updated, deleted or restored, without the values.
        case create = "GAP_CREATE", update = "GAP_UPDATE", delete = "GAP_DELETE", undelete = "GAP_UNDELETE"
        /// There were too many changes in one transaction. The event has no record IDs.
        case overflow = "GAP_OVERFLOW"
    }

    /// Publishes a change event after which clients must read records again.
    ///
    /// - Parameters:
    ///   - gap: the kind of the lost changes.
    ///   - object: the name of the object.
    ///   - ids: the IDs of the records, which an overflow does not have.
    /// - Returns: `false` if the object does not exist or the database cannot be written.
    @discardableResult
    public func report(_ gap: Gap, of object: String, ids: [String] = []) -> Bool {
        guard let object = bus.schema.object(named: object) else { return false }
        let ids = gap == .overflow ? ["000000000000000AAA"] : ids
        let payload = EventPayload.gap(gap.rawValue, of: object, ids: ids, by: userID, at: bus.clock.milliseconds)
        return (try? bus.publish([payload], to: EventChannel.topic(ofChangesOf: object.name), database)) != nil
    }

    /// Deletes all events, so that the replay IDs of clients become invalid.
    public func expire() { try? bus.expireEvents(database) }

    /// Forgets all clients of CometD, whose next request gets `403::Unknown client`.
    public func forgetClients() { endpoint.forgetClients() }

    /// Rejects the next handshakes because the server is busy.
    public func rejectHandshakes(_ count: Int = 1) { endpoint.rejectHandshakes(count) }

    /// Ends the next connects of CometD with the advice not to reconnect.
    public func adviseNone(_ count: Int = 1) { endpoint.adviseNone(count) }

    /// The number of clients of CometD.
    public var clientCount: Int { endpoint.clientCount }

    /// The number of clients of CometD that wait for events at this moment.
    public var waitingCount: Int { endpoint.waitingCount }

    /// Rejects the next calls of the Pub/Sub API.
    ///
    /// - Parameters:
    ///   - count: the number of calls.
    ///   - code: the error code without its prefix, such as `service.unavailable` or `subscription.limit.exceeded`.
    /// - Returns: `false` if the error code is unknown.
    @discardableResult
    public func rejectCalls(_ count: Int = 1, code: String = "service.unavailable") -> Bool {
        pubsub.reject(count, code)
    }

    /// Ends all streams of the Pub/Sub API because the service is unavailable.
    public func endStreams() { pubsub.endStreams() }

    /// Stops or continues all sending on streams of the Pub/Sub API, as if their connections were dead.
    public func silenceStreams(_ isSilent: Bool = true) { pubsub.setSilent(isSilent) }

    /// Breaks all connections of HTTP/2.
    public func dropConnections() { pubsub.drop() }

    /// Sends GOAWAY on all connections of HTTP/2, whose streams continue.
    public func leaveConnections() { pubsub.leave() }

    /// The number of streams of the Pub/Sub API with a subscription.
    public var streamCount: Int { pubsub.streamCount }
}

/// The settings of an org's events and of the clients that listen to them.
public struct EventSettings: Sendable, Hashable {
    /// The objects whose changes are published from the start, as if an administrator had selected them.
    ///
    /// The changes of another object are published from the first subscription to its channel on, also after a restart
    /// of an org in a file.
    public var changedObjects: [String] = []
    /// The custom channels by name, each with its events: `["/data/Sales__chn": ["AccountChangeEvent"]]`.
    public var channels: [String: [String]] = [:]
    /// The maximum time that a `/meta/connect` request waits for events.
    public var holdTime: Duration = .seconds(110)
    /// The maximum time between two `/meta/connect` requests of a client, after which the org forgets the client.
    public var reconnectTime: Duration = .seconds(40)
    /// The maximum number of clients at the same time.
    public var clients = 2_000
    /// The maximum number of events that are delivered to all clients in 24 hours.
    public var dailyDeliveries = 1_000_000
    /// The maximum number of events in one response.
    public var eventsPerResponse = 400
    /// The managed subscriptions of the Pub/Sub API.
    public var managedSubscriptions: [ManagedSubscription] = []
    /// The time after which a stream of the Pub/Sub API without events gets an empty response.
    public var keepAliveTime: Duration = .seconds(120)
    /// The maximum time that a stream of the Pub/Sub API waits for the next request of a client that has got all events
    /// it asked for.
    public var fetchTime: Duration = .seconds(60)

    /// A subscription whose position the org stores.
    public struct ManagedSubscription: Sendable, Hashable {
        /// The name that clients subscribe with.
        public var developerName: String
        /// The channel, such as `/event/Order_Placed__e`.
        public var channel: String
        /// Whether it begins with the oldest event, or with the next one, until a client has committed a position.
        public var startsEarliest: Bool

        /// Creates a subscription.
        public init(developerName: String, channel: String, startsEarliest: Bool = false) {
            (self.developerName, self.channel) = (developerName, channel)
            self.startsEarliest = startsEarliest
        }
    }

    /// Creates the settings.
    public init() {}
}
