// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestAuth
import RestBase
public import RestSDK
public import RestTransport
public import StoneRuntime

/// A client for one Dropbox user.
///
/// ```swift
/// let box = DropboxClient(accessToken: token)
/// let file = try await box.files.getMetadata(path: "/plan.txt").value
/// ```
///
/// Clients that are derived from a client share its pipeline, tokens and settings.
public struct DropboxClient: DropboxAccountClient {
    /// The client of the routes.
    public let routes: StoneClient

    /// Makes a client from a client of the routes.
    public init(routes: StoneClient) {
        self.routes = routes
    }

    /// Returns a copy of the client for paths below another root.
    ///
    /// - Parameter root: the root, or `nil` for the user's own root.
    /// - Returns: a client that shares everything else with this one.
    public func withPathRoot(_ root: Common.PathRoot?) -> DropboxClient {
        // A root that cannot be encoded must not become the user's own root. The server rejects `{}`.
        DropboxClient(routes: routes.with("Dropbox-API-Path-Root", root.map { (try? $0.headerText()) ?? "{}" }))
    }
}

extension StoneClient {
    /// Returns a copy of the client with a header field for the calls of a user or a team.
    func with(_ field: String, _ value: String?) -> StoneClient {
        var copy = self
        copy.settings.fields[field] = value
        return copy
    }
}

/// A client that calls Dropbox with the tokens of a user or a team.
public protocol DropboxAccountClient: DropboxCaller {
    init(routes: StoneClient)
}

extension DropboxAccountClient {
    /// Makes a client with the tokens of an account.
    ///
    /// - Parameters:
    ///   - tokens: the tokens of the user or the team.
    ///   - app: the app, and the hosts of Dropbox.
    ///   - configuration: the configuration of the client.
    public init(
        tokens: TokenManager, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(routes: app.routes(tokens, configuration))
    }

    /// Makes a client with an access token, which the client does not renew.
    ///
    /// - Parameters:
    ///   - accessToken: the token.
    ///   - app: the app, and the hosts of Dropbox.
    ///   - configuration: the configuration of the client.
    public init(
        accessToken: Secret, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(tokens: app.tokens(accessToken, configuration), app: app, configuration: configuration)
    }

    /// Makes a client of one server that takes the place of all hosts of Dropbox, such as a `LocalBox`.
    ///
    /// ```swift
    /// let client = try DropboxClient(accessToken: Secret(box.accessToken), origin: box.origin)
    /// ```
    ///
    /// - Parameters:
    ///   - accessToken: the token. The client does not renew it.
    ///   - origin: the server's URL without a path: https, or http to a loopback address.
    ///   - configuration: the configuration of the client.
    /// - Throws: `RestError.Code.invalidRequest` for another URL.
    public init(
        accessToken: Secret, origin: String, configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let hosts = DropboxHosts(all: try Origin(orgURL: origin, argument: "origin"))
        self.init(accessToken: accessToken, app: DropboxApp(hosts: hosts), configuration: configuration)
    }

    /// Makes a client of a linked account, which never changes to another account.
    ///
    /// - Parameters:
    ///   - id: the key of the account.
    ///   - accounts: the accounts.
    ///   - app: the app, and the hosts of Dropbox.
    ///   - configuration: the configuration of the client.
    /// - Throws: `RestError.Code.noAccount` if the account is not linked.
    public init(
        account id: String, of accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        self.init(routes: try app.routes(of: id, accounts, configuration))
    }

    /// Makes a client of the present current account, which never changes to another account.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - app: the app, and the hosts of Dropbox.
    ///   - configuration: the configuration of the client.
    /// - Throws: `RestError.Code.noAccount` if there is no current account.
    public init(
        currentOf accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        guard let current = accounts.current else {
            throw RestError(.noAccount, "no current account; log in or choose a linked account")
        }
        try self.init(account: current.id, of: accounts, app: app, configuration: configuration)
    }
}

