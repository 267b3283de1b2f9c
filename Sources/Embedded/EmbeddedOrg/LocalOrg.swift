// SPDX-License-Identifier: Apache-2.0

public import LocalServer
import RestBase
import RestSQLite
package import RestTransport
import SOQLStore

/// Why an org did not start.
public typealias LocalOrgError = StartError

/// An org in a box: OAuth and REST over HTTP on the loopback address, on a real SQL database with sample data.
///
/// ```swift
/// let org = try await LocalOrg.start()
/// // … talk to org.instanceURL with org.clientID and org.clientSecret …
/// await org.stop()
/// ```
///
/// The app's key and secret and the user's password are new at every start, also for an org kept in a file.
///
/// The org is also an authorization server: its metadata is at `/.well-known/oauth-authorization-server`, its login
/// page works in a browser, and ``faults`` and ``journal`` cover logins as well.
public final class LocalOrg: Sendable {
    /// Where the org answers, `http://127.0.0.1:PORT`, or `https` with ``LocalOrgConfiguration/security``.
    public var instanceURL: String { tokens.identity.instanceURL }
    /// The consumer key of the org's connected app.
    public var clientID: String { tokens.identity.clientID }
    /// The consumer secret of the org's connected app.
    public var clientSecret: String { tokens.identity.clientSecret }
    /// The client id of the app for programs that keep no secret, such as command lines; the same in every org.
    ///
    /// It may return to `/callback` and `/OauthRedirect` on any port of this machine. It must use PKCE, and may log
    /// devices in.
    public static let publicClientID = "PlatformCLI"
    /// The certificate as PEM that clients must trust; `nil` without ``LocalOrgConfiguration/security``.
    public let certificate: String?
    /// The name of the org's first user.
    public var username: String { tokens.identity.username }
    /// That user's password.
    public var password: String { tokens.identity.password }
    /// The 18-character id of the org; ``LocalOrgConfiguration/seed`` decides it.
    public var organizationID: String { tokens.identity.organizationID }
    /// The 18-character id of the org's first user; ``LocalOrgConfiguration/seed`` decides it.
    public var userID: String { tokens.identity.userID }
    /// Every request the org received.
    public var journal: Journal { server.shell.journal }
    /// Makes the org misbehave.
    public var faults: Faults { server.shell.faults }
    /// Answers what is below `/services/apexrest`.
    public var apex: ApexHandlers { service.router.apex }
    /// Answers what is below `/actions/custom`.
    public var actions: ActionHandlers { service.router.actions }

    let service: OrgService
    private let server: HTTPServer
    private let tokens: TokenService
    private let store: Store

    private init(
        server: HTTPServer, service: OrgService, tokens: TokenService, store: Store,
        certificate: ServerCertificate?
    ) {
        self.certificate = certificate?.certificate
        self.service = service
        self.server = server
        self.tokens = tokens
        self.store = store
    }

    /// Starts an org; it answers when this returns.
    ///
    /// - Throws: `LocalOrgError` when the port is in use, the file is not an org's database, or the address is not
    ///   127.0.0.1.
    @concurrent
    public static func start(_ configuration: LocalOrgConfiguration = .init()) async throws(LocalOrgError) -> LocalOrg {
        guard configuration.host == "127.0.0.1" else {
            throw LocalOrgError(
                code: .addressRefused,
                message: "an embedded org listens on 127.0.0.1 only, not on '\(configuration.host)'")
        }
        let socket = try HTTPServer.listeningSocket(configuration)
        return try assemble(configuration, socket)
    }

    /// Closes the port and every connection; a second call does nothing.
    @concurrent
    public func stop() async {
        server.stop()
        service.router.worker.stop()
        store.close()
    }

    /// The org's TCP port.
    public var port: Int { server.port }

    /// A pair of tokens, as an interactive login gives them.
    public struct IssuedCredential: Sendable, Hashable {
        /// Opens the org until it expires.
        public let accessToken: String
        /// Gives further access tokens at the token endpoint.
        public let refreshToken: String
    }

    /// Logs the first user in without a request and gives a pair of tokens.
    public func issueCredential() -> IssuedCredential { issue(to: userID) }

    /// Logs a user in without a request and gives a pair of tokens; `nil` if no user with a password has that name.
    public func issueCredential(to username: String) -> IssuedCredential? {
        service.router.oauth.users.id(of: username).map(issue)
    }

    private func issue(to user: String) -> IssuedCredential {
        let grant = tokens.issuer.login(clientID, subject: user, scopes: OAuthScope.standard, isLasting: true)
        return IssuedCredential(accessToken: grant.accessToken, refreshToken: grant.refreshToken ?? "")
    }
}

