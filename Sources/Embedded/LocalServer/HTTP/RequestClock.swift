// SPDX-License-Identifier: Apache-2.0

/// The clock of a connection: what its client is busy with, since when, and until when it may be.
///
/// The time for a header runs from its first byte on and is not lengthened by further ones; that for a body grows with
/// what has come, at the least rate. The org's own work has no limit here.
struct RequestClock: Sendable {
    enum Stage: Sendable {
        /// Between two requests.
        case idle
        case header
        case body
        /// The org is at work.
        case handling
        /// The client takes its answer.
        case answer
    }

    typealias Instant = ContinuousClock.Instant

    private(set) var stage = Stage.idle
    private(set) var since: Instant
    /// The bytes of the body that have come, or those of the answer.
    private var size = 0
    /// The bytes that the connection had received when it became idle.
    private var seen: UInt64 = 0

    init(at now: Instant) {
        since = now
    }

    /// Tells how many bytes the connection has received since it was opened: the first one of a request ends idleness.
    mutating func observe(received: UInt64, at now: Instant) {
        if stage == .idle, received > seen { enter(.header, now) }
    }

    /// The request line is there.
    mutating func beginHeader(at now: Instant) {
        if stage == .idle { enter(.header, now) }
    }

    mutating func beginBody(at now: Instant) { enter(.body, now) }
    mutating func receiveBody(_ count: Int) { size += count }
    mutating func beginHandling(at now: Instant) { enter(.handling, now) }

    /// The answer's length is known, so its time is.
    mutating func beginAnswer(of size: Int, at now: Instant) {
        enter(.answer, now)
        self.size = size
    }

    /// The request is over; `received` are all bytes until now.
    mutating func rest(received: UInt64, at now: Instant) {
        enter(.idle, now)
        seen = received
    }

    private mutating func enter(_ stage: Stage, _ now: Instant) {
        self.stage = stage
        since = now
        size = 0
    }

    /// When the client has taken too long; `nil` while it is the org that works.
    func deadline(_ limits: ServerLimits) -> Instant? {
        switch stage {
        case .idle: since + limits.idleTime
        case .header: since + limits.headerTime
        case .body, .answer: since + limits.bodyTime + .seconds(Double(size) / Double(max(1, limits.leastRate)))
        case .handling: nil
        }
    }
}

extension RequestClock {
    /// An honest client sends its request in far less.
    private static let honest: Duration = .milliseconds(250)

    /// Which connections give way when there are too many: first those that have been sending a request for a while,
    /// the longest first, then the idle ones.
    static func slowest<Key>(_ count: Int, of clocks: [(key: Key, clock: RequestClock)], at now: Instant) -> [Key] {
        let sending = clocks.filter { $0.clock.isSending && $0.clock.since + honest < now }
        let idle = clocks.filter { $0.clock.stage == .idle }
        let ordered = [sending, idle].flatMap { $0.sorted { $0.clock.since < $1.clock.since } }
        return ordered.prefix(count).map(\.key)
    }

    /// Whether the client has begun a request and not ended it.
    var isSending: Bool { stage == .header || stage == .body }
}
