// SPDX-License-Identifier: Apache-2.0

extension JournalEntry {
    /// What a request that had to do with logins was about, and what came of it; never a secret.
    public struct OAuth: Sendable, Hashable {
        /// The grant type of a token request, or the endpoint's purpose: `authorize`, `device`, `device_authorization`,
        /// `revoke`, `introspect`, `soap login`.
        public internal(set) var grantType: String?
        /// The client that asked, as it called itself.
        public internal(set) var clientID: String?
        /// `granted`, `allowed`, `logged in`, `login page`, `consent page`, `revoked`, `active`, …, or the code of the
        /// error.
        public internal(set) var outcome = ""
        /// Why it was refused, in the words of the answer.
        public internal(set) var reason: String?

        mutating func refuse(_ refusal: OAuthRefusal) {
            outcome = refusal.error
            reason = refusal.description
        }
    }
}