/// An app that calls Dropbox, and the hosts of Dropbox, which its logins and clients share.
public struct DropboxApp: Sendable {
    /// The app's key, which logins and routes with app authentication need.
    public var key: String?
    /// The app's secret, or `nil` for an app on its users' devices, which logs in with PKCE.
    public var secret: Secret?
    /// The app's name and version, such as `BoxSync/1.0`, for the start of the `User-Agent` field.
    public var userAgent: String?
    /// The language of texts for the user, such as `de-AT`, or `nil` to let Dropbox choose.
    public var locale: String?
    /// The hosts of Dropbox.
    public var hosts: DropboxHosts

    /// Makes a description of an app.
    public init(
        key: String? = nil, secret: Secret? = nil, userAgent: String? = nil, locale: String? = nil,
        hosts: DropboxHosts = DropboxHosts()
    ) {
        self.key = key
        self.secret = secret
        self.userAgent = userAgent
        self.locale = locale
        self.hosts = hosts
    }

    /// The `Authorization` field of routes with app authentication; `nil` without key and secret.
    var authorization: Secret? {
        guard let key, let secret else { return nil }
        return Secret("Basic " + Base64.encode(Array("\(key):\(secret.reveal())".utf8)))
    }
}

/// A client for the app itself, with the app's key and secret instead of a user's token.
///
/// A route that needs a token of a user or a team throws `RestError.Code.invalidRequest` before anything is sent.
public struct DropboxAppClient: DropboxCaller {
    /// The client of the routes.
    public let routes: StoneClient

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - app: the app with key and secret, and the hosts of Dropbox.
    ///   - configuration: the configuration of the client.
    public init(app: DropboxApp, configuration: RestClient.Configuration = RestClient.Configuration()) {
        routes = app.routes(nil, configuration)
    }
}

/// A client that calls Dropbox's routes for a user, a team or the app itself.
///
/// Every namespace of routes is a property, including namespaces of sources that you generate:
///
/// ```swift
/// let page = try await box.files.listFolder(path: "").value
/// ```
@dynamicMemberLookup
public protocol DropboxCaller: Sendable {
    /// The client of the routes, for routes without a property, such as routes you wrote by hand.
    var routes: StoneClient { get }
}

extension DropboxCaller {
    /// The routes of a namespace.
    public subscript<Namespace>(
        dynamicMember namespace: KeyPath<StoneClient, RouteGroup<Namespace>>
    ) -> RouteGroup<Namespace> {
        routes[keyPath: namespace]
    }
}

