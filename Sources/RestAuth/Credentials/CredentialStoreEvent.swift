// SPDX-License-Identifier: Apache-2.0

extension FileCredentialStore {
    /// What a store did by itself to keep a login.
    public enum Event: Sendable, Hashable {
        /// The account's record was damaged or gone and the one before it was put in its place.
        ///
        /// `movedTo` names the file that keeps the damaged bytes; `nil` when there were none.
        case recovered(account: String, movedTo: String?)
        /// A damaged record made way for a new login; `movedTo` names the file that keeps its bytes.
        case replacedDamaged(account: String, movedTo: String)
    }
}
