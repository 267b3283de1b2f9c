// SPDX-License-Identifier: Apache-2.0

import RestText
public import RestTransport

/// Speaks to one authorization server as one registered client.
public struct OAuthClient: Sendable {
    /// The authorization server.
    public let server: AuthorizationServer
    /// The client's id (the platform's "consumer key").
    public let clientID: String
    /// The client's secret; `nil` for a public client, and where a ``SecretSource`` gives it.
    public let clientSecret: Secret?
    /// Which instance URLs are believed.
    public let instancePolicy: OAuthClient.InstancePolicy
    let transport: any HTTPTransport
    private let secretSource: SecretSource?

    /// Gives the client's secret whenever a request needs it, or `nil` for a client that has none, so that it is kept
    /// where the app keeps its secrets and nowhere else.
    ///
    /// An error of it ends the request, and no login: nothing was sent.
    public typealias SecretSource = @Sendable () async throws -> Secret?

    /// The authorization server's origin (`https://login.salesforce.com`, a My Domain host, an embedded org).
    public var login: Origin { server.origin }

    /// Makes a client of the platform's authorization server at `login`.
    public init(
        login: Origin, clientID: String, clientSecret: Secret?, instancePolicy: OAuthClient.InstancePolicy = .platform,
        transport: any HTTPTransport
    ) {
        self.init(
            server: AuthorizationServer(login: login), clientID: clientID, clientSecret: clientSecret,
            instancePolicy: instancePolicy, transport: transport)
    }

    /// Makes a client of an authorization server.
    ///
    /// - Parameters:
    ///   - server: the server.
    ///   - clientID: the client's id.
    ///   - clientSecret: its secret; `nil` for a public client.
    ///   - secretSource: gives the secret of a client whose `clientSecret` is `nil`, whenever a request needs it.
    ///   - instancePolicy: which instance URLs are believed.
    ///   - transport: what sends the requests.
    public init(
        server: AuthorizationServer, clientID: String, clientSecret: Secret?, secretSource: SecretSource? = nil,
        instancePolicy: OAuthClient.InstancePolicy = .platform, transport: any HTTPTransport
    ) {
        self.server = server
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.secretSource = secretSource
        self.instancePolicy = instancePolicy
        self.transport = transport
    }

    /// Logs in by a grant, such as one that is exchanged at the token endpoint (RFC 6749 §4).
    ///
    /// - Parameters:
    ///   - grant: how to log in.
    ///   - previous: the credential being renewed; its refresh token, its instance and its identity are kept when the
    ///     server names no others.
    ///   - deadline: when to give up.
    /// - Returns: the credential; set ``Credential/login`` before it is kept.
    /// - Throws: ``OAuthError``.
    public func token(
        for grant: some Credential.Grant, renewing previous: Credential? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await grant.credential(from: self, renewing: previous, deadline: deadline)
    }

    /// Exchanges the form fields of a grant for a credential.
    func exchange(
        _ parameters: [(name: String, value: Secret)], renewing previous: Credential?,
        deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        let added = server.tokenParameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: Secret($0.value)) }
        let secret = try await secret()
        let answer = try await post(parameters + added, with: secret, to: server.tokenEndpoint, until: deadline)
        let tokens = try TokenResponse(reading: answer)
        if server.signsTokens, let secret { try tokens.checkSignature(by: secret) }
        let isOwn = parameters.contains { $0.name == "grant_type" && $0.value.reveal() == "client_credentials" }
        let user =
            tokens.user(of: login, for: clientID, actsForItself: isOwn, renewing: previous)
            ?? (server.namesTeams ? tokens.team : nil)
        // A server that grants what was asked for need not say so (RFC 6749 §5.1).
        let asked = parameters.first { $0.name == "scope" }?.value.reveal().split(byte: " ").map(String.init)
        var credential = Credential(
            accessToken: tokens.accessToken,
            refreshToken: tokens.refreshToken ?? previous?.refreshToken,
            instance: try instance(named: tokens.instanceURL, renewing: previous),
            identityURL: tokens.identityURL ?? previous?.identityURL,
            userID: user?.id,
            issuedAtMilliseconds: tokens.issuedAtMilliseconds,
            lifetime: tokens.lifetime,
            scopes: tokens.scopes.isEmpty ? asked ?? previous?.scopes ?? [] : tokens.scopes)
        credential.userClaim = user?.claim
        return credential
    }

    /// The client's secret, kept here or by the app.
    ///
    /// - Throws: ``OAuthError``: `.secretUnavailable`, `.cancelled` or what the app's source throws of this type.
    func secret() async throws(OAuthError) -> Secret? {
        guard clientSecret == nil, let secretSource else { return clientSecret }
        do {
            return try await secretSource()
        } catch let error as OAuthError {
            throw error
        } catch is CancellationError {
            throw OAuthError(.cancelled, "cancelled while waiting for the client's secret")
        } catch {
            // The host's error may quote what it read, so it is only named.
            throw OAuthError(
                .secretUnavailable, "the app gave no client secret (\(type(of: error))); nothing was sent, try again")
        }
    }

    /// Where a new token is used: a renewal that names no instance leaves it as it was.
    private func instance(named url: String?, renewing previous: Credential?) throws(OAuthError) -> Origin {
        if url == nil, let previous { return previous.instance }
        return try instancePolicy.instance(named: url, login: login)
    }

    /// Sends a form with the client's id and secret in one place, never in two (RFC 6749 §2.3).
    ///
    /// - Parameters:
    ///   - parameters: the form beside these two.
    ///   - secret: the secret, as ``secret()`` gave it.
    ///   - endpoint: where it goes.
    ///   - authentication: the place of id and secret; `nil` for the token endpoint's.
    ///   - deadline: when to give up.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``OAuthError`` when there is none.
    func post(
        _ parameters: [(name: String, value: Secret)], with secret: Secret?, to endpoint: HTTPURL,
        by authentication: OAuthClient.Authentication? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthAnswer {
        let client = ClientRequest(
            parameters, clientID: clientID, clientSecret: secret,
            by: authentication ?? server.clientAuthentication)
        let request = HTTPRequest(
            method: .post, url: endpoint, fields: client.fields,
            body: .bytes(Array(PercentEncoding.form(client.form).utf8)))
        return OAuthAnswer(try await send(request, until: deadline), from: endpoint.path, to: client.secrets)
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
