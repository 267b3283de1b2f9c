// SPDX-License-Identifier: Apache-2.0

extension TokenManager {
    /// What happened to a login.
    ///
    /// The SDK reports; whether to log in again is the app's decision.
    public enum Event: Sendable, Hashable {
        /// A new credential of this generation is in use.
        case renewed(generation: UInt64)
        /// The login is over: the server refused the grant for good.
        case sessionExpired(OAuthError)
        /// A new credential is in use but could not be saved: after a restart the user may have to log in again.
        case notSaved(CredentialStoreError)
    }
}
