// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Synchronization

/// The org that a command asks.
///
/// Other verbs use it so:
///
/// ```swift
/// let connection = try await Connection.open(options)
/// let limits = try await connection.withClient { client in try await client.send(.limits) }
/// await connection.close()
/// ```
struct Connection: Sendable {
    /// The client, which changes when the server turns out to be older.
    private final class Holder: Sendable {
        let client: Mutex<RestClient>
        init(_ client: RestClient) { self.client = Mutex(client) }
    }

    private let holder: Holder
    private let org: LocalOrg?
    private let configuration: RestClient.Configuration
    /// Whether the newest version that both sides know is looked for.
    private let findsVersion: Bool
    /// Makes a client of the same org with another configuration.
    private let remake: @Sendable (RestClient.Configuration) throws -> RestClient

    /// The client for the newest version of the API that is known to fit.
    var client: RestClient { holder.client.withLock(\.self) }

    init(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration, org: LocalOrg? = nil,
        remake: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        holder = Holder(try remake(configuration))
        (self.org, self.configuration, self.remake) = (org, configuration, remake)
        findsVersion = options.apiVersion == nil
    }

    /// Runs calls; should the server not know the version of the API, they run once more with one that it knows.
    ///
    /// - Parameter body: the calls; an error `.notFound` out of it must mean that nothing was done.
    /// - Returns: what the calls give.
    /// - Throws: what the calls throw.
    func withClient<Result>(_ body: (RestClient) async throws -> Result) async throws -> Result {
        do {
            return try await body(client)
        } catch let error as RestError where error.code == .notFound {
            guard let version = await olderVersion() else { throw error }
            try use(version)
            return try await body(client)
        }
    }

    /// The newest version that both sides know, where it is older than the one in use and none was chosen.
    ///
    /// - Returns: `nil` also when the server does not list its versions.
    func olderVersion() async -> APIVersion? {
        guard findsVersion, let answer = try? await client.send(.versions) else { return nil }
        let versions = answer.payload.array?.compactMap { $0["version"]?.string.flatMap { APIVersion($0) } } ?? []
        return versions.filter { $0 <= .current }.max().flatMap { $0 < client.apiVersion ? $0 : nil }
    }

    /// Uses another version from now on.
    private func use(_ version: APIVersion) throws {
        StandardOutput.note("soql: the server supports API version \(version) at most; using that")
        var configuration = configuration
        configuration.apiVersion = version
        let client = try remake(configuration)
        holder.client.withLock { $0 = client }
    }

    /// Ends the embedded org, if it is the one.
    func close() async {
        await org?.stop()
    }
}

extension Connection {
    /// The org that the options name, else the environment, else the current login, else the default org of `sf`.
    ///
    /// The embedded org answers where it was asked for, and where nobody ever tried to log in and no variable is set;
    /// it says so then. Everything else without a login is an error, as an answer of another org is worse than none.
    ///
    /// - Throws: ``UsageError``, `AccountManager.Error`, `OAuthError`.
    static func open(_ options: ConnectionOptions) async throws -> Connection {
        try await choose(options).connect()
    }

    /// Chooses the org, and says what there is to say of the choice; nothing is asked of the org yet.
    ///
    /// - Throws: as ``open(_:)``.
    static func choose(_ options: ConnectionOptions) async throws -> ChosenOrg {
        let configuration = options.configuration
        switch try OrgChoice(options) {
        case .sample: return sample(options, configuration)
        case .login(let name): return try await named(name, options, configuration)
        case .token(let url, let token):
            let connection = try Connection(options, configuration) { try client(at: url, token: token, $0) }
            return ChosenOrg(name: ChosenOrg.label(of: url)) { connection }
        case .current: return try await current(options, configuration)
        }
    }

    private static func named(
        _ name: String, _ options: ConnectionOptions, _ configuration: RestClient.Configuration
    ) async throws -> ChosenOrg {
        let accounts = try await Accounts.open(configuration)
        // A login that is there but cannot be read is not to be taken for another org.
        if !accounts.knows(name), let org = try OrgPlaces.find(name) {
            let connection = try Connection(options, configuration) { try org.client($0) }
            return ChosenOrg(name: name) { connection }
        }
        if !accounts.knows(name), let home = Settings.value("HOME") {
            let sf = SalesforceCLI(home: home)
            if sf.logins.contains(where: { $0.username == name || $0.aliases.contains(name) }) {
                let connection = try Connection(options, configuration, session: try await sf.session(of: name))
                return ChosenOrg(name: name) { connection }
            }
        }
        return try chosen(accounts.find(name), of: accounts, options, configuration)
    }

    private static func current(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration
    ) async throws -> ChosenOrg {
        // Who has logged out did not ask for another org of sf.
        let isNew = Traces.isFolderAbsent
        let accounts = try await Accounts.open(configuration)
        guard accounts.isEmpty else { return try chosen(accounts.find(nil), of: accounts, options, configuration) }
        if isNew, Traces.areOfSalesforceCLI, let home = Settings.value("HOME") {
            let session = try await SalesforceCLI(home: home).session()
            let connection = try Connection(options, configuration, session: session)
            return ChosenOrg(name: ChosenOrg.label(of: session.credential.instance.description)) { connection }
        }
        guard Traces.areNone else { throw noLogin }
        StandardOutput.note(
            "soql: no login: this is sample data of the embedded org (log in with 'soql login'; --sample asks for it)")
        return sample(options, configuration)
    }

    private static func sample(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration
    ) -> ChosenOrg {
        ChosenOrg(name: "sample") { try await embedded(options, configuration) }
    }

    private static func chosen(
        _ account: LinkedAccount, of accounts: Accounts, _ options: ConnectionOptions,
        _ configuration: RestClient.Configuration
    ) throws -> ChosenOrg {
        let connection = try Connection(options, configuration) {
            try RestClient(account: account.id, of: accounts.manager, configuration: $0)
        }
        return ChosenOrg(name: account.id, account: account) { connection }
    }

    private static var noLogin: AccountManager.Error {
        let variables = Traces.variables
        let names = variables.isEmpty ? "" : " (\(variables.joined(separator: ", ")) set, and none names an org)"
        return AccountManager.Error(
            .noAccount,
            "no login\(names); run 'soql login', name an org with --target-org, or ask for sample data with --sample")
    }

    private init(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration, session: SalesforceCLI.Session
    ) throws {
        try self.init(options, configuration) {
            RestClient(credential: session.credential, grant: session.grant, configuration: $0)
        }
    }

    private static func embedded(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration
    ) async throws -> Connection {
        let org = try await LocalOrg.start()
        return try Connection(options, configuration, org: org) {
            try RestClient(
                loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                configuration: $0)
        }
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
}
