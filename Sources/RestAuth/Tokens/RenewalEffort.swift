// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// How often one renewal asks a server that fails for now, and whether the token it sends may be spent by now: a value
/// without I/O.
///
/// It is always the same token. After a lost answer it is sent once more, since a server with a grace period gives the
/// same successor then; sending it on and on would look like a thief (RFC 9700 §4.14.2).
struct RenewalEffort {
    /// How long one attempt may take, so that a silent server leaves time for another.
    static let patience = Duration.seconds(10)
    /// The pause before the second attempt is drawn below this; each further one below twice the bound before.
    static let scale = Duration.milliseconds(500)

    private let limit: Int
    private var attempts = 0
    private var lostAnswers = 0
    /// Whether the server may have spent the token without an answer that says so.
    private(set) var mayBeSpent: Bool

    /// - Parameter mayBeSpent: whether an earlier renewal of the same token was cut off.
    init(limit: Int, mayBeSpent: Bool = false) {
        self.limit = limit
        self.mayBeSpent = mayBeSpent
    }

    /// How long to wait before the next attempt; `nil` gives up.
    ///
    /// - Parameter draw: a number drawn evenly from 0..<1.
    mutating func pause(after error: OAuthError, draw: Double) -> Duration? {
        attempts += 1
        let wasOpen = mayBeSpent
        if !error.provesTokenUnspent { mayBeSpent = true }
        guard attempts < limit, isPassing(error, wasOpen: wasOpen) else { return nil }
        let bound = Self.scale * (1 << min(attempts - 1, 10))
        return max(bound * draw, error.retryAfter ?? .zero)
    }

    private mutating func isPassing(_ error: OAuthError, wasOpen: Bool) -> Bool {
        switch error.code {
        case .serverUnavailable: return true
        case .invalidGrant: return error.isBusy
        case .timedOut, .unreachable:
            switch error.transport?.code {
            case .tls, .invalidRequest, .invalidResponse, .tooLarge, .shutDown: return false
            default: break
            }
            guard error.transport?.mayHaveReachedServer != false else { return true }
            lostAnswers += 1
            return lostAnswers == 1 && !wasOpen
        default: return false
        }
    }
}