extension LocalOrg {
    /// Answers, as the first user, for a device that shows this code, as the page in the browser does; `false` if none
    /// waits.
    @discardableResult
    public func answerDevice(userCode: String, isAllowed: Bool) -> Bool {
        UserCode.normalized(userCode).map { tokens.answerDevice($0, by: userID, isAllowed: isAllowed) } ?? false
    }

    private static func assemble(
        _ configuration: LocalOrgConfiguration, _ socket: Socket
    ) throws(LocalOrgError) -> LocalOrg {
        let schema = configuration.schema?.schema ?? Catalogue.standard
        let clock = ServerClock(configuration.clock)
        let certificate = try Self.certificate(configuration.security)
        let store = try OrgDatabase.open(schema, configuration)
        let identity = OrgIdentity(
            row: try OrgDatabase.firstUser(of: store.database),
            instanceURL: "\(certificate == nil ? "http" : "https")://127.0.0.1:\(socket.port)",
            names: certificate?.names ?? [])
        let tokens = TokenService(identity: identity, configuration: configuration, clock: clock)
        let records = store.records(by: identity.userID)
        let oauth = try oauthRouter(tokens, configuration, records)
        try UserRegistration(store: records, logins: oauth.users).add(configuration.users)
        let cursors = CursorStore(clock: clock, lifetime: configuration.queryCursorLifetime)
        let describes = DescribeResources(schema: schema)
        let queries = QueryResources(
            database: records.database, compiler: QueryCompiler(schema: schema), cursors: cursors,
            timeLimit: configuration.queryTimeLimit, childPageSize: configuration.childPageSize)
        let worker = BulkWorker(
            jobs: BulkJobStore(database: records.database), store: records, queries: queries,
            rules: BulkRules(
                pageSize: configuration.bulkPageSize, allowsHardDelete: configuration.allowsHardDelete))
        let router = RESTRouter(
            tokens: tokens, oauth: oauth, versions: VersionResources(), describes: describes,
            records: RecordResources(store: records, describes: describes), queries: queries,
            apex: ApexHandlers(), actions: ActionHandlers(), worker: worker,
            usage: APIUsage(limit: configuration.dailyRequestLimit, clock: clock),
            shared: store.database)
        let requestGuard = RequestGuard(
            port: socket.port, pages: OAuthRouter.pages, origins: configuration.corsOrigins, certificate: certificate)
        let service = OrgService(router: router, requestGuard: requestGuard, configuration)
        let memory = Faults.Memory(
            tokens.issuer, forgetCodes: { tokens.forgetCodes() }, forgetCursors: { cursors.removeAll() })
        let shell = ServerShell(
            service, behind: requestGuard, faults: Faults(memory),
            hiding: JournalRedaction(logins: "/services/oauth2", hidden: "/services/soap"), configuration)
        let server = try HTTPServer(
            shell, at: socket, threads: configuration.threads, certificate: certificate)
        // Jobs that an earlier run has left go on.
        worker.wake()
        return LocalOrg(
            server: server, service: service, tokens: tokens, store: store, certificate: certificate)
    }

    private static func certificate(_ security: OrgSecurity?) throws(LocalOrgError) -> ServerCertificate? {
        guard let security else { return nil }
        let made = try ServerCertificate(names: security.names)
        if let file = security.certificateFile { try made.write(to: file) }
        return made
    }

    private static func oauthRouter(
        _ tokens: TokenService, _ configuration: LocalOrgConfiguration, _ store: RecordStore
    ) throws(LocalOrgError) -> OAuthRouter {
        let identity = tokens.identity
        let own = [
            ConnectedApp(
                clientID: identity.clientID, clientSecret: identity.clientSecret,
                redirectURIs: ConnectedApp.loopbackRedirects, certificates: configuration.certificates),
            ConnectedApp(clientID: publicClientID, redirectURIs: ConnectedApp.loopbackRedirects),
        ]
        let clients = try ClientRegistry(own + configuration.connectedApps)
        let users = UserLogin(identity: identity)
        return OAuthRouter(
            tokens: tokens, clients: clients, users: users,
            browser: BrowserEndpoint(tokens: tokens, clients: clients, users: users), store: store)
    }
}

extension LocalOrg {
    /// Sends a request through everything after the socket, as ``ServerShell`` does, with a `Host` if it has none.
    package func answer(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) -> HTTPResponse {
        var fields = fields
        if fields["Host"] == nil { fields.append("Host", "127.0.0.1:\(port)") }
        return server.shell.answer(method, target, fields: fields, body: body)
    }

    /// Returns when no bulk job has work left.
    package func finishJobs() { service.router.worker.finish() }
}
