// SPDX-License-Identifier: Apache-2.0

public import LocalServer
import RestBase
import RestSQLite
package import RestTransport
import SOQLStore

/// A local Salesforce-style org: OAuth and REST over HTTP on the loopback address, on an SQL database with sample data.
///
/// ```swift
/// let org = try await LocalOrg.start()
/// // … talk to org.instanceURL with org.clientID and org.clientSecret …
/// await org.stop()
/// ```
///
/// The app's key and secret and the user's password are new at every start, even if the org is stored in a file.
///
/// The org is also an authorization server. Its metadata is at `/.well-known/oauth-authorization-server`, its login
/// page works in a browser, and ``faults`` and ``journal`` include logins.
public final class LocalOrg: Sendable {
    /// The URL of the org: `http://127.0.0.1:PORT`, or `https` with ``LocalOrgConfiguration/security``.
    public var instanceURL: String { tokens.identity.instanceURL }
    /// The consumer key of the org's connected app.
    public var clientID: String { tokens.identity.clientID }
    /// The consumer secret of the org's connected app.
    public var clientSecret: String { tokens.identity.clientSecret }
    /// The client ID of the app for programs without a secret, such as command lines, in every org.
    ///
    /// The app may redirect to `/callback` and `/OauthRedirect` on any port of this machine. It must use PKCE, and may
    /// log devices in.
    public static let publicClientID = "PlatformCLI"
    /// The PEM certificate that clients must trust, or `nil` without ``LocalOrgConfiguration/security``.
    public let certificate: String?
    /// The username of the first user.
    public var username: String { tokens.identity.username }
    /// The password of the first user.
    public var password: String { tokens.identity.password }
    /// The 18-character ID of the org, which is derived from ``LocalOrgConfiguration/seed``.
    public var organizationID: String { tokens.identity.organizationID }
    /// The 18-character ID of the first user, which is derived from ``LocalOrgConfiguration/seed``.
    public var userID: String { tokens.identity.userID }
    /// The requests that the org received.
    public var journal: Journal { server.shell.journal }
    /// Makes the org misbehave.
    public var faults: Faults { server.shell.faults }
    /// Controls the events that the org publishes.
    public var events: OrgEvents {
        OrgEvents(
            bus: service.router.bus, endpoint: service.router.cometd, pubsub: pubsub,
            database: service.router.records.store.database, userID: userID)
    }
    /// The handlers of requests below `/services/apexrest`.
    public var apex: ApexHandlers { service.router.apex }
    /// The handlers of actions below `/actions/custom`.
    public var actions: ActionHandlers { service.router.actions }

    let service: OrgService
    private let server: HTTPServer
    private let pubsub: PubSubService
    private let tokens: TokenService
    private let store: Store

    private init(
        server: HTTPServer, pubsub: PubSubService, service: OrgService, tokens: TokenService, store: Store,
        certificate: ServerCertificate?
    ) {
        self.certificate = certificate?.certificate
        self.service = service
        self.server = server
        self.pubsub = pubsub
        self.tokens = tokens
        self.store = store
    }

    /// Starts an org, which accepts requests when this method returns.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - console: whether ``makeConsoleURL()`` opens a page with the requests, objects and events of the org.
    /// - Returns: the running org.
    /// - Throws: `StartError` if the port is in use, or the file is not the database of an org.
    @concurrent
    public static func start(
        _ configuration: LocalOrgConfiguration = .init(), console: Bool = false
    ) async throws(StartError) -> LocalOrg {
        let socket = try HTTPServer.listeningSocket(configuration)
        return try assemble(configuration, socket, hasConsole: console)
    }

    /// Returns a URL that opens the console in a browser once, or `nil` if the org has no console.
    ///
    /// The console shows the requests that the org received, its objects, queries and events. It switches faults on and
    /// resets the records. The URL has a secret token, which is valid until it is used or a new URL is made.
    public func makeConsoleURL() -> String? { service.console?.makeURL() }

    /// The bearer token with which other processes of the org's owner make URLs at `/console/url`, or `nil` without a
    /// console.
    package var consoleKey: String? { service.console?.key }

    /// Closes the port and all connections.
    ///
    /// A second call does nothing.
    @concurrent
    public func stop() async {
        server.stop()
        await pubsub.stop()
        service.router.worker.stop()
        store.close()
    }

    /// The TCP port.
    public var port: Int { server.port }

    /// The tokens of an interactive login.
    public struct IssuedCredential: Sendable, Hashable {
        /// The access token.
        public let accessToken: String
        /// The refresh token, which gives further access tokens at the token endpoint.
        public let refreshToken: String
    }

    /// Logs the first user in without a request and returns the tokens.
    public func issueCredential() -> IssuedCredential { issue(to: userID) }

    /// Logs a user in without a request and returns the tokens, or `nil` if no user with a password has this name.
    public func issueCredential(to username: String) -> IssuedCredential? {
        service.router.oauth.users.id(of: username).map(issue)
    }

    private func issue(to user: String) -> IssuedCredential {
        let grant = tokens.issuer.login(clientID, subject: user, scopes: OAuthScope.standard, isLasting: true)
        return IssuedCredential(accessToken: grant.accessToken, refreshToken: grant.refreshToken ?? "")
    }

