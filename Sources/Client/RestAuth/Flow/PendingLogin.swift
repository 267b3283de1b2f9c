// SPDX-License-Identifier: Apache-2.0

import RestCrypto
public import RestTransport

/// A login that has begun and waits for the browser to come back.
///
/// It is all that is needed to finish the login, also after a restart of the program or in another process. It can be
/// encoded for that, **with its secrets in the clear**: whoever reads it can finish the login in the program's place,
/// so keep it where you keep tokens, and remove it when the login is over.
public struct PendingLogin: Sendable, Hashable {
    /// The page to open in the user's browser.
    public let url: HTTPURL
    /// Where the browser comes back to.
    public let redirectURI: String
    /// The server that was asked.
    public let issuer: String
    /// The client that asked.
    public let clientID: String
    /// The scopes that were asked for.
    public let scopes: [String]
    /// When the login was begun, in milliseconds since 1970; servers forget it after minutes.
    public let createdAtMilliseconds: Int64
    /// Whether the redirect must name the issuer.
    let needsIssuer: Bool
    let state: Secret
    let verifier: PendingLogin.CodeVerifier
}

extension PendingLogin: Codable {
    private enum CodingKeys: String, CodingKey {
        case url, redirectURI, issuer, clientID, scopes, createdAtMilliseconds, needsIssuer, state, verifier
    }

    /// Reads a login that was begun earlier.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = try HTTPURL(parsing: values.decode(String.self, forKey: .url))
        guard url.isTrustworthy else {
            throw OAuthError(.invalidRequest, "a login page must have an https address")
        }
        redirectURI = try values.decode(String.self, forKey: .redirectURI)
        issuer = try values.decode(String.self, forKey: .issuer)
        clientID = try values.decode(String.self, forKey: .clientID)
        scopes = try values.decode([String].self, forKey: .scopes)
        createdAtMilliseconds =
            NumberRange.epochMilliseconds.clamped(try values.decode(Int64.self, forKey: .createdAtMilliseconds))
        needsIssuer = try values.decode(Bool.self, forKey: .needsIssuer)
        state = Secret(try values.decode(String.self, forKey: .state))
        verifier = try PendingLogin.CodeVerifier(values.decode(String.self, forKey: .verifier))
        guard !state.isEmpty else { throw OAuthError(.invalidRequest, "a login without a state cannot be finished") }
    }

    /// Writes the login with its secrets in the clear, as finishing it later needs them.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(url.description, forKey: .url)
        try values.encode(redirectURI, forKey: .redirectURI)
        try values.encode(issuer, forKey: .issuer)
        try values.encode(clientID, forKey: .clientID)
        try values.encode(scopes, forKey: .scopes)
        try values.encode(createdAtMilliseconds, forKey: .createdAtMilliseconds)
        try values.encode(needsIssuer, forKey: .needsIssuer)
        try values.encode(state.reveal(), forKey: .state)
        try values.encode(verifier.secret.reveal(), forKey: .verifier)
    }
}

extension PendingLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the login was begun; the page's address holds the state and is left out.
    public var description: String { "login at \(issuer) that comes back to \(redirectURI)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension PendingLogin {
    /// The secret that ties the code of a login to the program that began it (PKCE, RFC 7636).
    public struct CodeVerifier: Sendable, Hashable {
        let secret: Secret

        /// Takes a verifier made elsewhere.
        ///
        /// - Throws: ``OAuthError`` with `.invalidRequest` unless it has 43 to 128 letters, digits and `-._~` (§4.1).
        public init(_ text: String) throws(OAuthError) {
            guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isUnreserved) else {
                throw OAuthError(.invalidRequest, "a PKCE verifier must have 43 to 128 letters, digits and -._~")
            }
            secret = Secret(text)
        }

        /// Makes a verifier of 256 random bits.
        ///
        /// - Throws: ``OAuthError`` with `.cryptographyUnavailable` when the system gives none.
        package init(from random: RandomSource = .system) throws(OAuthError) {
            secret = Secret(Base64.encodeForURL(try random.bytes(32)))
        }

        /// The S256 challenge (§4.2), which may be seen.
        func challenge() throws(OAuthError) -> String {
            guard let digest = MessageDigest.sha256(Array(secret.reveal().utf8)) else {
                throw OAuthError(.cryptographyUnavailable, "the system makes no digests; nothing was sent")
            }
            return Base64.encodeForURL(digest)
        }
    }
}
