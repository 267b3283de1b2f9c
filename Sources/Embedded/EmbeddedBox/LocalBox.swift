// SPDX-License-Identifier: Apache-2.0

public import LocalServer
import RestBase
public import RestSDK

/// A box: Dropbox's API and OAuth over HTTP on the loopback address, on a database and files.
///
/// ```swift
/// let box = try await LocalBox.start()
/// // … talk to box.origin with box.accessToken …
/// await box.stop()
/// ```
///
/// With ``LocalBoxConfiguration/members`` it is the box of a team: each user has files of their own, ``users`` has
/// their tokens and ``teamAccessToken`` the team's.
///
/// API, content and notifications are all at one origin: `/2/files/list_folder`, `/2/files/upload`, `/oauth2/token`.
/// The app's key and secret and the tokens are new at every start, also for a box kept in a folder, unless the
/// configuration has them.
public final class LocalBox: Sendable {
    /// Where the box answers, `http://127.0.0.1:PORT`.
    public var origin: String { parts.origin }
    /// The key of the box's app.
    public var appKey: String { parts.identity.appKey }
    /// The secret of the box's app.
    public var appSecret: String { parts.identity.appSecret }
    /// The id of the account, `dbid:…`; ``LocalBoxConfiguration/seed`` decides it.
    public var accountID: String { parts.identity.owner.accountID }
    /// An access token with all scopes.
    public let accessToken: String
    /// Gives further access tokens at `/oauth2/token`.
    public let refreshToken: String
    /// An access token of the whole team with all scopes; `nil` for a box with one user.
    public let teamAccessToken: String?
    /// The users, the first one first.
    public let users: [BoxAccount]
    /// Every request the box received.
    public var journal: Journal { server.shell.journal }
    /// Makes the box misbehave.
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
        teamAccessToken = identity.teamID.map { _ in
            parts.accessToken(of: .team, configuration.scopes + TeamRoutes.scopes)
        }
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

    /// The box's TCP port.
    public var port: Int { server.port }

    /// Starts a box; it answers when this returns.
    ///
    /// - Throws: `StartError` when the port is in use, or the folder is not a box's or cannot be written.
    @concurrent
    public static func start(_ configuration: LocalBoxConfiguration = .init()) async throws(StartError) -> LocalBox {
        let socket = try HTTPServer.listeningSocket(configuration)
        return try assemble(configuration, socket)
    }

    /// Closes the port and every connection, and removes a temporary folder; a second call does nothing.
    @concurrent
    public func stop() async {
        server.stop()
        parts.stores.close()
    }

    /// Logs the first user in without a request, with some scopes, and gives an access token.
    public func issueAccessToken(scopes: [String]) -> String { parts.accessToken(of: .user(0), scopes) }

    /// Logs the team in without a request, with some scopes, and gives an access token; `nil` for a box with one user.
    public func issueTeamAccessToken(scopes: [String]) -> String? {
        parts.identity.teamID.map { _ in parts.accessToken(of: .team, scopes) }
    }

    private static func assemble(
        _ configuration: LocalBoxConfiguration, _ socket: Socket
    ) throws(StartError) -> LocalBox {
        let (ground, identity) = (BoxGround(configuration), BoxIdentity(configuration))
        let namespaces = identity.users.map(\.home) + (identity.teamID == nil ? [] : [identity.owner.root])
        let stores = try BoxStores(ground, namespaces: namespaces)
        let parts = BoxParts(
            identity: identity, tokens: TokenIssuer(ground.clock, configuration),
            stores: stores, configuration: configuration, origin: "http://127.0.0.1:\(socket.port)",
            links: DirectLinks(clock: ground.clock))
        let memory = Faults.Memory(parts.tokens, forgetCursors: { stores.forgetCursors() })
        let shell = ServerShell(
            BoxService(parts: parts), behind: RequestGuard(port: socket.port, pages: [AuthorizeEndpoint.path]),
            faults: Faults(memory, entries: ground.contention), hiding: JournalRedaction(logins: "/oauth2"),
            configuration)
        return LocalBox(server: try HTTPServer(shell, at: socket, threads: configuration.threads), parts: parts)
    }
}

extension LocalBox {
    /// Where the hosts that Dropbox's specs name are at this box, in place of Dropbox's own addresses.
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

/// A user of an embedded box.
public struct BoxAccount: Sendable, Hashable {
    /// The id of the account, `dbid:…`.
    public let accountID: String
    /// The id of the member, `dbmid:…`, which `Dropbox-API-Select-User` takes; `nil` for a box with one user.
    public let memberID: String?
    /// The number of the namespace that has the user's own files.
    public let namespaceID: String
    /// An access token with all scopes of users.
    public let accessToken: String
}
