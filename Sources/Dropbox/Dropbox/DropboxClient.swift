// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestAuth
import RestBase
public import RestSDK
public import RestTransport
public import StoneRuntime

/// Calls Dropbox for one user.
///
/// ```swift
/// let box = DropboxClient(accessToken: token)
/// let file = try await box.files.getMetadata(path: "/plan.txt").value
/// ```
///
/// It is a value: clients that are derived from one share its pipeline, its tokens and its settings.
public struct DropboxClient: DropboxAccountClient {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client that calls its routes so.
    public init(routes: StoneClient) {
        self.routes = routes
    }

    /// The same client for paths below another root.
    ///
    /// - Parameter root: the root; `nil` is the user's own.
    /// - Returns: a client that shares everything else with this one.
    public func withPathRoot(_ root: Common.PathRoot?) -> DropboxClient {
        // A root that could not be written must not become the user's own: the server refuses this one.
        DropboxClient(routes: routes.with("Dropbox-API-Path-Root", root.map { (try? $0.headerText()) ?? "{}" }))
    }
}

extension StoneClient {
    /// The same client with a header field of the calls that are made for somebody.
    func with(_ field: String, _ value: String?) -> StoneClient {
        var copy = self
        copy.settings.fields[field] = value
        return copy
    }
}

/// What calls Dropbox with somebody's tokens: a client of a user or of a team.
public protocol DropboxAccountClient: DropboxCaller {
    /// Makes a client that calls its routes so.
    init(routes: StoneClient)
}

extension DropboxAccountClient {
    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the tokens of the user or of the team.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(routes: app.routes(tokens, configuration))
    }

    /// Makes a client for an access token that came from elsewhere; nobody renews it.
    ///
    /// - Parameters:
    ///   - accessToken: the token.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    public init(
        accessToken: Secret, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(tokens: app.tokens(accessToken, configuration), app: app, configuration: configuration)
    }

    /// Makes a client of one server that does all of Dropbox's work, such as a `LocalBox`.
    ///
    /// ```swift
    /// let client = try DropboxClient(accessToken: Secret(box.accessToken), origin: box.origin)
    /// ```
    ///
    /// - Parameters:
    ///   - accessToken: the token. The client does not renew it.
    ///   - origin: the server's URL without a path: https, or http to a loopback address.
    ///   - configuration: everything else.
    /// - Throws: `RestError.Code.invalidRequest` for another URL.
    public init(
        accessToken: Secret, origin: String, configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let hosts = DropboxHosts(all: try Origin(orgURL: origin, argument: "origin"))
        self.init(accessToken: accessToken, app: DropboxApp(hosts: hosts), configuration: configuration)
    }

    /// Makes a client of a linked account, to which it belongs for life.
    ///
    /// - Parameters:
    ///   - id: the account's key.
    ///   - accounts: the accounts.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    /// - Throws: `RestError.Code.noAccount` when the account is not linked.
    public init(
        account id: String, of accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        self.init(routes: try app.routes(of: id, accounts, configuration))
    }

    /// Makes a client of the account that is the current one now, and to which it belongs for life.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    /// - Throws: `RestError.Code.noAccount` when there is none.
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

/// The app that talks to Dropbox, and where Dropbox is: what its logins and all of its clients have in common.
public struct DropboxApp: Sendable {
    /// The app's key; needed for logins and for routes that an app calls for itself.
    public var key: String?
    /// The app's secret; an app on devices of its users has none, and logs in with PKCE alone.
    public var secret: Secret?
    /// The app's name and version as they stand before the SDK's own in the field `User-Agent`, such as `BoxSync/1.0`.
    public var userAgent: String?
    /// The language of the texts that Dropbox writes for the user, such as `de-AT`; `nil` leaves it to Dropbox.
    public var locale: String?
    /// Where Dropbox is.
    public var hosts: DropboxHosts

    /// Describes an app.
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

    /// The field `Authorization` of what the app calls for itself; `nil` without key and secret.
    var authorization: Secret? {
        guard let key, let secret else { return nil }
        return Secret("Basic " + Base64.encode(Array("\(key):\(secret.reveal())".utf8)))
    }
}

/// Calls Dropbox for the app itself, with its key and secret, where no user is needed.
///
/// A route that needs somebody's token fails with `RestError.Code.invalidRequest`; nothing is sent then.
public struct DropboxAppClient: DropboxCaller {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - app: the app with key and secret, and where Dropbox is.
    ///   - configuration: everything else.
    public init(app: DropboxApp, configuration: RestClient.Configuration = RestClient.Configuration()) {
        routes = app.routes(nil, configuration)
    }
}

