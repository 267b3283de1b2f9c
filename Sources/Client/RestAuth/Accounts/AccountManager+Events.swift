// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension AccountManager {
    /// What happened to the accounts of a manager.
    public enum Event: Sendable, Hashable {
        /// An account was linked, by this process or (after a reload) by another one.
        case added(LinkedAccount)
        /// A linked account logged in again, or its details changed.
        case updated(LinkedAccount)
        /// Another account is the current one now, or none is.
        case switched(from: String?, to: String?)
        /// The account with this id was unlinked; its clients fail from now on.
        case unlinked(String)
        /// The account with this id was unlinked here, but the server could not be told: its token lives on until the
        /// revocation is tried again.
        case revocationPending(String, OAuthError)
        /// Something happened to the login of the account with this id.
        case token(String, TokenManager.Event)
    }
}

/// Hands events to everybody who listens, without ever waiting for one of them.
final class AccountEventHub: Sendable {
    /// How many events a listener may be behind; beyond that its oldest ones are dropped.
    static let capacity = 64

    private struct State {
        var listeners: [UInt64: AsyncStream<AccountManager.Event>.Continuation] = [:]
        var lastListener: UInt64 = 0
    }

    private let state = Mutex(State())

    deinit {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.finish() }
    }

    /// Everything from now on.
    func listen() -> AsyncStream<AccountManager.Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AccountManager.Event.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    func tell(_ event: AccountManager.Event) {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.yield(event) }
    }

    private func forget(_ number: UInt64) {
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }
}
