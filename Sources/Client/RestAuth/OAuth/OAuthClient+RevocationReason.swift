// SPDX-License-Identifier: Apache-2.0

extension OAuthClient {
    /// Why a login is ended, as the platform's own SDKs say it: the form field `revoke_reason` of a revocation.
    ///
    /// It is for the server's statistics and changes nothing; a server that does not know the field ignores it
    /// (RFC 6749 §3.2).
    public struct RevocationReason: RawRepresentable, Sendable, Hashable {
        /// The text that the server gets.
        public let rawValue: String

        /// Makes a reason of the app's own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The user logged out.
        public static let userLogout = Self(rawValue: "user_logout")
        /// The refresh token has expired.
        public static let refreshTokenExpired = Self(rawValue: "refresh_token_expired")
        /// A newer refresh token took its place.
        public static let refreshTokenRotated = Self(rawValue: "refresh_token_rotated")
        /// What the app keeps of the login is damaged.
        public static let corruptState = Self(rawValue: "corrupt_state")
        /// The server answered something that the app cannot use.
        public static let unexpectedResponse = Self(rawValue: "unexpected_response")
        /// The user was away for too long.
        public static let timeout = Self(rawValue: "timeout")
        /// Something else that should not happen.
        public static let unexpected = Self(rawValue: "unexpected")
    }
}
