// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The state of one connection as a value: its channels, its members, and the next step.
///
/// A member is a subscription. Each transition returns what its members get, in order. The owner performs the steps,
/// one at a time, and may add channels while it receives.
struct ConnectionState: Sendable {
    typealias Member = ChannelFeed.Member

    enum Step: Sendable {
        case open
        case subscribe([ChannelStart])
        case receive
        case wait(Duration)
        /// No member is left, so the connection is closed.
        case stop
    }

    /// The items of the members, and the errors with which members end.
    struct Outcome: Sendable {
        var items: [Member: [EventItem]] = [:]
        var ended: [Member: EventError] = [:]

        mutating func add(_ item: EventItem, for member: Member) { items[member, default: []].append(item) }
    }

    private enum Phase: Sendable, Equatable {
        case closed
        case open
        case over
    }

    private(set) var feeds: [String: ChannelFeed] = [:]
    private var phase = Phase.closed
    /// The members, and whether all their channels were open before.
    private var members: [Member: (channels: [String], wasConnected: Bool)] = [:]
    /// The failures since events or an empty response arrived last.
    private(set) var failures = 0
    private var delay: Duration?
    /// Whether `receive` is in flight, so that channels are added next to it.
    private(set) var isReceiving = false
    /// The number of the connection, by which late results of an earlier connection are recognized.
    private(set) var epoch: UInt64 = 0
    /// The number of empty responses without a pause in between.
    private var hastyResponses = 0
    /// The kind of the last failure, and the number of its failures in a row.
    private var lastFailure: (code: EventError.Code, count: Int)?
    /// The channels that are being removed, which must not be added at the same time.
    ///
    /// After the server has removed a channel, its events can be in the responses to each `receive` up to this number.
    private var closing: [String: UInt64] = [:]
    /// The numbers of the last `receive` that began, and of the last one that is over.
    private var (begun, finished): (UInt64, UInt64) = (0, 0)

    /// The failures in a row after which messages that break the protocol end the subscriptions.
    static let mostInvalidResponses = 4
    /// The failures in a row after which rejected tokens do, although each was renewed: a new token can expire at once.
    static let mostRejectedTokens = 2
    /// The attempts in a row to take a managed subscription, which the server ends later than the client's connection.
    static let mostHeldSubscriptions = 6
    /// The number of channels up to which subscriptions share a connection, because servers limit it.
    static let mostSharedChannels = 100
    static let longestDelay: Duration = .seconds(30)
    /// A response without events that comes sooner, several times, is delayed, so that no server makes the client spin.
    static let hasty: Duration = .milliseconds(200)

    var isOver: Bool { phase == .over }
    var isEmpty: Bool { members.isEmpty }
    /// Whether the connection must not receive, because too many events wait for the reply to a subscription.
    var isFull: Bool { feeds.values.contains(where: \.isFull) }
    /// Whether the retained events of a channel have not all been received.
    var isCatchingUp: Bool { feeds.values.contains { $0.status == .open && !$0.isLive } }

    /// Whether `receive` follows a response that was not delivered yet, so that it can begin before.
    func goesOn(after response: WireResponse) -> Bool {
        phase == .open && !response.events.isEmpty && response.rejected.isEmpty
            && feeds.values.allSatisfy { $0.status == .open }
    }

    /// Whether a subscription can join, because the positions of all its channels fit.
    func accepts(_ starts: [ChannelStart]) -> Bool {
        guard phase != .over, starts.allSatisfy({ closing[$0.channel] == nil }) else { return false }
        // A managed subscription has a connection of its own, which ends if another client has the subscription.
        guard feeds.isEmpty || (feeds.values.map(\.managed) + starts.map(\.managed)).allSatisfy({ $0 == nil }) else {
            return false
        }
        let added = starts.count { feeds[$0.channel] == nil }
        guard feeds.isEmpty || feeds.count + added <= Self.mostSharedChannels else { return false }
        return starts.allSatisfy { feeds[$0.channel]?.accepts($0.start) ?? true }
    }

    mutating func join(_ member: Member, _ starts: [ChannelStart], _ missing: EventOptions.Missing) {
        for start in starts {
            feeds[start.channel, default: ChannelFeed(start)].add(member, missing)
        }
        members[member] = (starts.map(\.channel), false)
    }

