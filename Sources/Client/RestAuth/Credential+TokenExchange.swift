// SPDX-License-Identifier: Apache-2.0

import RestBase

extension Credential {
    /// A grant for services that exchanges a token from elsewhere for tokens of this server (RFC 8693).
    ///
    /// The token says who the user is, for example the access token with which another service called this one. The
    /// server decides which tokens it accepts: on Salesforce, an Apex handler that the admin registers for the client.
    /// Every renewal exchanges a token again, unless the server sent a refresh token.
    public struct TokenExchange: Credential.Grant {
        /// A token with its type.
        public struct Token: Sendable, Hashable {
            /// The token.
            public let value: Secret
            /// The type of the token.
            public let type: TokenType

            /// Creates a token of a type.
            public init(_ value: Secret, type: TokenType) { (self.value, self.type) = (value, type) }
        }

        /// The type of a token, which is an open set of URIs (RFC 8693 §3).
        public struct TokenType: RawRepresentable, Sendable, Hashable {
            /// The URI.
            public let rawValue: String

            /// Creates a type from its URI.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// An access token of OAuth.
            public static let accessToken = Self(rawValue: "urn:ietf:params:oauth:token-type:access_token")
            /// A refresh token of OAuth.
            public static let refreshToken = Self(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
            /// An ID token of OpenID Connect.
            public static let idToken = Self(rawValue: "urn:ietf:params:oauth:token-type:id_token")
            /// A JWT of another kind.
            public static let jwt = Self(rawValue: "urn:ietf:params:oauth:token-type:jwt")
            /// A SAML 2.0 assertion in base64url.
            public static let saml2 = Self(rawValue: "urn:ietf:params:oauth:token-type:saml2")
        }

        /// The token of the service that acts for the user, or `nil` if the new token does not name it.
        public var actor: Token?
        /// The names of the services that will receive the new token, if the server requires them.
        public var audience: [String] = []
        /// The URLs of the services that will receive the new token, if the server requires them.
        public var resource: [String] = []
        /// The scopes to request, or empty for those that the server grants by default.
        public var scopes: [String] = []
        /// The name of Salesforce's Apex handler, or `nil` for the client's default handler.
        public var handler: String?
        private let subject: @Sendable () async throws -> Token

        /// Creates a grant that exchanges one token.
        ///
        /// The login ends when the token has expired. Use ``init(subject:)`` for a login that lasts.
        public init(_ subject: Token) { self.init { subject } }

        /// Creates a grant that asks for a valid token before each exchange.
        ///
        /// - Parameter subject: returns the token of the user. If it throws, nothing is sent and the login does not
        ///   end.
        public init(subject: @escaping @Sendable () async throws -> Token) { self.subject = subject }

        /// `true`, because the grant is intended for unattended programs.
        public var isAskedAgain: Bool { true }

        /// Exchanges the token.
        public func credential(
            from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential {
            let token: Token
            do {
                token = try await subject()
            } catch let error as OAuthError {
                throw error
            } catch is CancellationError {
                throw OAuthError(.cancelled, "cancelled while waiting for the token to exchange")
            } catch {
                // The app's error may quote what it read, so the message has only its type.
                throw OAuthError(
                    .secretUnavailable,
                    "the app provided no token to exchange (\(type(of: error))) and nothing was sent; try again")
            }
            guard !token.value.isEmpty else {
                throw OAuthError(.invalidRequest, "the token to exchange is empty; nothing was sent")
            }
            var form: [(name: String, value: Secret)] = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", token.value),
                ("subject_token_type", Secret(token.type.rawValue)),
            ]
            if let actor { form += [("actor_token", actor.value), ("actor_token_type", Secret(actor.type.rawValue))] }
            form += audience.map { ("audience", Secret($0)) } + resource.map { ("resource", Secret($0)) }
            if let handler { form.append(("token_handler", Secret(handler))) }
            let key = previous?.dpopKey == nil ? try client.makeKey() : nil
            return try await client.exchange(
                form + Scopes.field(scopes), renewing: previous, boundTo: key, deadline: deadline)
        }
    }
}
