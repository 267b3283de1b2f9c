// SPDX-License-Identifier: Apache-2.0

public import LocalServer
import RestBase
public import RestSDK

/// A local Dropbox test server: the API and OAuth over HTTP on the loopback address, with a database and files.
///
/// ```swift
/// let box = try await LocalBox.start()
/// // … talk to box.origin with box.accessToken …
/// await box.stop()
/// ```
///
/// With ``LocalBoxConfiguration/members``, the server has a team. Each user has their own files. ``users`` has the
/// users' access tokens, and ``teamAccessToken`` is the team's.
///
/// The API, content and notifications have one origin: `/2/files/list_folder`, `/2/files/upload`, `/oauth2/token`. The
/// app's key and secret and the tokens are new at every start unless the configuration has them.
public final class LocalBox: Sendable {
    /// The origin of the server, `http://127.0.0.1:PORT`.
    public var origin: String { parts.origin }
    /// The app key.
    public var appKey: String { parts.identity.appKey }
    /// The app secret.
    public var appSecret: String { parts.identity.appSecret }
    /// The account ID, `dbid:…`, which is derived from ``LocalBoxConfiguration/seed``.
    public var accountID: String { parts.identity.owner.accountID }
    /// An access token with all scopes.
    public let accessToken: String
    /// A refresh token that gives further access tokens at `/oauth2/token`.
    public let refreshToken: String
    /// An access token of the team with all scopes, or `nil` for a server with one user.
    public let teamAccessToken: String?
    /// The users, beginning with the first user.
    public let users: [BoxAccount]
    /// The requests that the server received.
    public var journal: Journal { server.shell.journal }
    /// Injects errors into the server's responses.
    public var faults: Faults { server.shell.faults }

    private let server: HTTPServer
    private let parts: BoxParts

    private init(server: HTTPServer, parts: BoxParts) {
        let identity = parts.identity
        let configuration = parts.configuration
        let grant = parts.tokens.login(
            identity.appKey, subject: TokenSubject.user(0).text, scopes: configuration.scopes, isLasting: true,
            access: configuration.accessToken, refresh: configuration.refreshToken)
        accessToken = grant.accessToken
        refreshToken = grant.refreshToken ?? ""
        teamAccessToken = identity.isTeam ? parts.accessToken(of: .team, configuration.scopes) : nil
        users = identity.users.map { user in
            let isFirst = user.number == 0
            return BoxAccount(
                accountID: user.accountID, memberID: user.memberID, namespaceID: user.home,
                accessToken: isFirst
                    ? grant.accessToken : parts.accessToken(of: .user(user.number), configuration.scopes))
        }
        self.server = server
        self.parts = parts
    }

    /// The TCP port.
    public var port: Int { server.port }

    /// Starts a server, which accepts requests when this method returns.
    ///
    /// - Throws: `StartError` if the port is in use, or if the directory belongs to something else or cannot be
    ///   written.
    @concurrent
    public static func start(_ configuration: LocalBoxConfiguration = .init()) async throws(StartError) -> LocalBox {
        let socket = try HTTPServer.listeningSocket(configuration)
        let (ground, identity) = (BoxGround(configuration), BoxIdentity(configuration))
        let namespaces = identity.users.map(\.home) + (identity.isTeam ? [identity.owner.root] : [])
        let stores = try BoxStores(ground, namespaces: namespaces)
        let parts = BoxParts(
            identity: identity, tokens: TokenIssuer(ground.clock, configuration),
            stores: stores, configuration: configuration, origin: "http://127.0.0.1:\(socket.port)",
            links: DirectLinks(clock: ground.clock))
        let memory = Faults.Memory(parts.tokens, forgetCursors: { stores.forgetCursors() })
        let shell = ServerShell(
            BoxService(parts: parts), behind: RequestGuard(port: socket.port, pages: [AuthorizeEndpoint.path]),
            faults: Faults(memory, entries: ground.contention),
            journal: Journal(
                capacity: configuration.journalCapacity, redaction: JournalRedaction(logins: "/oauth2")),
            configuration.limits)
        return LocalBox(server: try HTTPServer(shell, at: socket, threads: configuration.threads), parts: parts)
    }

    /// Closes the port and all connections, and removes a temporary directory.
    ///
    /// A second call does nothing.
    @concurrent
    public func stop() async {
        server.stop()
        parts.stores.close()
    }

    /// Returns a new access token of the first user with these scopes.
    public func issueAccessToken(scopes: [String]) -> String { parts.accessToken(of: .user(0), scopes) }

    /// The addresses on this server of the hosts that Dropbox's specs name.
    ///
    /// ```swift
    /// let configuration = RestClient.Configuration(services: box.services)
    /// let client = try RestClient(
    ///     instanceURL: box.origin, accessToken: Secret(box.accessToken), configuration: configuration)
    /// let page = try await StoneClient(client).files.listFolder(path: "").value
    /// ```
    public var services: [RestRequest.Service: RestRequest.Service.Address] {
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
        let address = RestRequest.Service.Address(origin: origin, basePath: "/2")
        var content = address
        content.maximumBodySize = LocalBoxConfiguration().uploadLimit
        return [.service("api"): address, .service("content"): content, .service("notify"): address]
    }
}

/// A user of a Dropbox test server.
public struct BoxAccount: Sendable, Hashable {
    /// The account ID, `dbid:…`.
    public let accountID: String
    /// The member ID, `dbmid:…`, for `Dropbox-API-Select-User`, or `nil` for a server with one user.
    public let memberID: String?
    /// The number of the namespace with the user's own files.
    public let namespaceID: String
    /// An access token with all scopes of users.
    public let accessToken: String
}