    /// Returns the status of a member that has joined channels which are already open.
    mutating func greet(_ member: Member) -> Outcome {
        var outcome = Outcome()
        welcome([member], &outcome)
        return outcome
    }

    func broadcast(_ status: EventStatus) -> Outcome {
        var outcome = Outcome()
        for member in members.keys { outcome.add(.status(status), for: member) }
        return outcome
    }

    /// Removes a member, and returns the channels to remove from the connection.
    mutating func leave(_ member: Member) -> [String] {
        guard let channels = members.removeValue(forKey: member)?.channels else { return [] }
        var gone: [String] = []
        for channel in channels where feeds[channel]?.remove(member) == true {
            if feeds.removeValue(forKey: channel)?.status != .pending { gone.append(channel) }
        }
        if members.isEmpty { phase = .over }
        guard phase == .open else { return [] }
        for channel in gone { closing[channel] = .max }
        return gone
    }

    /// Records that the server has removed channels.
    mutating func closed(_ channels: [String]) {
        for channel in channels where closing[channel] != nil { closing[channel] = begun }
        finish(upTo: finished)
    }

    private mutating func finish(upTo number: UInt64) {
        finished = number
        closing = closing.filter { $0.value > number }
    }

    /// Records that a `receive` begins, which can be before the response to the last one is delivered.
    mutating func beginReceiving() { begun += 1 }

    /// Returns the next step, for the one loop of the connection.
    mutating func next() -> Step {
        isReceiving = false
        guard phase != .over, !members.isEmpty else {
            phase = .over
            return .stop
        }
        if let delay {
            self.delay = nil
            return .wait(delay)
        }
        guard phase == .open else { return .open }
        let pending = takePending()
        guard pending.isEmpty else { return .subscribe(pending) }
        isReceiving = true
        return .receive
    }

    /// Takes the channels that must be subscribed to in the open connection.
    mutating func takePending() -> [ChannelStart] {
        guard phase == .open else { return [] }
        let channels = feeds.filter { $0.value.status == .pending }.keys.sorted()
        return channels.compactMap { channel in
            feeds[channel]?.status = .subscribing
            return feeds[channel].map { ChannelStart(channel, $0.start, managed: $0.managed) }
        }
    }

    /// Records that a connection is open, and returns its number.
    mutating func opened() -> UInt64 {
        guard phase != .over else { return epoch }
        phase = .open
        epoch += 1
        return epoch
    }

    /// Records the response to a subscription in the connection with this number.
    mutating func subscribed(_ channels: [ChannelStart], _ result: WireResponse, epoch: UInt64) -> Outcome {
        var outcome = Outcome()
        guard phase == .open, epoch == self.epoch else { return outcome }
        var affected: Set<Member> = []
        var early: [ReceivedEvent] = []
        for channel in channels.map(\.channel) where feeds[channel]?.status == .subscribing {
            if let error = result.rejected[channel] {
                reject(channel, error, &outcome)
            } else {
                early += feeds[channel]?.open() ?? []
                affected.formUnion(feeds[channel]?.members.map(\.id) ?? [])
            }
        }
        welcome(affected.sorted(), &outcome)
        deliver(result.events + early, &outcome)
        return outcome
    }

    private mutating func welcome(_ affected: [Member], _ outcome: inout Outcome) {
        for member in affected {
            guard let (channels, wasConnected) = members[member],
                channels.allSatisfy({ feeds[$0]?.status == .open })
            else { continue }
            members[member]?.wasConnected = true
            outcome.add(.status(wasConnected ? .resumed : .connected), for: member)
        }
    }

    /// Ends the members of a rejected channel, or continues at the position that they chose.
    private mutating func reject(_ channel: String, _ error: WireError, _ outcome: inout Outcome) {
        guard let feed = feeds[channel] else { return }
        var canGoOn = false
        if case .after = feed.start { canGoOn = error.remedy == .position }
        for (member, missing) in feed.members where !canGoOn || missing == .fail {
            outcome.ended[member] = error.error.about(channel)
            // No request removes these channels, so another member may add them at once.
            for channel in leave(member) { closing[channel] = nil }
        }
        closing[channel] = nil
        guard case .after(let id) = feed.start, let missing = feeds[channel]?.members.first?.missing else { return }
        feeds[channel]?.restart(at: missing == .earliest ? .earliest : .latest)
        let gap = EventGap(channel: channel, reason: .invalidPosition(id))
        for (member, _) in feeds[channel]?.members ?? [] { outcome.add(.status(.gap(gap)), for: member) }
    }

