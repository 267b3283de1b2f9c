// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
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

    /// Logs in by a grant, such as one that is exchanged at the token endpoint (RFC 6749 4).
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
        // A server that grants what was asked for need not say so (RFC 6749 5.1).
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

    /// Sends a form with the client's id and secret in one place, never in two (RFC 6749 2.3).
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

extension OAuthClient {
    /// How a client shows an authorization server that it has its secret (RFC 6749 2.3.1).
    ///
    /// A client without a secret has nothing to show: its id stands in the form, whichever way is chosen.
    public enum Authentication: String, Sendable, Hashable, CaseIterable, Codable {
        /// Id and secret in the form, which is the platform's way.
        case post = "client_secret_post"
        /// Id and secret in the `Authorization` field, which every server that keeps to RFC 6749 takes.
        case basic = "client_secret_basic"

        /// The way to go at an endpoint, by the list in the server's metadata (RFC 8414 2).
        ///
        /// The form is chosen where it is offered: servers disagree about the encoding of a field with odd characters.
        /// Where there is no list, the standard says Basic.
        init(offered list: JSONValue?) {
            let methods = list?.array?.compactMap(\.string) ?? []
            self = methods.contains(Self.post.rawValue) ? .post : .basic
        }
    }
}

/// A request's form and fields, with the client's id and its secret where they belong.
struct ClientRequest {
    let form: [(String, String)]
    let fields: HTTPFields
    /// What must not be seen in anything that is said about the request.
    let secrets: SentSecrets

    init(
        _ parameters: [(name: String, value: Secret)], clientID: String, clientSecret: Secret?,
        by authentication: OAuthClient.Authentication
    ) {
        var form = parameters.map { ($0.name, $0.value.reveal()) }
        var fields: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        var secrets = parameters.filter { !SentSecrets.isPublic($0.name) }.map(\.value)
        if let clientSecret, authentication == .basic {
            // Both are encoded as in a form first; a space as %20 means the same to every decoder.
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
    /// Which `instance_url` of a token response is believed.
    ///
    /// The field is untrusted input: whoever controls it receives the token.
    public struct InstancePolicy: Sendable, Hashable {
        /// Host suffixes, each with its leading dot, that an instance may have beside the login host itself.
        public var allowedHostSuffixes: [String]

        /// The platform's own domains.
        public static let platform = OAuthClient.InstancePolicy(allowedHostSuffixes: [
            ".salesforce.com", ".force.com", ".cloudforce.com", ".database.com", ".salesforce.mil",
        ])

        /// Makes a policy from host suffixes such as `.example.com`.
        public init(allowedHostSuffixes: [String]) {
            self.allowedHostSuffixes = allowedHostSuffixes
        }

        /// The origin to use for a login at `login` that named `instanceURL`.
        ///
        /// - Throws: ``OAuthError`` with `.invalidResponse` for another scheme, host or port than the policy allows.
        func instance(named instanceURL: String?, login: Origin) throws(OAuthError) -> Origin {
            guard let instanceURL else { return login }
            guard let url = try? HTTPURL(parsing: instanceURL), url.path == "/" || url.path.isEmpty, url.query == nil
            else {
                throw OAuthError(.invalidResponse, "the token endpoint named an instance_url that is not an origin")
            }
            return try instance(at: url.origin, login: login)
        }

        /// The origin that a server named as the instance of a login at `login`.
        func instance(at origin: Origin, login: Origin) throws(OAuthError) -> Origin {
            guard believes(origin, login: login) else {
                throw OAuthError(
                    .invalidResponse, "the login server named the foreign instance \(origin); token refused")
            }
            return origin
        }

        /// Whether the origin may see the token of a login at `login`.
        func believes(_ origin: Origin, login: Origin) -> Bool { origin == login || isAllowed(origin) }

        /// Whether the origin has one of the allowed suffixes, over https at the usual port.
        func isAllowed(_ origin: Origin) -> Bool {
            origin.scheme == .https && origin.port == 443
                && allowedHostSuffixes.contains { $0.hasBytes(prefix: ".") && origin.host.hasBytes(suffix: $0) }
        }
    }
}

extension OAuthClient {
    /// Tells the server to forget a login with all of its tokens.
    ///
    /// At an endpoint of RFC 7009 it names the refresh token, whose end ends the access tokens that came from it
    /// (2.1). An endpoint that wants the access token itself gets a new one where that has ended; see
    /// ``AuthorizationServer/revocationStyle``. A login that the server does not know, or no longer, counts as
    /// revoked.
    ///
    /// - Parameters:
    ///   - login: what the login gave last.
    ///   - reason: why, for the server's own statistics; `nil` says nothing.
    ///   - deadline: when to give up.
    /// - Throws: ``OAuthError`` as of one token: the login may live on then, so try again later.
    public func revoke(
        _ login: Credential, because reason: OAuthClient.RevocationReason? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) {
        switch server.revocationStyle {
        case .form: try await revoke(login.refreshToken ?? login.accessToken, because: reason, deadline: deadline)
        case .bearer: try await revokeBearer(login, deadline)
        }
    }

    private func revokeBearer(_ login: Credential, _ deadline: ContinuousClock.Instant) async throws(OAuthError) {
        if try await endLogin(of: login.accessToken, deadline) { return }
        guard let refreshToken = login.refreshToken else { return }
        let renewed: Credential
        do throws(OAuthError) {
            renewed = try await token(
                for: RefreshTokenGrant(refreshToken: refreshToken), renewing: login, deadline: deadline)
        } catch {
            guard !error.isFinal else { return }
            throw error
        }
        _ = try await endLogin(of: renewed.accessToken, deadline)
    }

    /// Ends the login of an access token; `false` when the server refuses the token.
    private func endLogin(
        of token: Secret, _ deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Bool {
        guard let endpoint = server.revocationEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no revocation endpoint")
        }
        let request = HTTPRequest(
            method: .post, url: endpoint, fields: ["Authorization": "Bearer \(token.reveal())"])
        let response = try await send(request, until: deadline)
        guard response.head.status != 401, !response.head.isSuccess else { return response.head.isSuccess }
        let answer = OAuthAnswer(response, from: endpoint.path, to: SentSecrets([token]))
        throw OAuthError(
            .revocationPending,
            "\(endpoint.path) answered \(response.head.status); until then the token may still be good",
            retryAfter: answer.unavailable?.retryAfter)
    }
}
