// SPDX-License-Identifier: Apache-2.0

/// A client that may ask the org for tokens, as an administrator of the platform registers it.
public struct ConnectedApp: Sendable, Hashable {
    /// The consumer key.
    public var clientID: String
    /// The consumer secret, or `nil` for a public client, which must use PKCE and gets no token for itself.
    public var clientSecret: String?
    /// The URIs that the browser may be sent back to.
    ///
    /// A request must name one of them exactly; of a loopback address (`http://127.0.0.1`, `http://[::1]`,
    /// `http://localhost`) the port does not matter (RFC 8252 §7.3).
    public var redirectURIs: [String]
    /// Certificates in PEM whose keys sign the app's assertions (RFC 7523); RSA only.
    public var certificates: [String]

    /// Makes a registration.
    public init(
        clientID: String, clientSecret: String? = nil, redirectURIs: [String] = [], certificates: [String] = []
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURIs = redirectURIs
        self.certificates = certificates
    }

    /// The addresses on which programs on this machine wait for the browser.
    static let loopbackRedirects = ["127.0.0.1", "[::1]", "localhost"].flatMap { host in
        ["callback", "OauthRedirect"].map { "http://\(host)/\($0)" }
    }
}
