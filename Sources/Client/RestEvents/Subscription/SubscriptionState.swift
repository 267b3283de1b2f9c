// SPDX-License-Identifier: Apache-2.0

/// The state of one subscription as a value: its buffer, its positions and its one end.
struct SubscriptionState<Waiter> {
    /// The next action of the reader.
    enum Turn {
        case item(EventItem)
        /// The subscription must join a connection.
        case join
        /// An item, or the end, resumes the waiter.
        case wait
        /// The subscription has ended, with an error for its first caller.
        case end(EventError?)
    }

    private let channels: [String]
    private let capacity: Int
    private let start: EventStart
    /// The name of the managed subscription, whose position is at the server.
    private let managed: String?
    /// The last events in the buffer or before it, from which to continue.
    private var positions: [String: ReplayID] = [:]
    private var buffer: [EventItem] = []
    /// The index of the first item in the buffer.
    private var head = 0
    private(set) var isJoined = false
    private var isOver = false
    private var error: EventError?
    private var waiter: Waiter?
    /// The event that was returned last, whose handler has returned when the next is requested.
    private var handled: EventPosition?

    init(_ channels: [String], from start: EventStart, managed: String? = nil, capacity: Int) {
        (self.channels, self.start, self.managed, self.capacity) = (channels, start, managed, max(1, capacity))
    }

    private var count: Int { buffer.count - head }

    /// Whether the buffer has no room after further items, so that the connection must not receive for it.
    func isFull(adding more: Int = 0) -> Bool { !isOver && count + more >= capacity }

    mutating func begin(at stored: [EventPosition]) {
        for position in stored where channels.contains(position.channel) {
            positions[position.channel] = position.replayID
        }
    }

    /// Takes the position to store: that of the event whose handler has returned.
    mutating func takeHandled() -> EventPosition? { handled.take() }

    /// Returns the next action, and whether the buffer has room again.
    mutating func next() -> (turn: Turn, hasRoom: Bool) {
        if head < buffer.count {
            let wasFull = isFull()
            let item = buffer[head]
            head += 1
            if head == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 1_024, head * 2 > buffer.count {
                buffer.removeFirst(head)
                head = 0
            }
            if case .event(let event) = item { handled = event.position }
            return (.item(item), wasFull || count == capacity / 2)
        }
        if isOver {
            defer { error = nil }
            return (.end(error), false)
        }
        return (isJoined ? .wait : .join, false)
    }

    /// Begins to join a connection, and returns the positions, or `nil` if the subscription must not join.
    ///
    /// From now on the connection may detach the subscription, even before its reader knows the connection.
    mutating func join() -> [ChannelStart]? {
        guard !isJoined, !isOver, head == buffer.count else { return nil }
        isJoined = true
        return channels.map { ChannelStart($0, positions[$0].map { .after($0) } ?? start, managed: managed) }
    }

    /// Adds the waiter for the next item, or returns `false` if an item is available.
    mutating func wait(_ waiter: Waiter) -> Bool {
        guard head == buffer.count, !isOver else { return false }
        self.waiter = waiter
        return true
    }

    mutating func joinFailed() { isJoined = false }

    /// Records that the subscription has left its connection because it is slow.
    ///
    /// It joins again when its buffer is empty. Channels without a position may miss events until then.
    ///
    /// - Returns: the waiter to resume, if the buffer was read while the connection waited for its last time.
    mutating func detached() -> Waiter? {
        guard isJoined else { return nil }
        isJoined = false
        for channel in channels where start == .latest && positions[channel] == nil {
            buffer.append(.status(.gap(EventGap(channel: channel, reason: .unknownPosition))))
        }
        return waiter.take()
    }

    /// Adds items to the buffer, and returns the waiter to resume.
    mutating func offer(_ items: [EventItem]) -> Waiter? {
        guard !isOver else { return nil }
        var last: EventPosition?
        for case .event(let event) in items {
            if let last, last.channel != event.channel { positions[last.channel] = last.replayID }
            last = event.position
        }
        if let last { positions[last.channel] = last.replayID }
        if buffer.isEmpty { buffer = items } else { buffer += items }
        return waiter.take()
    }

    /// Ends the subscription unless it has ended, and returns the waiter to resume.
    ///
    /// An end from outside drops the buffer, as a cancelled call drops its response. After an error of the server, the
    /// events before it are still returned.
    mutating func end(_ error: EventError?, dropsBuffer: Bool) -> Waiter? {
        if dropsBuffer { (buffer, head) = ([], 0) }
        guard !isOver else { return nil }
        (isOver, self.error, isJoined) = (true, error, false)
        return waiter.take()
    }
}

extension SubscriptionState: Sendable where Waiter: Sendable {}
