// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Speaks to one authorization server as one registered client.
public struct OAuthClient: Sendable {
    /// The authorization server's origin (`https://login.salesforce.com`, a My Domain host, an embedded org).
    public let login: Origin
    /// The client's id (the platform's "consumer key").
    public let clientID: String
    /// The client's secret; `nil` for a public client.
    public let clientSecret: Secret?
    /// Which instance URLs are believed.
    public let instancePolicy: InstancePolicy
    let transport: any HTTPTransport

    /// Makes a client of the authorization server at `login`.
    public init(
        login: Origin, clientID: String, clientSecret: Secret?, instancePolicy: InstancePolicy = .platform,
        transport: any HTTPTransport
    ) {
        self.login = login
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.instancePolicy = instancePolicy
        self.transport = transport
    }

    /// Exchanges a grant for a credential (RFC 6749 §4).
    ///
    /// - Parameters:
    ///   - grant: what to exchange.
    ///   - previous: the credential being renewed; its refresh token is kept when the server sends none.
    ///   - deadline: when to give up.
    /// - Throws: ``OAuthError``.
    public func token(
        for grant: some OAuthGrant, renewing previous: Credential? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        let response: HTTPResponse
        do {
            response = try await transport.send(request(for: grant), deadline: deadline)
        } catch {
            throw OAuthError(error)
        }
        let tokens = try TokenResponse(reading: response)
        return Credential(
            accessToken: tokens.accessToken,
            refreshToken: tokens.refreshToken ?? previous?.refreshToken,
            instance: try instancePolicy.instance(named: tokens.instanceURL, login: login),
            identityURL: tokens.identityURL ?? previous?.identityURL,
            issuedAtMilliseconds: tokens.issuedAtMilliseconds,
            scopes: tokens.scopes.isEmpty ? previous?.scopes ?? [] : tokens.scopes)
    }

    private func request(for grant: some OAuthGrant) -> HTTPRequest {
        var form = grant.parameters.map { ($0.name, $0.value.reveal()) } + [("client_id", clientID)]
        if let clientSecret { form.append(("client_secret", clientSecret.reveal())) }
        return HTTPRequest(
            method: .post,
            url: HTTPURL(origin: login, path: "/services/oauth2/token"),
            fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
            body: .bytes(Array(PercentEncoding.form(form).utf8)))
    }
}

extension OAuthError {
    /// The transport's failure seen from the token endpoint.
    init(_ error: TransportError) {
        switch error.code {
        case .cancelled: self.init(.cancelled, "cancelled while asking for a token", transport: error)
        case .timedOut: self.init(.timedOut, "the token endpoint did not answer in time", transport: error)
        default: self.init(.unreachable, "the token endpoint cannot be reached: \(error.message)", transport: error)
        }
    }
}
