// SPDX-License-Identifier: Apache-2.0

extension AccountManager {
    /// What became of an account that was unlinked.
    ///
    /// Here it is gone in every case: its record is removed and its clients fail.
    public struct UnlinkReport: Sendable {
        /// What the server knows of it.
        public enum Revocation: Sendable {
            /// The server ended the login.
            case revoked
            /// There was nothing to revoke, or it was not wanted.
            case none
            /// The server could not be told and the login lives on there; try again with the value.
            case pending(AccountManager.PendingRevocation, OAuthError)
        }

        /// The id of the account that was unlinked.
        public let id: String
        /// What the server knows of it.
        public let revocation: Revocation
    }
}
