// SPDX-License-Identifier: Apache-2.0

/// An element of a subscription: an event, or a change of the connection at this place in the order.
enum EventItem: Sendable {
    case event(ReceivedEvent)
    case status(EventStatus)
}

/// One channel of a connection as a value: its position, and the members that get its events.
struct ChannelFeed: Sendable {
    enum Status: Sendable, Equatable {
        /// The channel must be subscribed to.
        case pending
        /// A request to subscribe is in flight.
        case subscribing
        case open
    }

    typealias Member = UInt64

    /// The position from which to subscribe, now or after the connection is lost.
    private(set) var start: EventStart
    /// The name of the managed subscription, which no other member can share.
    let managed: String?
    var status = Status.pending
    private(set) var members: [(id: Member, missing: EventOptions.Missing)] = []
    /// Whether all retained events were received, so that a member for new events can join.
    private(set) var isLive: Bool
    /// The events that arrived before the reply to the subscription, which are newer than those in the reply.
    private var early: [ReceivedEvent] = []
    private var seen = RecentIDs()

    /// The number of waiting events from which the connection receives no more.
    static let mostEarly = 1_000

    init(_ start: ChannelStart) {
        (self.start, managed) = (start.start, start.managed)
        isLive = start.start == .latest && start.managed == nil
        if case .after(let id) = start.start { _ = seen.insert(id) }
    }

    /// Whether the limit of events that wait for the reply to the subscription is reached, so that receiving stops.
    var isFull: Bool { early.count >= Self.mostEarly }

    /// Whether a member that begins at a position can share the feed.
    func accepts(_ other: EventStart) -> Bool { other == start || other == .latest && isLive }

    mutating func add(_ member: Member, _ missing: EventOptions.Missing) { members.append((member, missing)) }

    /// Removes a member, and returns whether the feed has no members.
    mutating func remove(_ member: Member) -> Bool {
        members.removeAll { $0.id == member }
        return members.isEmpty
    }

    /// Takes an event, unless it is a repeat or must wait, and returns whether the members get it now.
    mutating func take(_ event: ReceivedEvent) -> Bool {
        guard status != .pending else { return false }
        guard status == .open else {
            early.append(event)
            return false
        }
        guard seen.insert(event.replayID) else { return false }
        start = .after(event.replayID)
        return true
    }

    /// Continues after a position that the server has reported without an event, if no older event waits.
    mutating func advance(to id: ReplayID) {
        if status == .open { start = .after(id) }
    }

    /// Opens the feed, and returns the events that waited for it.
    mutating func open() -> [ReceivedEvent] {
        status = .open
        defer { early = [] }
        return early
    }

    /// Records that the server has no more events for now, and returns whether this is news.
    mutating func caughtUp() -> Bool {
        guard status == .open, !isLive else { return false }
        isLive = true
        return true
    }

    /// Records that the connection was lost, and returns whether events may have been missed.
    mutating func lost() -> Bool {
        defer { (status, early) = (.pending, []) }
        return status == .open && start == .latest && managed == nil
    }

    /// Continues at another position, after the server did not have the old one.
    mutating func restart(at start: EventStart) {
        (self.start, status, early) = (start, .pending, [])
        isLive = start == .latest
    }
}

/// The last ids of a channel, by which a repeated event is recognized.
///
/// Ids are opaque, so a repeat cannot be recognized by its order. After a reconnect the server repeats no more events
/// than one response has after the position.
struct RecentIDs: Sendable {
    /// The minimum number of ids that are known.
    static let capacity = 1_024

    /// The newest ids, at most the capacity, and the full set before them.
    private var (new, old): (Set<ReplayID>, Set<ReplayID>) = ([], [])

    /// Adds an id, or returns `false` if it is already known.
    mutating func insert(_ id: ReplayID) -> Bool {
        guard !old.contains(id), new.insert(id).inserted else { return false }
        if new.count == Self.capacity { (old, new) = (new, Set(minimumCapacity: Self.capacity)) }
        return true
    }
}
