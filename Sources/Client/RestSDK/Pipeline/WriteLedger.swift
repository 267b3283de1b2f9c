// SPDX-License-Identifier: Apache-2.0

/// What is known of a write, over everything that its call sent, as a value.
///
/// A call may send its request many times: retries, and each `next` of an interceptor. The call was applied if one of
/// them was, and may have been if one of them may have been.
struct WriteLedger: Sendable, Hashable {
    /// The outcome of everything that was sent before the last time.
    private(set) var settled = RestError.WriteOutcome.notApplied
    /// The outcome of the last time, as far as it is known.
    ///
    /// Reading the response may correct what its status said.
    private var latest = RestError.WriteOutcome.notApplied

    /// The outcome of everything that was sent.
    var joined: RestError.WriteOutcome { settled.and(latest) }

    /// An attempt begins.
    ///
    /// Until its outcome is known, the write may have been applied.
    mutating func attemptBegins() { latest = .unknown }

    /// Takes what is known now of the last time, in place of what was known before.
    mutating func learned(_ outcome: RestError.WriteOutcome) { latest = outcome }

    /// What is known of the last time is final.
    mutating func settle() { (settled, latest) = (joined, .notApplied) }
}
