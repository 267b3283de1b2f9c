// SPDX-License-Identifier: Apache-2.0

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
    public var eventsPerResponse = 200
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
