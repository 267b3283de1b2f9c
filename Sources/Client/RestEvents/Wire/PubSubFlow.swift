// SPDX-License-Identifier: Apache-2.0

/// The streams of a Pub/Sub connection as a value: their events, the events that may still come, and signs of life.
///
/// The server sends only as many events as the client requests. The client requests more when events were taken, so a
/// slow subscription stops the server.
struct PubSubFlow: Sendable {
    /// The number of events that a stream may have requested, which the server limits too.
    static let window = 100
    /// The number of waiting events at which a server has ignored the requests.
    static let mostWaiting = 4 * window
    /// The time without a response, also to a commit, after which a stream is dead: the server's 270 seconds and a
    /// margin.
    static let silence: Duration = .seconds(300)

    struct Credit: Sendable, Equatable {
        let channel: String
        let count: Int
    }

    enum Turn: Sendable {
        case response(WireResponse, [Credit])
        case failure(WireError)
        case wait
    }

    private struct Stream {
        let number: UInt64
        /// The events that were requested and have not arrived.
        var requested = PubSubFlow.window
        /// The events that were requested since the server last reported the end of all requests.
        var unconfirmed = 0
        /// The events that have arrived and were not taken.
        var waiting = 0
        var lastArrival: ContinuousClock.Instant
        /// Whether the last response had no events, so that the server has no more for now.
        var isIdle = false
        /// The time of the commit that has no response yet, and the position to commit after it.
        var commit: (time: ContinuousClock.Instant, next: ReplayID?)?

        var alarm: ContinuousClock.Instant { min(lastArrival, commit?.time ?? lastArrival) + PubSubFlow.silence }
    }

    private var streams: [String: Stream] = [:]
    private var lastNumber: UInt64 = 0
    private var response = WireResponse()
    private var failure: WireError?
    /// Whether an empty response has arrived since `take` returned one.
    private var hasSignOfLife = false

    /// Adds a stream, which has requested a whole window, and returns its number.
    mutating func open(_ channel: String, at now: ContinuousClock.Instant) -> UInt64 {
        lastNumber += 1
        streams[channel] = Stream(number: lastNumber, lastArrival: now)
        return lastNumber
    }

    /// Removes a stream, whose events that were not taken are dropped.
    mutating func close(_ channel: String) {
        guard streams.removeValue(forKey: channel) != nil else { return }
        response.events.removeAll { $0.channel == channel }
        response.positions[channel] = nil
    }

    private func isCurrent(_ channel: String, _ number: UInt64) -> Bool { streams[channel]?.number == number }

    /// Adds a response of a stream.
    ///
    /// `pending` is the number of requested events that are still to come, according to the server. `latest` is the
    /// position after the response.
    mutating func arrived(
        _ events: [ReceivedEvent], pending: Int, latest: ReplayID?, on channel: String, _ number: UInt64,
        at now: ContinuousClock.Instant
    ) {
        guard isCurrent(channel, number), var stream = streams[channel] else { return }
        stream.lastArrival = now
        stream.isIdle = events.isEmpty
        stream.waiting += events.count
        stream.requested = max(0, stream.requested - events.count)
        // A response that crossed requests on the way does not count them, so only the end of all others is believed.
        if pending <= 0 { (stream.requested, stream.unconfirmed) = (min(stream.requested, stream.unconfirmed), 0) }
        streams[channel] = stream
        response.events += events
        if let latest { response.positions[channel] = latest }
        if events.isEmpty { hasSignOfLife = true }
        if stream.waiting > Self.mostWaiting {
            failed(.invalid("the server sends more events than were requested", channel: channel), on: channel, number)
        }
    }

    /// Takes a position to commit, and returns whether it must be sent now, because no other commit is in flight.
    mutating func commit(_ id: ReplayID, on channel: String, at now: ContinuousClock.Instant) -> Bool {
        guard let stream = streams[channel] else { return false }
        streams[channel]?.commit = (stream.commit?.time ?? now, stream.commit == nil ? nil : id)
        return stream.commit == nil
    }

    /// Records the response to a commit, and returns the position to commit next.
    mutating func committed(on channel: String, _ number: UInt64, at now: ContinuousClock.Instant) -> ReplayID? {
        guard isCurrent(channel, number) else { return nil }
        let next = streams[channel]?.commit?.next
        streams[channel]?.commit = next.map { _ in (now, nil) }
        streams[channel]?.lastArrival = now
        return next
    }

    var isCommitting: Bool { streams.values.contains { $0.commit != nil } }

    /// Records the end of a stream, with which the channel is rejected or the connection is lost.
    mutating func failed(_ error: WireError, on channel: String, _ number: UInt64) {
        guard isCurrent(channel, number) else { return }
        if error.isOfChannel {
            streams[channel] = nil
            response.rejected[channel] = error
        } else {
            failure = failure ?? error
        }
    }

    /// Takes the events of all streams, and requests as many again.
    ///
    /// Events before an error are taken first. An empty response means that no stream has more events for now.
    mutating func take() -> Turn {
        let isIdle = hasSignOfLife && streams.values.allSatisfy(\.isIdle)
        guard !response.events.isEmpty || !response.rejected.isEmpty || isIdle && failure == nil else {
            return failure.map { .failure($0) } ?? .wait
        }
        // Events that arrived together with an empty response come first, and then the empty response.
        if response.events.isEmpty, response.rejected.isEmpty { hasSignOfLife = false }
        var credits: [Credit] = []
        for (channel, stream) in streams {
            streams[channel]?.waiting = 0
            guard stream.requested <= Self.window / 2 else { continue }
            let count = Self.window - stream.requested
            credits.append(Credit(channel: channel, count: count))
            streams[channel]?.requested = Self.window
            streams[channel]?.unconfirmed += count
        }
        defer { response = WireResponse() }
        return .response(response, credits)
    }

    /// The time at which a stream counts as dead, unless it receives something before, or `nil` without streams.
    var nextAlarm: ContinuousClock.Instant? { streams.values.map(\.alarm).min() }

    /// Loses the connection if a stream has been silent for too long.
    mutating func checkSilence(at now: ContinuousClock.Instant) {
        guard failure == nil, let alarm = nextAlarm, now >= alarm else { return }
        failure = WireError(EventError(.unavailable, "the server was silent for too long"), .reopen)
    }
}
