// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// What every step of one call knows about it.
public struct RequestContext: Sendable {
    /// What stays the same for the whole call, kept once however many steps hold the context.
    private final class Facts: Sendable {
        let request: RestRequest
        let call: UInt64
        let deadline: ContinuousClock.Instant
        let progress: TransferProgress.Handler?
        let minimumTime: Duration
        let life = CallLife()

        init(
            request: RestRequest, call: UInt64, deadline: ContinuousClock.Instant, minimumTime: Duration,
            progress: TransferProgress.Handler?
        ) {
            self.request = request
            self.call = call
            self.deadline = deadline
            self.minimumTime = minimumTime
            self.progress = progress
        }
    }

    private let facts: Facts
    /// The instance that the request was built for; `nil` before it was built.
    ///
    /// An org can move while a call waits: its token then belongs elsewhere, and the request must go there too.
    var instance: Origin?

    /// Makes the context of a call that may take so long from now.
    init(
        request: RestRequest, call: UInt64, now: ContinuousClock.Instant, timeout: Duration,
        progress: TransferProgress.Handler?
    ) {
        let timeout = timeout.bounded
        facts = Facts(
            request: request, call: call, deadline: now + timeout, minimumTime: min(Self.roundTrip, timeout / 10),
            progress: Self.both(progress, request.progressObserver?.see))
    }

    /// The call.
    public var request: RestRequest { facts.request }
    /// The call's number among those of its client, as in ``RestEvent/call``; 0 when nobody observes.
    public var call: UInt64 { facts.call }
    /// When the call ends with ``RestError/Code/timedOut``, whatever it is doing.
    public var deadline: ContinuousClock.Instant { facts.deadline }
    /// Is told how far the bodies of each attempt have come; `nil` when nobody asked.
    public var progress: TransferProgress.Handler? { facts.progress }
    /// The least time an attempt is begun with: the server could hardly answer within less.
    var minimumTime: Duration { facts.minimumTime }
    /// What happened to the call so far.
    var life: CallLife { facts.life }

    /// Tells both, where there are two: the one who watches the call, and the one whom the request names.
    private static func both(
        _ first: TransferProgress.Handler?, _ second: TransferProgress.Handler?
    ) -> TransferProgress.Handler? {
        guard let first, let second else { return first ?? second }
        return { progress in
            first(progress)
            second(progress)
        }
    }

    /// What an answer takes at least, by guess; a tenth of its time for a call that has less than ten of these.
    private static let roundTrip: Duration = .milliseconds(50)

    /// Whether so much time is left at the instant that an attempt is worth beginning.
    func hasTime(at instant: ContinuousClock.Instant) -> Bool { instant + minimumTime <= deadline }

    /// How often the call was sent so far: first time, retries, replays and redirects alike.
    public var attemptCount: Int { life.attemptCount }
}
