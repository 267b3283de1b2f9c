// SPDX-License-Identifier: Apache-2.0

/// What every step of one call knows about it.
public struct RequestContext: Sendable {
    /// The call.
    public let request: RestRequest
    /// The call's number among those of its client, as in ``RestEvent/call``; 0 when nobody observes.
    public let call: UInt64
    /// When the call ends with ``RestError/Code/timedOut``, whatever it is doing.
    public let deadline: ContinuousClock.Instant
    /// How often this call was sent before: 0 for the first time.
    public internal(set) var attempt = 0

    /// The same call, sent once more.
    func nextAttempt() -> RequestContext {
        var copy = self
        copy.attempt += 1
        return copy
    }
}
