// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// When a credential with a known lifetime ends, and when to renew it before that; by a clock that nobody can set.
struct TokenExpiry: Equatable {
    /// From here on the credential is renewed while it is still good.
    private(set) var renewal: ContinuousClock.Instant
    /// From here on it is no longer used.
    let end: ContinuousClock.Instant

    /// A credential is renewed this long before its end, or in the last fifth of a short life.
    static let margin = Duration.seconds(300)
    /// The pause between a renewal that failed and the next one ahead of the end.
    static let pause = Duration.seconds(60)
    /// A longer life than this is as good as one without an end.
    private static let greatest = Duration.seconds(NumberRange.seconds.bounds.upperBound)

    /// `nil` for a credential whose lifetime nobody named.
    ///
    /// `now` is when this process got to know the credential, which may be after it was issued: a server that ends it
    /// earlier says so with a 401.
    init?(_ credential: Credential, at now: ContinuousClock.Instant) {
        guard let named = credential.lifetime, named <= Self.greatest else { return nil }
        let lifetime = max(named, .zero)
        end = now + lifetime
        renewal = end - min(Self.margin, lifetime / 5)
    }

    /// Puts the next renewal off, so that a server in trouble is not asked with every request; never beyond the end.
    mutating func postpone(at now: ContinuousClock.Instant) {
        renewal = min(now + Self.pause, end)
    }
}