/// What calls Dropbox's routes for somebody: a user, a team or the app itself.
///
/// Every namespace of the routes is a property, those of sources that you generate as well:
///
/// ```swift
/// let page = try await box.files.listFolder(path: "").value
/// ```
@dynamicMemberLookup
public protocol DropboxCaller: Sendable {
    /// Calls the routes; for those that no property has, such as routes you wrote by hand.
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

/// The servers of Dropbox; for tests, servers of your own.
///
/// ```swift
/// let hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: 8080))
/// ```
public struct DropboxHosts: Sendable, Hashable {
    /// What a host is for.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Calls without content.
        case api
        /// Calls with content.
        case content
        /// Calls that give content, where they have a host of their own.
        case download
        /// Calls that wait for news.
        case notify
    }

    /// The host of calls without content, and of the tokens.
    public var api = Origin(scheme: .https, host: "api.dropboxapi.com")
    /// The host of calls with content.
    public var content = Origin(scheme: .https, host: "content.dropboxapi.com")
    /// The host of calls that give content; `nil` takes ``content``.
    public var download: Origin?
    /// The host of calls that wait for news.
    public var notify = Origin(scheme: .https, host: "notify.dropboxapi.com")
    /// The host of the page where users log in.
    public var web = Origin(scheme: .https, host: "www.dropbox.com")
    /// Header fields of every call to a host; those of the call itself win, except that an `Authorization` among them
    /// is sent in place of the token.
    public var fields: [Role: HTTPFields] = [:]

    /// The hosts of Dropbox.
    public init() {}

    /// One server that does it all.
    public init(all origin: Origin) {
        (api, content, notify, web) = (origin, origin, origin, origin)
    }

    /// How many bytes one request may upload.
    static let largestUpload = 150 << 20

    /// The hosts as services of a client, each below `/2`.
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

/// Calls Dropbox for a team, and for its members.
///
/// ```swift
/// let team = DropboxTeamClient(accessToken: token)
/// let page = try await team.asMember("dbmid:…").files.listFolder(path: "").value
/// ```
public struct DropboxTeamClient: DropboxAccountClient {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client that calls its routes so.
    public init(routes: StoneClient) {
        self.routes = routes
    }

    /// A client that acts as a member of the team.
    ///
    /// - Parameter id: the member's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this one.
    public func asMember(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-User", id))
    }

    /// A client that acts as an admin of the team, who may see what belongs to the whole of it.
    ///
    /// - Parameter id: the admin's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this one.
    public func asAdmin(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-Admin", id))
    }
}

extension DropboxApp {
    /// How long a call may wait for news: the server takes up to eight minutes and a little more.
    static let longestWait = Duration.seconds(480)
    /// How long an upload of one request, or content that is kept in memory, may take, beside what its bytes take on a
    /// slow link; a connection that falls silent ends earlier, by the limits of the transport.
    static let longestTransfer = Duration.seconds(3600)
    /// The slowest link that an upload is given time for, in bytes per second.
    static let slowestLink = 10_000
    /// How long content that is read as it arrives may take: as long as it comes, silence is the limit.
    static let longestStream = Duration.seconds(366 * 86_400)

    /// What calls the routes, over one pipeline; without tokens for the app itself.
    func routes(_ tokens: TokenManager?, _ configuration: RestClient.Configuration) -> StoneClient {
        let client = RestClient(
            tokens: tokens ?? TokenManager(credential: nil, renewal: .none, clock: configuration.clock),
            configuration: adapted(configuration))
        return StoneClient(client, settings: settings(hasToken: tokens != nil))
    }

    /// The configuration with the hosts, the names and the language of the app.
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

    /// Tokens that nobody renews.
    func tokens(_ accessToken: Secret, _ configuration: RestClient.Configuration) -> TokenManager {
        TokenManager(
            credential: Credential(accessToken: accessToken, instance: hosts.api), renewal: .none,
            clock: configuration.clock)
    }

    /// The tokens of a linked account, and the routes over them.
    func routes(
        of account: String, _ accounts: AccountManager, _ configuration: RestClient.Configuration
    ) throws(RestError) -> StoneClient {
        let client = try RestClient(account: account, of: accounts, configuration: adapted(configuration))
        return StoneClient(client, settings: settings(hasToken: true))
    }
}
