// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension AccountManager {
    /// The end of a login that the server has yet to be told (RFC 7009).
    public struct PendingRevocation: Sendable {
        let client: OAuthClient
        let token: Secret

        /// Tells the server.
        ///
        /// - Throws: ``OAuthError``; the login lives on at the server then, and this can be called again.
        public func perform(deadline: ContinuousClock.Instant) async throws(OAuthError) {
            try await client.revoke(token, deadline: deadline)
        }
    }
}

extension AccountManager.PendingRevocation: CustomStringConvertible {
    /// The value as text, for people and logs.
    public var description: String { "a login at \(client.login) that is not revoked yet" }
}
