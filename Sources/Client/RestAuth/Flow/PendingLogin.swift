// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// A login that waits for the redirect of the browser.
///
/// It has everything that is required to finish the login, also after a restart or in another process. The encoded form
/// has **its secrets in plain text**: a reader could finish the login instead of the program. Store it where you store
/// tokens, and remove it after the login.
public struct PendingLogin: Sendable, Hashable {
    /// The page to open in the user's browser.
    public let url: HTTPURL
    /// The redirect URI of the login.
    public let redirectURI: String
    /// The issuer of the authorization server.
    public let issuer: String
    /// The id of the client that began the login.
    public let clientID: String
    /// The requested scopes.
    public let scopes: [String]
    /// The time at which the login was begun, in milliseconds since 1970; servers discard a login after some minutes.
    public let createdAtMilliseconds: Int64
    /// Whether the redirect must name the issuer (RFC 9207).
    let needsIssuer: Bool
    let state: Secret
    let verifier: PendingLogin.CodeVerifier
    /// The key that the code is bound to, or `nil` if the tokens will not be bound.
    var dpopKey: Credential.DPoPKey?
}

extension PendingLogin: Codable {
    private enum CodingKeys: String, CodingKey {
        case url, redirectURI, issuer, clientID, scopes, createdAtMilliseconds, needsIssuer, state, verifier, dpopKey
    }

    /// Decodes a login that was begun earlier.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = try HTTPURL(parsing: values.decode(String.self, forKey: .url))
        guard url.isTrustworthy else {
            throw OAuthError(.invalidRequest, "a login page must have an https URL")
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
        dpopKey = try values.decodeIfPresent(String.self, forKey: .dpopKey).map { text throws(OAuthError) in
            guard let key = Credential.DPoPKey(stored: Secret(text)) else {
                throw OAuthError(.invalidRequest, "the key of the login is damaged; start a new login")
            }
            return key
        }
        guard !state.isEmpty else {
            throw OAuthError(.invalidRequest, "the login has no state and cannot be finished; start a new login")
        }
    }

    /// Encodes the login with its secrets in plain text, because they are required to finish it.
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
        try values.encodeIfPresent(dpopKey?.stored?.reveal(), forKey: .dpopKey)
    }
}

extension PendingLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer and the redirect URI, without the URL of the page, which contains the state.
    public var description: String { "login at \(issuer) that redirects to \(redirectURI)" }
    /// The same string as `description`.
    public var debugDescription: String { description }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension PendingLogin {
    /// The secret that binds the code of a login to the program that began it (PKCE, RFC 7636).
    public struct CodeVerifier: Sendable, Hashable {
        let secret: Secret

        /// Creates a verifier from a string.
        ///
        /// - Throws: ``OAuthError`` with `.invalidRequest` unless it has 43 to 128 letters, digits and `-._~` (§4.1).
        public init(_ text: String) throws(OAuthError) {
            guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isUnreserved) else {
                throw OAuthError(.invalidRequest, "a PKCE verifier must have 43 to 128 letters, digits and -._~")
            }
            secret = Secret(text)
        }

        /// Creates a verifier of 256 random bits.
        package init(from random: RandomSource = .system) throws(OAuthError) {
            secret = Secret(Base64.encodeForURL(try random.bytes(32)))
        }

        /// The S256 challenge (§4.2), which is public.
        func challenge() throws(OAuthError) -> String {
            guard let digest = MessageDigest.sha256(Array(secret.reveal().utf8)) else {
                throw OAuthError(.cryptographyUnavailable, "SHA-256 is not available on this system; nothing was sent")
            }
            return Base64.encodeForURL(digest)
        }
    }
}

