// SPDX-License-Identifier: Apache-2.0

/// The progress of a transfer, in bytes of the bodies.
public struct TransferProgress: Sendable, Hashable {
    /// A function that the transport's thread calls during the transfer and at its end, and that must return quickly.
    public typealias Handler = @Sendable (TransferProgress) -> Void

    /// The number of bytes of the request body that were passed to the connection.
    public var sent: Int64
    /// The length of the request body, or `nil` if it is unknown.
    public var sentTotal: Int64?
    /// The number of received bytes of the response body, after decompression.
    public var received: Int64
    /// The announced length of the response body, or `nil` if it is unknown or the body is compressed.
    public var receivedTotal: Int64?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - sent: the number of bytes of the request body that were passed to the connection.
    ///   - sentTotal: the length of the request body, or `nil` if it is unknown.
    ///   - received: the number of received bytes of the response body.
    ///   - receivedTotal: the length of the response body, or `nil` if it is unknown.
    public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
        self.sent = sent
        self.sentTotal = sentTotal
        self.received = received
        self.receivedTotal = receivedTotal
    }
}

/// Limits progress reports to twenty per second.
package struct ProgressPace: Sendable {
    private static let pause = Duration.milliseconds(50)
    private var next = ContinuousClock.now

    package init() {}

    /// Returns `true` if a report is due, and counts it as made.
    package mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        guard now >= next else { return false }
        next = now + Self.pause
        return true
    }
}

/// Reports the progress of work to a handler, at most twenty times per second and once at the end.
package struct ProgressReporter<Progress> {
    /// The handler, which must not be called under a lock because it may cancel the work.
    package let handler: @Sendable (Progress) -> Void
    private var pace = ProgressPace()

    package init(_ handler: @escaping @Sendable (Progress) -> Void) { self.handler = handler }

    /// Returns `true` if a report is due, and counts it as made.
    package mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool { pace.isDue(at: now) }

    package mutating func report(_ progress: @autoclosure () -> Progress) {
        if isDue() { handler(progress()) }
    }

    package func reportEnd(_ progress: Progress) { handler(progress) }
}

/// The metrics of a transfer, with times since its start.
public struct TransferMetrics: Sendable, Hashable {
    /// The time at which the host name was resolved.
    public var nameLookup: Duration = .zero
    /// The time at which the connection was established.
    public var connect: Duration = .zero
    /// The time at which the TLS handshake was complete, or zero without TLS.
    public var tls: Duration = .zero
    /// The time at which the first byte of the response arrived.
    public var firstByte: Duration = .zero
    /// The time at which the response was complete.
    public var total: Duration = .zero
    /// The number of sent bytes of the request body.
    public var sentBytes: Int64 = 0
    /// The number of received bytes of the response body, before decompression.
    public var receivedBytes: Int64 = 0
    /// Whether the connection of an earlier request was reused.
    public var isConnectionReused = false
    /// The HTTP version, such as `HTTP/1.1` or `HTTP/2`.
    public var protocolName = ""

    /// Creates empty metrics.
    public init() {}
}

/// A clock for deadlines, which is the system's continuous clock or a manual clock in tests.
public protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: MonotonicClock {}

/// The activity of a transfer, which determines whether the transfer is late.
package struct TransferActivity: Sendable {
    package enum Lateness: Equatable {
        /// The transfer is in time and must be checked again at `next` or earlier.
        case none(next: ContinuousClock.Instant)
        /// The transfer is late for this reason.
        case late(String)
    }

    /// The time at which the request was sent or the last bytes of a body moved.
    package var last: ContinuousClock.Instant
    /// Whether the request was passed to a connection.
    package var hasLeft = false
    /// Whether the response head is complete.
    package var hasHead = false
    /// Whether a part of the request body has not been sent.
    package var isSending = false
    /// Whether the transfer waits for the reader or the producer of a body.
    package var isPaused = false

    package init(last: ContinuousClock.Instant) { self.last = last }

    /// Checks the deadline and the timeouts, where `nil` means no timeout.
    package func lateness(
        at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant, firstByte: Duration?, idle: Duration?
    ) -> Lateness {
        guard now < deadline else { return .late("the deadline passed") }
        var next = deadline
        if let firstByte, !hasHead {
            let end = last + firstByte
            if hasLeft, end <= now { return .late("no response arrived within firstByteTimeout") }
            next = min(next, hasLeft ? end : now + firstByte)
        }
        if let idle {
            // Before the response head, only a request body that is being sent can be idle.
            let isCounting = hasLeft && !isPaused && (hasHead || isSending)
            let end = last + idle
            if isCounting, end <= now { return .late("no bytes were sent or received within idleTimeout") }
            next = min(next, isCounting ? end : now + idle)
        }
        return .none(next: next)
    }
}
