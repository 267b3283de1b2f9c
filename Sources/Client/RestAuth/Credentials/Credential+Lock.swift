// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

extension Credential {
    /// The right to renew one account, held until it is released.
    public final class Lock: Sendable {
        private let onRelease: Mutex<(@Sendable () -> Void)?>

        /// Makes a lock that was taken already.
        ///
        /// - Parameter onRelease: gives it back; called once.
        public init(onRelease: @escaping @Sendable () -> Void) {
            self.onRelease = Mutex(onRelease)
        }

        deinit { release() }

        /// Gives the lock back; a second call does nothing.
        public func release() {
            let action = onRelease.withLock { action in
                defer { action = nil }
                return action
            }
            action?()
        }
    }
}

extension Credential.Lock {
    /// Tries to take a lock again and again, with short sleeps that keep no thread.
    ///
    /// `attempt` takes the lock, or gives `nil` when somebody else has it.
    static func poll(
        until deadline: ContinuousClock.Instant, clock: any MonotonicClock,
        attempt: () throws(CredentialStoreError) -> Credential.Lock?
    ) async throws(CredentialStoreError) -> Credential.Lock {
        var pause = Duration.milliseconds(1)
        while true {
            if let lock = try attempt() { return lock }
            let now = clock.now
            guard now < deadline else {
                throw CredentialStoreError(
                    .temporarilyUnavailable, "another client kept the account's lock until the deadline")
            }
            do {
                // The jitter lets those who wait come at different moments, so that each of them gets its turn.
                try await clock.sleep(until: min(now + pause * Double.random(in: 0.5...1), deadline), tolerance: nil)
            } catch {
                throw CredentialStoreError(.temporarilyUnavailable, "cancelled while waiting for the account's lock")
            }
            pause = min(pause * 2, .milliseconds(16))
        }
    }
}
