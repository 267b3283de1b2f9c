// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestSDK
import RestTransport
import StoneRuntime

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