    /// Allows or denies the login of a device with this code, as the first user.
    ///
    /// - Returns: `false` if no device waits for an answer.
    @discardableResult
    public func answerDevice(userCode: String, isAllowed: Bool) -> Bool {
        UserCode.normalized(userCode).map { tokens.answerDevice($0, by: userID, isAllowed: isAllowed) } ?? false
    }

    private static func assemble(
        _ configuration: LocalOrgConfiguration, _ socket: Socket, hasConsole: Bool
    ) throws(StartError) -> LocalOrg {
        let schema = configuration.schema?.schema ?? Catalogue.standard
        let clock = ServerClock(configuration.clock)
        let certificate = try Self.certificate(configuration.security)
        let bus = EventBus(schema, configuration.events, clock)
        let store = try OrgDatabase.open(schema, configuration, bus)
        let firstUser = try OrgDatabase.firstUser(of: store.database)
        let identity = OrgIdentity(
            row: firstUser,
            instanceURL: "\(certificate == nil ? "http" : "https")://127.0.0.1:\(socket.port)",
            names: certificate?.names ?? [])
        let tokens = TokenService(identity: identity, configuration: configuration, clock: clock)
        let records = store.records(by: identity.userID)
        let oauth = try oauthRouter(tokens, configuration, records)
        try UserRegistration(store: records, logins: oauth.users).add(configuration.users)
        let cursors = CursorStore(clock: clock)
        let describes = DescribeResources(schema: schema)
        let queries = QueryResources(
            database: records.database, compiler: QueryCompiler(schema: schema), cursors: cursors,
            timeLimit: configuration.queryTimeLimit, childPageSize: configuration.childPageSize, bus: bus)
        let worker = BulkWorker(
            jobs: BulkJobStore(database: records.database), store: records, queries: queries,
            pageSize: configuration.bulkPageSize)
        let eventDatabase = Database(store.database, .full)
        let cometd = CometDEndpoint(bus, tokens, configuration.events, eventDatabase)
        let pubsub = PubSubService(bus, tokens, configuration.events, eventDatabase, records)
        let router = RESTRouter(
            tokens: tokens, oauth: oauth, versions: VersionResources(), describes: describes,
            records: RecordResources(store: records, describes: describes), queries: queries,
            apex: ApexHandlers(), actions: ActionHandlers(), worker: worker,
            bus: bus, cometd: cometd, usage: APIUsage(), shared: store.database)
        var memory = Faults.Memory(
            tokens.issuer, forgetCodes: { tokens.forgetCodes() }, forgetCursors: { cursors.removeAll() })
        memory.expireNonces = { tokens.proofs.expireNonces() }
        let faults = Faults(memory)
        let updates = hasConsole ? ConsoleUpdates(bus, eventDatabase) : nil
        let journal = Journal(
            capacity: configuration.journalCapacity,
            redaction: JournalRedaction(logins: "/services/oauth2", hidden: "/services/soap"),
            listener: updates?.listener)
        let users = UserRegistration(store: records, logins: oauth.users)
        let reset: @Sendable () throws(OrgError) -> Void = { () throws(OrgError) in
            try OrgDatabase.reset(store, row: firstUser, configuration)
            try users.restore(configuration.users)
            cursors.removeAll()
        }
        var console: ConsoleEndpoint?
        if let updates {
            console = ConsoleEndpoint(
                router: router, journal: journal, faults: faults, updates: updates, port: socket.port,
                resetRecords: reset)
        }
        let service = OrgService(router: router, console: console, configuration.limits)
        let shell = ServerShell(
            service, behind: RequestGuard(port: socket.port, pages: OAuthRouter.pages, certificate: certificate),
            faults: faults, journal: journal, configuration.limits)
        let server = try HTTPServer(
            shell, at: socket, threads: configuration.threads, certificate: certificate, http2: pubsub.accept)
        // Unfinished jobs of an earlier run continue.
        worker.wake()
        return LocalOrg(
            server: server, pubsub: pubsub, service: service, tokens: tokens, store: store,
            certificate: certificate)
    }

    private static func certificate(_ security: OrgSecurity?) throws(StartError) -> ServerCertificate? {
        guard let security else { return nil }
        let made = try ServerCertificate(names: security.names)
        if let file = security.certificateFile { try made.write(to: file) }
        return made
    }

    private static func oauthRouter(
        _ tokens: TokenService, _ configuration: LocalOrgConfiguration, _ store: RecordStore
    ) throws(StartError) -> OAuthRouter {
        let identity = tokens.identity
        let own = [
            ConnectedApp(
                clientID: identity.clientID, clientSecret: identity.clientSecret,
                redirectURIs: ConnectedApp.loopbackRedirects, certificates: configuration.certificates),
            ConnectedApp(clientID: publicClientID, redirectURIs: ConnectedApp.loopbackRedirects),
        ]
        let registry = try ClientRegistry(own + configuration.connectedApps)
        let users = UserLogin(identity: identity)
        return OAuthRouter(
            tokens: tokens, registry: registry, users: users,
            browser: BrowserEndpoint(tokens: tokens, clients: registry.clients, users: users), store: store)
    }

    /// Handles a request without the socket, like ``ServerShell``, with a `Host` if it has none.
    package func respond(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) -> HTTPResponse {
        var fields = fields
        if fields["Host"] == nil { fields.append("Host", "127.0.0.1:\(port)") }
        return server.shell.respond(method, target, fields: fields, body: body)
    }

    /// Returns when all bulk jobs have finished.
    package func finishJobs() { service.router.worker.finish() }
}
