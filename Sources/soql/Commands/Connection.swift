// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK

/// The org that a query goes to.
struct Connection: Sendable {
    let client: RestClient
    private let org: LocalOrg?
    /// Makes a client of the same org with another configuration.
    private let remake: @Sendable (RestClient.Configuration) throws -> RestClient

    /// The org of the account that was asked for, else of the environment, else of the current account.
    ///
    /// If there is none, an embedded org starts that lives as long as the connection.
    static func open(_ options: ConnectionOptions) async throws -> Connection {
        let configuration = configuration(options.apiVersion ?? .current, options)
        if let account = options.account {
            let accounts = try await Accounts.open()
            return try Connection(to: accounts.find(account), of: accounts, configuration)
        }
        let url = try variable("SF_INSTANCE_URL", with: "SF_ACCESS_TOKEN")
        let token = try variable("SF_ACCESS_TOKEN", with: "SF_INSTANCE_URL")
        if let url, let token {
            return try Connection(configuration) { try client(at: url, token: Secret(token), $0) }
        }
        let accounts = try await Accounts.open()
        // A user with logins does not want sample data.
        guard accounts.manager.accounts.isEmpty, accounts.manager.unreadable.isEmpty else {
            return try Connection(to: accounts.find(nil), of: accounts, configuration)
        }
        return try await embedded(configuration)
    }

    private static func configuration(_ version: APIVersion, _ options: ConnectionOptions) -> RestClient.Configuration {
        var configuration = RestClient.Configuration(apiVersion: version, userAgent: "soql/\(RestClient.version)")
        if let seconds = options.timeoutSeconds { configuration.timeout = .seconds(seconds) }
        return configuration
    }

    private init(
        _ configuration: RestClient.Configuration, org: LocalOrg? = nil,
        remake: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        client = try remake(configuration)
        self.org = org
        self.remake = remake
    }

    private init(to account: LinkedAccount, of accounts: Accounts, _ configuration: RestClient.Configuration) throws {
        let manager = accounts.manager
        try self.init(configuration) { try RestClient(account: account.id, of: manager, configuration: $0) }
    }

    /// A client for the newest version of the API that this command and the server support.
    ///
    /// `nil` when that version is in use already, or when the server does not list its versions.
    func clientOfOlderServer(_ options: ConnectionOptions) async throws -> (RestClient, APIVersion)? {
        guard options.apiVersion == nil, let answer = try? await client.send(.versions) else { return nil }
        let versions = answer.payload.array?.compactMap { $0["version"]?.string.flatMap { APIVersion($0) } } ?? []
        guard let newest = versions.filter({ $0 <= .current }).max(), newest < .current else { return nil }
        return (try remake(Self.configuration(newest, options)), newest)
    }

    private static func embedded(_ configuration: RestClient.Configuration) async throws -> Connection {
        let org = try await LocalOrg.start()
        return try Connection(configuration, org: org) {
            try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                configuration: $0)
        }
    }

    /// The value of a variable that needs another one beside it.
    ///
    /// One alone is a mistake, and must not lead to the sample data of the embedded org.
    private static func variable(_ name: String, with other: String) throws(UsageError) -> String? {
        guard let text = Settings.value(name) else { return nil }
        guard Settings.value(other) != nil else {
            throw UsageError("\(name) is set but \(other) is not; set both or none")
        }
        return text
    }

    private static func client(
        at url: String, token: Secret, _ configuration: RestClient.Configuration
    ) throws(UsageError) -> RestClient {
        do {
            return try RestClient(instanceURL: url, accessToken: token, configuration: configuration)
        } catch {
            throw UsageError("SF_INSTANCE_URL is not valid: \(error.message)")
        }
    }

    func close() async {
        await org?.stop()
    }
}
