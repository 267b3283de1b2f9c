// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Speaks to one authorization server as one registered client.
public struct OAuthClient: Sendable {
    /// The authorization server.
    public let server: AuthorizationServer
    /// The client's id (the platform's "consumer key").
    public let clientID: String
    /// The client's secret; `nil` for a public client.
    public let clientSecret: Secret?
    /// Which instance URLs are believed.
    public let instancePolicy: InstancePolicy
    let transport: any HTTPTransport

    /// The authorization server's origin (`https://login.salesforce.com`, a My Domain host, an embedded org).
    public var login: Origin { server.origin }

    /// Makes a client of the platform's authorization server at `login`.
    public init(
        login: Origin, clientID: String, clientSecret: Secret?, instancePolicy: InstancePolicy = .platform,
        transport: any HTTPTransport
    ) {
        self.init(
            server: AuthorizationServer(login: login), clientID: clientID, clientSecret: clientSecret,
            instancePolicy: instancePolicy, transport: transport)
    }

    /// Makes a client of an authorization server.
    public init(
        server: AuthorizationServer, clientID: String, clientSecret: Secret?,
        instancePolicy: InstancePolicy = .platform, transport: any HTTPTransport
    ) {
        self.server = server
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
        let response = try await post(grant.parameters, to: server.tokenEndpoint, until: deadline)
        let tokens = try TokenResponse(reading: response)
        if let clientSecret { try tokens.checkSignature(by: clientSecret) }
        return Credential(
            accessToken: tokens.accessToken,
            refreshToken: tokens.refreshToken ?? previous?.refreshToken,
            instance: try instancePolicy.instance(named: tokens.instanceURL, login: login),
            identityURL: tokens.identityURL ?? previous?.identityURL,
            issuedAtMilliseconds: tokens.issuedAtMilliseconds,
            lifetime: tokens.lifetime,
            scopes: tokens.scopes.isEmpty ? previous?.scopes ?? [] : tokens.scopes)
    }

    /// Sends a form with the client's own id and secret in the body, never in a header beside it (RFC 6749 §2.3).
    func post(
        _ parameters: [(name: String, value: Secret)], to endpoint: HTTPURL, until deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> HTTPResponse {
        var form = parameters.map { ($0.name, $0.value.reveal()) } + [("client_id", clientID)]
        if let clientSecret { form.append(("client_secret", clientSecret.reveal())) }
        let request = HTTPRequest(
            method: .post, url: endpoint,
            fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
            body: .bytes(Array(PercentEncoding.form(form).utf8)))
        return try await send(request, until: deadline)
    }

    func send(
        _ request: HTTPRequest, until deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> HTTPResponse {
        do {
            return try await transport.send(request, deadline: deadline)
        } catch {
            throw OAuthError(error, at: request.url.path)
        }
    }
}