    /// Records the response to `receive`, which took this long.
    mutating func received(_ response: WireResponse, after duration: Duration) -> Outcome {
        var outcome = Outcome()
        finish(upTo: min(finished + 1, begun))
        guard phase == .open else { return outcome }
        if response.rejected.isEmpty { (failures, lastFailure) = (0, nil) }
        let isEmpty = response.events.isEmpty && response.rejected.isEmpty
        hastyResponses = isEmpty && duration < Self.hasty ? hastyResponses + 1 : 0
        if hastyResponses > 3 { delay = .seconds(1) }
        deliver(response.events, &outcome)
        for (channel, position) in response.positions { feeds[channel]?.advance(to: position) }
        for (channel, error) in response.rejected.sorted(by: { $0.key < $1.key })
        where feeds[channel]?.status != .pending { reject(channel, error, &outcome) }
        guard isEmpty else { return outcome }
        var affected: Set<Member> = []
        for channel in feeds.keys where feeds[channel]?.caughtUp() == true {
            affected.formUnion(feeds[channel]?.members.map(\.id) ?? [])
        }
        for member in affected.sorted() {
            guard members[member]?.channels.allSatisfy({ feeds[$0]?.isLive == true }) == true else { continue }
            outcome.add(.status(.caughtUp), for: member)
        }
        return outcome
    }

    private mutating func deliver(_ events: [ReceivedEvent], _ outcome: inout Outcome) {
        var rest = events[...]
        while let channel = rest.first?.channel {
            let run = rest.prefix { $0.channel == channel }
            rest = rest[run.endIndex...]
            // The server may name the channel of a filtered PushTopic without its filter.
            let name = feeds[channel] != nil ? channel : feeds.keys.first { $0.hasBytes(prefix: "\(channel)?") }
            // Events of channels that were not subscribed to, or not any more, are dropped.
            guard let name, var feed = feeds.removeValue(forKey: name) else { continue }
            var items: [EventItem] = []
            items.reserveCapacity(run.count)  // bounded: the events are in memory
            for event in run where feed.take(event) { items.append(.event(event.renamed(name))) }
            feeds[name] = feed
            for (member, _) in feed.members where !items.isEmpty {
                outcome.items[member] = outcome.items[member].map { $0 + items } ?? items
            }
        }
    }

    /// Records that the connection was lost or could not be opened.
    ///
    /// `draw` is a random number in 0..<1, which spreads the reconnects of many clients.
    mutating func failed(_ error: WireError, draw: Double) -> Outcome {
        var outcome = Outcome()
        guard phase != .over else { return outcome }
        failures += 1
        isReceiving = false
        finish(upTo: begun)
        let code = error.error.code
        let count = lastFailure?.code == code ? (lastFailure?.count ?? 0) + 1 : 1
        lastFailure = (code, count)
        let isHopeless =
            code == .response && count >= Self.mostInvalidResponses
            || code == .unauthorized && count >= Self.mostRejectedTokens
            || code == .held && count >= Self.mostHeldSubscriptions
        guard error.remedy == .reopen || error.remedy == .retry, !isHopeless else {
            for member in members.keys { outcome.ended[member] = error.error }
            (members, feeds, phase) = ([:], [:], .over)
            return outcome
        }
        phase = .closed
        let isImmediate = error.remedy == .reopen && failures == 1
        let bound = min(.seconds(1) * (1 << min(failures - 1, 10)), Self.longestDelay)
        let delay = max(error.delay, isImmediate ? .zero : bound * draw)
        self.delay = delay > .zero ? delay : nil
        for member in members.keys {
            outcome.add(.status(.disconnected(error.error, retryAfter: delay)), for: member)
        }
        for channel in feeds.keys where feeds[channel]?.lost() == true {
            let gap = EventGap(channel: channel, reason: .unknownPosition)
            for (member, _) in feeds[channel]?.members ?? [] { outcome.add(.status(.gap(gap)), for: member) }
        }
        return outcome
    }
}
