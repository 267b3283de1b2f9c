// SPDX-License-Identifier: Apache-2.0

/// The clients that have shaken hands, with the positions of their subscriptions.
///
/// This is a value without I/O. The caller passes the time in milliseconds since 1970.
struct CometDSessions {
    static let cookie = "BAYEUX_BROWSER"
    /// The maximum number of subscriptions of a client.
    static let mostSubscriptions = 200
    private static let day: Int64 = 86_400_000

    private struct Session {
        let user: String
        let cookie: String
        var subscriptions: [EventSubscriber] = []
        var lastSeen: Int64
        var isHeld = false
        /// Whether the client has connected after its handshake.
        var hasConnected = false
    }

    private let (mostClients, mostDeliveries, reconnectTime): (Int, Int, Int64)
    private var sessions: [String: Session] = [:]
    /// The events that were delivered since the start of the day.
    private var (delivered, dayStart): (Int, Int64) = (0, 0)

    init(_ settings: EventSettings) {
        (mostClients, mostDeliveries) = (settings.clients, settings.dailyDeliveries)
        reconnectTime = settings.reconnectTime.milliseconds
    }

    var count: Int { sessions.count }

    /// Begins a session with an unused ID.
    mutating func open(_ id: String, user: String, cookie: String, at now: Int64) throws(BayeuxError) {
        forgetLost(at: now)
        guard sessions.count < mostClients else { throw .clientLimit }
        sessions[id] = Session(user: user, cookie: cookie, lastSeen: now)
    }

    private mutating func forgetLost(at now: Int64) {
        let earliest = now - reconnectTime
        sessions = sessions.filter { $1.isHeld || $1.lastSeen >= earliest }
    }

    /// Checks that a client has a session, and notes that it was seen.
    mutating func find(_ id: String, user: String, cookies: [String], at now: Int64) throws(BayeuxError) {
        guard let session = sessions[id], session.user == user else { throw .unknownClient }
        guard session.isHeld || session.lastSeen >= now - reconnectTime else {
            sessions[id] = nil
            throw .unknownClient
        }
        guard cookies.contains(session.cookie) else { throw .noCookie(id) }
        sessions[id]?.lastSeen = now
    }

    mutating func mayDeliver(at now: Int64) -> Bool {
        if now - dayStart >= Self.day { (delivered, dayStart) = (0, now) }
        return delivered < mostDeliveries
    }

    /// Adds a subscription, or moves it to another position.
    mutating func subscribe(_ id: String, to channel: EventChannel, from position: Int64) throws(BayeuxError) {
        unsubscribe(id, from: channel.name)
        guard let session = sessions[id] else { throw .unknownClient }
        guard session.subscriptions.count < Self.mostSubscriptions else { throw .tooManySubscriptions }
        sessions[id]?.subscriptions.append(
            EventSubscriber(
                kind: .cometD, id: id, name: id, user: session.user, channel: channel, position: position))
    }

    mutating func unsubscribe(_ id: String, from channel: String) {
        sessions[id]?.subscriptions.removeAll { $0.channel.name == channel }
    }

    mutating func close(_ id: String) { sessions[id] = nil }

    mutating func closeAll() { sessions.removeAll() }

    func subscriptions(_ id: String) -> [EventSubscriber] { sessions[id]?.subscriptions ?? [] }

    var subscribers: [EventSubscriber] { sessions.values.flatMap(\.subscriptions) }

    /// Notes that a client connects, and returns whether it may wait for events.
    ///
    /// The first request after a handshake gets its response at once.
    mutating func connect(_ id: String) -> Bool {
        defer { sessions[id]?.hasConnected = true }
        return sessions[id]?.hasConnected ?? false
    }

    /// Notes that a request of a client begins to wait, and returns whether the client still has a session.
    mutating func hold(_ id: String) -> Bool {
        sessions[id]?.isHeld = true
        return sessions[id] != nil
    }

    /// Moves a subscription after the events that were read for a client.
    mutating func move(_ id: String, after page: EventPage, of channel: EventChannel) {
        delivered += page.events.count
        guard let index = subscriptions(id).firstIndex(where: { $0.channel.name == channel.name }) else { return }
        sessions[id]?.subscriptions[index].position = page.end
    }

    /// Notes that the request of a client got its response.
    mutating func release(_ id: String, at now: Int64) {
        sessions[id]?.isHeld = false
        sessions[id]?.lastSeen = now
    }
}
