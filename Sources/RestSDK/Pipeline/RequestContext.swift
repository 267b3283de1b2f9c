// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// What every step of one call knows about it.
public struct RequestContext: Sendable {
    /// The call.
    public let request: RestRequest
    /// The call's number among those of its client, as in ``RestEvent/call``; 0 when nobody observes.
    public let call: UInt64
    /// When the call ends with ``RestError/Code/timedOut``, whatever it is doing.
    public let deadline: ContinuousClock.Instant
    /// Is told how far the bodies of each attempt have come; `nil` when nobody asked.
    public let progress: TransferProgress.Handler?
    /// What happened to the call so far.
    let life = CallLife()

    /// How often the call was sent so far: first time, retries, replays and redirects alike.
    public var attemptCount: Int { life.attemptCount }
}
