// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

/// A client of one authorization server, with the id of one registered app.
public struct OAuthClient: Sendable {
    /// The authorization server.
    public let server: AuthorizationServer
    /// The client's id (Salesforce's "consumer key").
    public let clientID: String
    /// The client's secret, or `nil` for a public client or one with a ``SecretSource``.
    public let clientSecret: Secret?
    /// The instance URLs that may receive tokens.
    public let instancePolicy: OAuthClient.InstancePolicy
    /// Whether new logins have tokens that are bound to a key with DPoP (RFC 9449), by default `false`.
    ///
    /// The key is created for the login, stored in its ``Credential``, and signs a proof for every request. A server
    /// that returns another kind of token is rejected. The renewals of a login stay as its first token.
    public var bindsTokens = false
    let transport: any HTTPTransport
    private let nonces = DPoPNonces()
    private let secretSource: SecretSource?

    /// Returns the client's secret when a request needs it, or `nil` for a client without one.
    ///
    /// With a source, only the app stores the secret. If it throws, the request fails before anything is sent, and no
    /// login ends.
    public typealias SecretSource = @Sendable () async throws -> Secret?

    /// The authorization server's origin (`https://login.salesforce.com`, a My Domain host, an embedded org).
    public var login: Origin { server.origin }

    /// Creates a client of Salesforce's authorization server at `login`.
    public init(
        login: Origin, clientID: String, clientSecret: Secret?, instancePolicy: OAuthClient.InstancePolicy = .platform,
        transport: any HTTPTransport
    ) {
        self.init(
            server: AuthorizationServer(login: login), clientID: clientID, clientSecret: clientSecret,
            instancePolicy: instancePolicy, transport: transport)
    }

    /// Creates a client of an authorization server.
    ///
    /// - Parameters:
    ///   - server: the server.
    ///   - clientID: the client's id.
    ///   - clientSecret: the client's secret, or `nil` for a public client.
    ///   - secretSource: returns the secret when a request needs it, if `clientSecret` is `nil`.
    ///   - instancePolicy: the instance URLs that may receive tokens.
    ///   - transport: the transport that sends the requests.
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

    /// Logs in with a grant, such as one that is exchanged at the token endpoint (RFC 6749 §4).
    ///
    /// - Parameters:
    ///   - grant: the grant.
    ///   - previous: the credential to renew. Its refresh token, instance and identity are retained unless the server
    ///     sends others.
    ///   - deadline: the time at which the request fails with `.timedOut`.
    /// - Returns: the credential. Set ``Credential/login`` before you store it.
    /// - Throws: ``OAuthError``.
    public func token(
        for grant: some Credential.Grant, renewing previous: Credential? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await grant.credential(from: self, renewing: previous, deadline: deadline)
    }

    /// Creates the key of a new login, or returns `nil` for tokens that are not bound.
    ///
    /// - Throws: ``OAuthError`` with `.dpopUnsupported` if the server's metadata does not list `ES256`.
    func makeKey() throws(OAuthError) -> Credential.DPoPKey? {
        guard bindsTokens else { return nil }
        if let algorithms = server.dpopAlgorithms, !algorithms.contains(where: { $0 == "ES256" }) {
            throw OAuthError(
                .dpopUnsupported,
                "the server's metadata does not offer DPoP with ES256; nothing was sent; log in without DPoP")
        }
        return try Credential.DPoPKey()
    }