extension PendingLogin {
    /// The code in a redirect, after all checks.
    ///
    /// The checks begin with the data that anyone can forge: URL, form, state, issuer. The server's error is trusted
    /// only if the state matches.
    ///
    /// - Throws: ``OAuthError`` with `.invalidCallback`, `.stateMissing`, `.stateMismatch`, `.issuerMismatch`,
    ///   `.userDenied` or the server's own code.
    func code(from redirectURL: String) throws(OAuthError) -> Secret {
        let response = try RedirectResponse(redirectURL, to: redirectURI)
        guard let given = response.state else {
            throw OAuthError(
                .stateMissing, "the redirect has no state and does not belong to this login; start a new login")
        }
        guard MessageDigest.areEqual(Array(given.utf8), Array(state.reveal().utf8)) else {
            throw OAuthError(.stateMismatch, "the redirect belongs to another login; start a new login")
        }
        guard response.issuer ?? (needsIssuer ? nil : issuer) == issuer else {
            throw OAuthError(
                .issuerMismatch,
                "the redirect does not come from \(issuer), where the login was started; start a new login")
        }
        if let error = response.error {
            let secrets = SentSecrets([state, verifier.secret])
            throw OAuthError(
                .init(rawValue: secrets.line(error, limit: 100)),
                response.errorDescription.map { secrets.line($0) } ?? "no description given")
        }
        guard let code = response.code, !code.isEmpty else {
            throw OAuthError(.invalidCallback, "the redirect has neither a code nor an error; start a new login")
        }
        return Secret(code)
    }

    /// Whether an error of ``code(from:)`` means that the redirect is unrelated and another may follow.
    static func isStray(_ error: OAuthError) -> Bool {
        [.invalidCallback, .stateMissing, .stateMismatch].contains(error.code)
    }
}

/// The parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2).
struct RedirectResponse {
    let code: String?
    let state: String?
    let issuer: String?
    let error: String?
    let errorDescription: String?
    /// The parameters of a search for a My Domain.
    let myDomain: String?
    let loginHint: String?

    /// Reads a redirect, and throws if it has another URL or has a parameter twice.
    init(_ redirectURL: String, to redirectURI: String) throws(OAuthError) {
        guard Self.address(of: redirectURL) == Self.address(of: redirectURI) else {
            throw OAuthError(.invalidCallback, "the redirect went to a URL other than the redirect URI of the login")
        }
        let query = redirectURL.prefix(before: "#").cut(byte: "?")?.after ?? ""
        guard query.utf8.count <= 32_768, let pairs = try? PercentEncoding.formPairs(String(query)) else {
            throw OAuthError(.invalidCallback, "the redirect has a malformed query; start a new login")
        }
        func value(_ name: String) throws(OAuthError) -> String? {
            let values = pairs.filter { $0.name == name }
            guard values.count <= 1 else {
                throw OAuthError(.invalidCallback, "the redirect repeats \(name); start a new login")
            }
            return values.first?.value
        }
        code = try value("code")
        state = try value("state")
        issuer = try value("iss")
        error = try value("error")
        errorDescription = try value("error_description")
        myDomain = try value("my_domain")
        loginHint = try value("login_hint")
    }

    /// The URL without query and fragment, in lower case and without the slash that browsers append to a bare host.
    private static func address(of url: String) -> String {
        let address = url.prefix(beforeAny: "#?")
        return (address.removing(suffix: "/") ?? address).lowercased()
    }
}

enum RedirectURI {
    /// Schemes that a browser handles itself instead of passing the URL to a program.
    private static let refusedSchemes: Set<String> = [
        "javascript", "data", "file", "ftp", "about", "blob", "vbscript", "ws", "wss", "mailto", "view-source",
    ]

    /// Throws if a redirect URI has no scheme, or has a fragment (RFC 6749 §3.1.2) or user info.
    ///
    /// The scheme must be https, http on the local machine (RFC 8252 §7.3) or a private-use scheme (§7.1).
    static func check(_ text: String) throws(OAuthError) {
        let scheme = text.prefix(before: ":").lowercased()
        let beginsWithLetter = scheme.utf8.first.map { ASCII.isAlphanumeric($0) && !ASCII.isDigit($0) } ?? false
        let isScheme =
            beginsWithLetter && scheme.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
        guard isScheme, text.utf8.count > scheme.utf8.count, !refusedSchemes.contains(scheme),
            text.utf8.allSatisfy(ASCII.isURLCharacter), !text.hasBytes("#")
        else { throw fault }
        guard scheme == "http" || scheme == "https" else { return }
        guard let url = try? HTTPURL(parsing: text), url.isTrustworthy || url.origin.host == "localhost" else {
            throw fault
        }
    }

    private static let fault = OAuthError(
        .invalidRequest,
        "a redirect URI must be an https URL, an http URL of this machine or a URL with a custom scheme")
}
