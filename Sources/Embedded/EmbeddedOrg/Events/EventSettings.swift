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

    /// Creates the settings.
    public init() {}
}
