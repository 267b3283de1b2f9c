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
/// It is a value. Clients derived from another client share its pipeline, its tokens and its settings.
public struct DropboxClient: DropboxAccountClient {
    /// The client that calls the routes.
    public let routes: StoneClient

    /// Creates a client from a client of the routes.
    public init(routes: StoneClient) {
        self.routes = routes
    }

    /// Returns a client whose paths are relative to another root.
    ///
    /// - Parameter root: the root, or `nil` for the user's own root.
    /// - Returns: a client that shares everything else with this client.
    public func withPathRoot(_ root: Common.PathRoot?) -> DropboxClient {
        // A root that cannot be written must not become the user's own: the server rejects `{}`.
        DropboxClient(routes: routes.with("Dropbox-API-Path-Root", root.map { (try? $0.headerText()) ?? "{}" }))
    }
}

extension StoneClient {
    /// Returns a copy with a header for calls that are made for a user or a team.
    func with(_ field: String, _ value: String?) -> StoneClient {
        var copy = self
        copy.settings.fields[field] = value
        return copy
    }
}

/// A client that calls Dropbox with the tokens of a user or a team.
public protocol DropboxAccountClient: DropboxCaller {
    /// Creates a client from a client of the routes.
    init(routes: StoneClient)
}

extension DropboxAccountClient {
    /// Creates a client with the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the tokens of the user or of the team.
    ///   - app: the app and its Dropbox servers.
    ///   - configuration: all other settings.
    public init(
        tokens: TokenManager, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(routes: app.routes(tokens, configuration))
    }

    /// Creates a client with an access token that is never renewed.
    ///
    /// - Parameters:
    ///   - accessToken: the token.
    ///   - app: the app and its Dropbox servers.
    ///   - configuration: all other settings.
    public init(
        accessToken: Secret, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(tokens: app.tokens(accessToken, configuration), app: app, configuration: configuration)
    }

    /// Creates a client for one server that has all of Dropbox's roles, such as a `LocalBox`.
    ///
    /// ```swift
    /// let client = try DropboxClient(accessToken: Secret(box.accessToken), origin: box.origin)
    /// ```
    ///
    /// - Parameters:
    ///   - accessToken: the token. The client does not renew it.
    ///   - origin: the server's URL without a path: https, or http to a loopback address.
    ///   - configuration: all other settings.
    /// - Throws: `RestError.Code.invalidRequest` for any other URL.
    public init(
        accessToken: Secret, origin: String, configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let hosts = DropboxHosts(all: try Origin(orgURL: origin, argument: "origin"))
        self.init(accessToken: accessToken, app: DropboxApp(hosts: hosts), configuration: configuration)
    }

    /// Creates a client that is permanently bound to a linked account.
    ///
    /// - Parameters:
    ///   - id: the account's key.
    ///   - accounts: the accounts.
    ///   - app: the app and its Dropbox servers.
    ///   - configuration: all other settings.
    /// - Throws: `RestError.Code.noAccount` if the account is not linked.
    public init(
        account id: String, of accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        self.init(routes: try app.routes(of: id, accounts, configuration))
    }

    /// Creates a client that is permanently bound to the account that is current now.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - app: the app and its Dropbox servers.
    ///   - configuration: all other settings.
    /// - Throws: `RestError.Code.noAccount` if there is no current account.
    public init(
        currentOf accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        guard let current = accounts.current else {
            throw RestError(.noAccount, "there is no current account; log in or choose a linked account")
        }
        try self.init(account: current.id, of: accounts, app: app, configuration: configuration)
    }
}

/// The app and the Dropbox servers, which all logins and clients share.
public struct DropboxApp: Sendable {
    /// The app's key, which is required for logins and for routes that an app calls for itself.
    public var key: String?
    /// The app's secret, or `nil` for apps on users' devices, which log in with PKCE only.
    public var secret: Secret?
    /// The app's name and version for `User-Agent`, such as `BoxSync/1.0`, which precede the SDK's own.
    public var userAgent: String?
    /// The language of Dropbox's messages for the user, such as `de-AT`, or `nil` for Dropbox's choice.
    public var locale: String?
    /// The Dropbox servers.
    public var hosts: DropboxHosts