    /// Exchanges a form for tokens, which are bound to the key of the previous credential or else to `key`.
    func exchange(
        _ parameters: [(name: String, value: Secret)], renewing previous: Credential?, boundTo key: Credential.DPoPKey?,
        deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        let key = previous?.dpopKey ?? key
        let added = server.tokenParameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: Secret($0.value)) }
        let secret = try await secret()
        let reply = try await post(
            parameters + added, with: secret, to: server.tokenEndpoint, provedBy: key, until: deadline)
        let tokens = try TokenResponse(reading: reply, isBound: key != nil)
        if server.signsTokens, let secret { try tokens.checkSignature(by: secret) }
        let isOwn = parameters.contains { $0.name == "grant_type" && $0.value.reveal() == "client_credentials" }
        let user =
            tokens.user(of: login, for: clientID, actsForItself: isOwn, renewing: previous)
            ?? (server.namesTeams ? tokens.team : nil)
        // A server that grants the requested scopes may leave them out (RFC 6749 §5.1).
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
        (credential.userClaim, credential.dpopKey) = (user?.claim, key)
        return credential
    }

    /// The client's secret, from this value or from the app.
    func secret() async throws(OAuthError) -> Secret? {
        guard clientSecret == nil, let secretSource else { return clientSecret }
        do {
            return try await secretSource()
        } catch let error as OAuthError {
            throw error
        } catch is CancellationError {
            throw OAuthError(.cancelled, "cancelled while waiting for the client's secret")
        } catch {
            // The app's error may quote what it read, so the message has only its type.
            throw OAuthError(
                .secretUnavailable,
                "the app provided no client secret (\(type(of: error))) and nothing was sent; try again")
        }
    }

    /// The instance of a new token: the one in the response, or the previous one for a renewal without one.
    private func instance(named url: String?, renewing previous: Credential?) throws(OAuthError) -> Origin {
        if url == nil, let previous { return previous.instance }
        return try instancePolicy.instance(named: url, login: login)
    }

    /// Sends a form with the client's id and secret, either in the form or in a header (RFC 6749 §2.3).
    ///
    /// Without `authentication`, their position is that of the token endpoint. The response can have any status.
    func post(
        _ parameters: [(name: String, value: Secret)], with secret: Secret?, to endpoint: HTTPURL,
        by authentication: OAuthClient.Authentication? = nil, provedBy key: Credential.DPoPKey? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthResponse {
        let client = ClientRequest(
            parameters, clientID: clientID, clientSecret: secret,
            by: authentication ?? server.clientAuthentication)
        let request = HTTPRequest(
            method: .post, url: endpoint, fields: client.fields,
            body: .bytes(Array(PercentEncoding.form(client.form).utf8)))
        return OAuthResponse(
            try await send(request, provedBy: key, until: deadline), from: endpoint.path, to: client.secrets)
    }

    func send(
        _ request: HTTPRequest, provedBy key: Credential.DPoPKey? = nil, until deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> HTTPResponse {
        let transport: any HTTPTransport =
            if let key { ProvingTransport(transport, key: key, nonces: nonces) } else { transport }
        do {
            return try await transport.send(request, deadline: deadline)
        } catch {
            throw OAuthError(error, at: request.url.path)
        }
    }
}

extension OAuthClient {
    /// The method by which a client authenticates at an authorization server (RFC 6749 §2.3.1).
    ///
    /// A client without a secret sends only its id, always in the form.
    public enum Authentication: String, Sendable, Hashable, CaseIterable, Codable {
        /// Id and secret in the form, as Salesforce expects.
        case post = "client_secret_post"
        /// Id and secret in the `Authorization` header, which every server that follows RFC 6749 accepts.
        case basic = "client_secret_basic"

        /// The method for an endpoint, from the list in the server's metadata (RFC 8414 §2).
        ///
        /// The form is preferred, because servers decode special characters in the header differently. Without a list,
        /// the standard's default is Basic.
        init(offered list: JSONValue?) {
            let methods = list?.array?.compactMap(\.string) ?? []
            self = methods.contains(Self.post.rawValue) ? .post : .basic
        }
    }
}

/// The form and headers of a request, with the client's id and secret in one of them.
struct ClientRequest {
    let form: [(String, String)]
    let fields: HTTPFields
    /// The secrets in the request, which must not appear in messages.
    let secrets: SentSecrets

    init(
        _ parameters: [(name: String, value: Secret)], clientID: String, clientSecret: Secret?,
        by authentication: OAuthClient.Authentication
    ) {
        var form = parameters.map { ($0.name, $0.value.reveal()) }
        var fields: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        var secrets = parameters.filter { !SentSecrets.isPublic($0.name) }.map(\.value)
        if let clientSecret, authentication == .basic {
            // Form encoding comes first. All decoders read a space as %20.
            let pair = [clientID, clientSecret.reveal()].map(PercentEncoding.queryComponent).joined(separator: ":")
            let login = Base64.encode(Array(pair.utf8))
            fields["Authorization"] = "Basic \(login)"
            secrets += [clientSecret, Secret(login)]
        } else {
            form.append(("client_id", clientID))
            if let clientSecret {
                form.append(("client_secret", clientSecret.reveal()))
                secrets.append(clientSecret)
            }
        }
        (self.form, self.fields, self.secrets) = (form, fields, SentSecrets(secrets))
    }
}

extension OAuthClient {
    /// The instance URLs in token responses that may receive the token.
    ///
    /// The `instance_url` of a response is untrusted, because its host receives the token.
    public struct InstancePolicy: Sendable, Hashable {
        /// Host suffixes with a leading dot that are valid for an instance, in addition to the login host.
        public var allowedHostSuffixes: [String]

        /// Salesforce's own domains.
        public static let platform = OAuthClient.InstancePolicy(allowedHostSuffixes: [
            ".salesforce.com", ".force.com", ".cloudforce.com", ".database.com", ".salesforce.mil",
        ])

        /// Creates a policy from host suffixes such as `.example.com`.
        public init(allowedHostSuffixes: [String]) {
            self.allowedHostSuffixes = allowedHostSuffixes
        }

        /// The origin for a login at `login` whose response has `instanceURL`, if the policy allows it.
        func instance(named instanceURL: String?, login: Origin) throws(OAuthError) -> Origin {
            guard let instanceURL else { return login }
            guard let url = try? HTTPURL(parsing: instanceURL), url.path == "/" || url.path.isEmpty, url.query == nil
            else {
                throw OAuthError(.invalidResponse, "the token endpoint returned an instance_url that is not an origin")
            }
            return try instance(at: url.origin, login: login)
        }

        /// The origin that a server named as the instance of a login at `login`, if it is allowed.
        func instance(at origin: Origin, login: Origin) throws(OAuthError) -> Origin {
            guard believes(origin, login: login) else {
                throw OAuthError(
                    .invalidResponse,
                    "the login server returned the instance \(origin), which is not trusted; the token was not used")
            }
            return origin
        }

        /// Whether the origin may receive the token of a login at `login`.
        func believes(_ origin: Origin, login: Origin) -> Bool { origin == login || isAllowed(origin) }

        /// Whether the origin has an allowed suffix, over https at port 443.
        func isAllowed(_ origin: Origin) -> Bool {
            origin.scheme == .https && origin.port == 443
                && allowedHostSuffixes.contains { $0.hasBytes(prefix: ".") && origin.host.hasBytes(suffix: $0) }
        }
    }
}

extension OAuthClient {
    /// Revokes a login with all of its tokens.
    ///
    /// At an endpoint of RFC 7009, the refresh token is revoked, and with it its access tokens (§2.1). An endpoint that
    /// requires an access token gets a new one if the current one has expired. See
    /// ``AuthorizationServer/revocationStyle``. If the server does not know the login, it counts as revoked.
    ///
    /// - Parameters:
    ///   - login: the latest credential of the login.
    ///   - reason: the reason, for the server's statistics.
    ///   - deadline: the time at which the request fails with `.timedOut`.
    /// - Throws: ``OAuthError`` as for a single token. The login may still be valid, so try again later.
    public func revoke(
        _ login: Credential, because reason: OAuthClient.RevocationReason? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) {
        switch server.revocationStyle {
        case .form: try await revoke(login.refreshToken ?? login.accessToken, because: reason, deadline: deadline)
        case .bearer: try await revokeBearer(login, deadline)
        }
    }

    private func revokeBearer(_ login: Credential, _ deadline: ContinuousClock.Instant) async throws(OAuthError) {
        if try await endLogin(of: login, deadline) { return }
        guard let refreshToken = login.refreshToken else { return }
        let renewed: Credential
        do throws(OAuthError) {
            renewed = try await token(
                for: RefreshTokenGrant(refreshToken: refreshToken), renewing: login, deadline: deadline)
        } catch {
            guard !error.isFinal else { return }
            throw error
        }
        _ = try await endLogin(of: renewed, deadline)
    }

    /// Revokes the login of an access token, or returns `false` if the server rejects the token.
    private func endLogin(
        of login: Credential, _ deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Bool {
        guard let endpoint = server.revocationEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no revocation endpoint")
        }
        let request = HTTPRequest(
            method: .post, url: endpoint, fields: ["Authorization": login.authorization])
        let response = try await send(request, provedBy: login.dpopKey, until: deadline)
        guard response.head.status != 401, !response.head.isSuccess else { return response.head.isSuccess }
        let reply = OAuthResponse(response, from: endpoint.path, to: SentSecrets([login.accessToken]))
        throw OAuthError(
            .revocationPending,
            "\(endpoint.path) responded with status \(response.head.status); the token may still be valid, try again later",
            retryAfter: reply.unavailable?.retryAfter)
    }
}