/// The hosts of Dropbox, or of a server for tests.
///
/// ```swift
/// let hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: 8080))
/// ```
public struct DropboxHosts: Sendable, Hashable {
    /// The purpose of a host.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Calls without content.
        case api
        /// Calls with content.
        case content
        /// Calls that download content, if they have a separate host.
        case download
        /// Calls that wait for changes.
        case notify
    }

    /// The host of calls without content, and of the token endpoint.
    public var api = Origin(scheme: .https, host: "api.dropboxapi.com")
    /// The host of calls with content.
    public var content = Origin(scheme: .https, host: "content.dropboxapi.com")
    /// The host of calls that download content, or `nil` for ``content``.
    public var download: Origin?
    /// The host of calls that wait for changes.
    public var notify = Origin(scheme: .https, host: "notify.dropboxapi.com")
    /// The host of the login page.
    public var web = Origin(scheme: .https, host: "www.dropbox.com")
    /// Header fields of every call to a host.
    ///
    /// Fields of the call have priority, but an `Authorization` field here replaces the token.
    public var fields: [Role: HTTPFields] = [:]

    /// Makes the hosts of Dropbox.
    public init() {}

    /// Makes one server the host for all purposes.
    public init(all origin: Origin) {
        (api, content, notify, web) = (origin, origin, origin, origin)
    }

    static let largestUpload = 150 << 20

    /// The hosts as services of a client, each with the base path `/2`.
    var addresses: [RestRequest.Service: RestRequest.Service.Address] {
        let pairs = Role.allCases.map { role in
            (
                RestRequest.Service.service(role.rawValue),
                RestRequest.Service.Address(
                    origin: origin(of: role), basePath: "/2",
                    fields: fields[role] ?? (role == .download ? fields[.content] : nil) ?? [:],
                    maximumBodySize: role == .content ? Self.largestUpload : RestRequest.maximumBodySize)
            )
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func origin(of role: Role) -> Origin {
        switch role {
        case .api: api
        case .content: content
        case .download: download ?? content
        case .notify: notify
        }
    }
}

/// A client for a Dropbox team and its members.
///
/// ```swift
/// let team = DropboxTeamClient(accessToken: token)
/// let page = try await team.asMember("dbmid:…").files.listFolder(path: "").value
/// ```
public struct DropboxTeamClient: DropboxAccountClient {
    /// The client of the routes.
    public let routes: StoneClient

    /// Makes a client from a client of the routes.
    public init(routes: StoneClient) {
        self.routes = routes
    }

    /// Returns a client that acts as a member of the team.
    ///
    /// - Parameter id: the member's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this client.
    public func asMember(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-User", id))
    }

    /// Returns a client that acts as an admin of the team, with access to team-owned content.
    ///
    /// - Parameter id: the admin's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this client.
    public func asAdmin(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-Admin", id))
    }
}

extension DropboxApp {
    /// The time limit of a call that waits for changes.
    static let longestWait = Duration.seconds(480)
    /// The time limit of a call with content, in addition to the time for an upload's bytes on a slow link.
    static let longestTransfer = Duration.seconds(3600)
    /// The minimum speed of an upload, in bytes per second, for its time limit.
    static let slowestLink = 10_000
    /// The time limit of streamed content, so long that only the transport's limit for silence ends a stream.
    static let longestStream = Duration.seconds(366 * 86_400)

    func routes(_ tokens: TokenManager?, _ configuration: RestClient.Configuration) -> StoneClient {
        let client = RestClient(
            tokens: tokens ?? TokenManager(credential: nil, renewal: .none, clock: configuration.clock),
            configuration: adapted(configuration))
        return StoneClient(client, settings: settings(hasToken: tokens != nil))
    }

    func adapted(_ configuration: RestClient.Configuration) -> RestClient.Configuration {
        var adapted = configuration
        adapted.services.merge(hosts.addresses) { $1 }
        if let userAgent { adapted.userAgent = "\(userAgent) \(configuration.userAgent)" }
        if let locale { adapted.fields["Dropbox-API-User-Locale"] = locale }
        return adapted
    }

    func settings(hasToken: Bool) -> StoneClient.Settings {
        var settings = StoneClient.Settings()
        settings.hasToken = hasToken
        settings.appAuthorization = authorization
        settings.streamTimeout = Self.longestStream
        settings.prepare = { request, route in
            if route.style == Download.name, route.host == DropboxHosts.Role.content.rawValue {
                request.service = .service(DropboxHosts.Role.download.rawValue)
            }
            if route.host == DropboxHosts.Role.notify.rawValue { request.timeout = Self.longestWait }
            if route.style != RPC.name { request.timeout = Self.longestTransfer }
            if route.style == Upload.name {
                let size = request.body.inMemory?.count ?? DropboxHosts.largestUpload
                request.timeout = Self.longestTransfer + .seconds(size / Self.slowestLink)
            }
        }
        return settings
    }

    /// A token manager that never renews its token.
    func tokens(_ accessToken: Secret, _ configuration: RestClient.Configuration) -> TokenManager {
        TokenManager(
            credential: Credential(accessToken: accessToken, instance: hosts.api), renewal: .none,
            clock: configuration.clock)
    }

    /// A client of the routes with the tokens of a linked account.
    func routes(
        of account: String, _ accounts: AccountManager, _ configuration: RestClient.Configuration
    ) throws(RestError) -> StoneClient {
        let client = try RestClient(account: account, of: accounts, configuration: adapted(configuration))
        return StoneClient(client, settings: settings(hasToken: true))
    }
}
