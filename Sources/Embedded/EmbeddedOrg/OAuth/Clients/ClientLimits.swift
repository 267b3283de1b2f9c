// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// How often a client may ask for tokens, and how often it may guess wrong.
final class ClientLimits: Sendable {
    private let requests: Mutex<AttemptLimiter?>
    private let guesses: Mutex<AttemptLimiter>
    private let clock: OrgClock

    /// Wrong secrets and codes of one client in a minute.
    private static let mostGuesses = 100

    init(requestsPerMinute: Int?, clock: OrgClock) {
        self.clock = clock
        requests = Mutex(requestsPerMinute.map { AttemptLimiter(most: $0, period: .seconds(60)) })
        guesses = Mutex(AttemptLimiter(most: Self.mostGuesses, period: .seconds(60)))
    }

    /// Counts a request of a client and runs it, unless the client is beyond a limit; counts its failure as a guess.
    func run<Result>(
        as client: String, _ body: () throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> Result {
        let now = clock.now
        if let wait = blocked(client, now) { throw .rateLimited(wait) }
        do throws(OAuthRefusal) {
            return try body()
        } catch {
            if error.isGuess { guesses.withLock { $0.count(client, at: now) } }
            throw error
        }
    }

    private func blocked(_ client: String, _ now: ContinuousClock.Instant) -> Duration? {
        if let wait = guesses.withLock({ $0.block(of: client, at: now) }) { return wait }
        return requests.withLock { requests in
            if let wait = requests?.block(of: client, at: now) { return wait }
            requests?.count(client, at: now)
            return nil
        }
    }

    func forgetAll() {
        guesses.withLock { $0.forgetAll() }
        requests.withLock { $0?.forgetAll() }
    }
}
