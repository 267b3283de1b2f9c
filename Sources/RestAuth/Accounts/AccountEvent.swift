// SPDX-License-Identifier: Apache-2.0

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