    /// Creates an app.
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

    /// The `Authorization` header for calls by the app itself, or `nil` without key and secret.
    var authorization: Secret? {
        guard let key, let secret else { return nil }
        return Secret("Basic " + Base64.encode(Array("\(key):\(secret.reveal())".utf8)))
    }
}

/// A client for the app itself, with the app's key and secret instead of a user's token.
///
/// A route that requires a user's or a team's token fails with `RestError.Code.invalidRequest` before a request is
/// sent.
public struct DropboxAppClient: DropboxCaller {
    /// The client that calls the routes.
    public let routes: StoneClient

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - app: the app with key and secret, and its Dropbox servers.
    ///   - configuration: all other settings.
    public init(app: DropboxApp, configuration: RestClient.Configuration = RestClient.Configuration()) {
        routes = app.routes(nil, configuration)
    }
}

/// A client of Dropbox's routes for a user, a team or the app itself.
///
/// Every namespace of routes is a property, including namespaces in sources that you generate:
///
/// ```swift
/// let page = try await box.files.listFolder(path: "").value
/// ```
@dynamicMemberLookup
public protocol DropboxCaller: Sendable {
    /// The client that calls the routes, including routes without a property, such as handwritten ones.
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

/// The servers of Dropbox, or your own servers for tests.
///
/// ```swift
/// let hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: 8080))
/// ```
public struct DropboxHosts: Sendable, Hashable {
    /// The role of a host.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Calls without content.
        case api
        /// Calls with content.
        case content
        /// Calls that return content, if they have their own host.
        case download
        /// Calls that wait for changes.
        case notify
    }

    /// The host of calls without content, and of the token endpoint.
    public var api = Origin(scheme: .https, host: "api.dropboxapi.com")
    /// The host of calls with content.
    public var content = Origin(scheme: .https, host: "content.dropboxapi.com")
    /// The host of calls that return content, or `nil` to use ``content``.
    public var download: Origin?
    /// The host of calls that wait for changes.
    public var notify = Origin(scheme: .https, host: "notify.dropboxapi.com")
    /// The host of the page where users log in.
    public var web = Origin(scheme: .https, host: "www.dropbox.com")
    /// Headers for every call to a host, which the call's own headers override.
    ///
    /// An `Authorization` in this property replaces the token.
    public var fields: [Role: HTTPFields] = [:]

    /// Creates the hosts of Dropbox.
    public init() {}

    /// Uses one server for all roles.
    public init(all origin: Origin) {
        (api, content, notify, web) = (origin, origin, origin, origin)
    }

    /// The maximum size of an upload in one request, in bytes.
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
    /// The client that calls the routes.
    public let routes: StoneClient

    /// Creates a client from a client of the routes.
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

    /// Returns a client that acts as an admin of the team, who can access all of the team's content.
    ///
    /// - Parameter id: the admin's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this client.
    public func asAdmin(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-Admin", id))
    }
}

extension DropboxApp {
    /// The timeout of calls that wait for changes: the server can take slightly more than eight minutes.
    static let longestWait = Duration.seconds(480)
    /// The timeout of uploads and of content in memory, to which uploads add the time at ``slowestLink``.
    ///
    /// A silent connection fails earlier, by the transport's limits.
    static let longestTransfer = Duration.seconds(3600)
    /// The minimum upload rate that the timeout assumes, in bytes per second.
    static let slowestLink = 10_000
    /// The timeout of streamed content, which in effect is limited only by silence.
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

    func tokens(_ accessToken: Secret, _ configuration: RestClient.Configuration) -> TokenManager {
        TokenManager(
            credential: Credential(accessToken: accessToken, instance: hosts.api), renewal: .none,
            clock: configuration.clock)
    }

    func routes(
        of account: String, _ accounts: AccountManager, _ configuration: RestClient.Configuration
    ) throws(RestError) -> StoneClient {
        let client = try RestClient(account: account, of: accounts, configuration: adapted(configuration))
        return StoneClient(client, settings: settings(hasToken: true))
    }
}
