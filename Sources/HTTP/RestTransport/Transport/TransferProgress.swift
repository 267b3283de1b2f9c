// SPDX-License-Identifier: Apache-2.0

/// How far a transfer has come, in bytes of the bodies.
public struct TransferProgress: Sendable, Hashable {
    /// Called by the transport's own thread while the transfer runs and once more at its end; must return quickly.
    public typealias Handler = @Sendable (TransferProgress) -> Void

    /// Bytes of the request body handed to the connection.
    public var sent: Int64
    /// Bytes of the request body in all, when known.
    public var sentTotal: Int64?
    /// Bytes of the response body received, after decompression.
    public var received: Int64
    /// Bytes of the response body in all, when announced and not compressed.
    public var receivedTotal: Int64?

    /// Makes a progress value.
    ///
    /// - Parameters:
    ///   - sent: bytes of the request body handed to the connection.
    ///   - sentTotal: bytes of the request body in all, when known.
    ///   - received: bytes of the response body received.
    ///   - receivedTotal: bytes of the response body in all, when known.
    public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
        self.sent = sent
        self.sentTotal = sentTotal
        self.received = received
        self.receivedTotal = receivedTotal
    }
}

/// Limits reports of progress to twenty per second.
package struct ProgressPace: Sendable {
    private static let pause = Duration.milliseconds(50)
    private var next = ContinuousClock.now

    /// Makes a pace whose first report is due at once.
    package init() {}

    /// Whether a report is due; it then counts as made.
    package mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        guard now >= next else { return false }
        next = now + Self.pause
        return true
    }
}

/// Reports the progress of work to a handler, at most twenty times per second and once at the end.
package struct ProgressReporter<Progress> {
    /// The handler; never called under a lock, because it may cancel the work.
    package let handler: @Sendable (Progress) -> Void
    private var pace = ProgressPace()

    /// Makes a reporter.
    package init(_ handler: @escaping @Sendable (Progress) -> Void) {
        self.handler = handler
    }

    /// Whether a report is due; it then counts as made.
    package mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool { pace.isDue(at: now) }

    /// Reports the progress if a report is due.
    package mutating func report(_ progress: @autoclosure () -> Progress) {
        if isDue() { handler(progress()) }
    }

    /// Reports the progress in any case.
    package func reportEnd(_ progress: Progress) { handler(progress) }
}

/// What one transfer cost; times are counted from its start.
public struct TransferMetrics: Sendable, Hashable {
    /// When the host's name was resolved.
    public var nameLookup: Duration = .zero
    /// When the connection stood.
    public var connect: Duration = .zero
    /// When TLS stood; zero without TLS.
    public var tls: Duration = .zero
    /// When the first byte of the answer arrived.
    public var firstByte: Duration = .zero
    /// When the answer was complete.
    public var total: Duration = .zero
    /// Bytes of the request body sent.
    public var sentBytes: Int64 = 0
    /// Bytes of the response body received, before decompression.
    public var receivedBytes: Int64 = 0
    /// Whether a connection of an earlier request served.
    public var isConnectionReused = false
    /// The protocol spoken, such as `HTTP/1.1` or `HTTP/2`.
    public var protocolName = ""

    /// Makes metrics with nothing measured.
    public init() {}
}

/// A clock that deadlines are measured on: the system's continuous clock, or one that tests move by hand.
public protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: MonotonicClock {}

/// Where a transfer stands in time, and whether that is too late.
package struct TransferActivity: Sendable {
    /// What a transfer is late for.
    package enum Lateness: Equatable {
        /// In time; look again at that moment at the latest.
        case none(next: ContinuousClock.Instant)
        /// Too late, for this reason.
        case late(String)
    }

    /// When the request was sent or the last bytes of a body moved.
    package var last: ContinuousClock.Instant
    /// Whether the request was handed to a connection.
    package var hasLeft = false
    /// Whether the answer's header is complete.
    package var hasHead = false
    /// Whether bytes of the request body are still to be sent.
    package var isSending = false
    /// Whether the transfer waits for the reader or the maker of a body.
    package var isPaused = false

    /// Makes the activity of a transfer that has not left.
    package init(last: ContinuousClock.Instant) {
        self.last = last
    }

    /// Whether the transfer has used up its deadline or one of the configured times; `nil` leaves a time unlimited.
    package func lateness(
        at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant, firstByte: Duration?, idle: Duration?
    ) -> Lateness {
        guard now < deadline else { return .late("the deadline passed") }
        var next = deadline
        if let firstByte, !hasHead {
            let end = last + firstByte
            if hasLeft, end <= now { return .late("no answer arrived within firstByteTimeout") }
            next = min(next, hasLeft ? end : now + firstByte)
        }
        if let idle {
            // Before the header there is nothing to be idle about, except for a body being sent.
            let isCounting = hasLeft && !isPaused && (hasHead || isSending)
            let end = last + idle
            if isCounting, end <= now { return .late("no byte moved within idleTimeout") }
            next = min(next, isCounting ? end : now + idle)
        }
        return .none(next: next)
    }
}
