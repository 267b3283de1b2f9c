// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestSDK
import RestTransport
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
final class Connection: Sendable {
    /// The client, which changes when the server turns out to be older.
    private let current: Mutex<RestClient>
    private let org: LocalOrg?
    private let configuration: RestClient.Configuration
    /// Whether the newest version that both sides know is looked for.
    private let findsVersion: Bool
    /// Makes a client of the same org with another configuration.
    private let remake: @Sendable (RestClient.Configuration) throws -> RestClient

    /// The client for the newest version of the API that is known to fit.
    var client: RestClient { current.withLock(\.self) }

    init(
        _ options: ConnectionOptions, org: LocalOrg? = nil,
        remake: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        configuration = options.configuration
        current = Mutex(try remake(configuration))
        (self.org, self.remake) = (org, remake)
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
        current.withLock { $0 = client }
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
        if options.usesSample { return sample(options) }
        if let account = options.account { return try await named(account, options) }
        let target = Settings.value("SF_TARGET_ORG")
        guard let (url, token) = try addressAndToken() else {
            guard let target else { return try await current(options) }
            return try await named(target, options)
        }
        guard target == nil else {
            throw UsageError("SF_TARGET_ORG and SF_ACCESS_TOKEN name two orgs; unset one of them, or use --target-org")
        }
        let connection = try Connection(options) { try client(at: url, token: Secret(token), $0) }
        return ChosenOrg(name: ChosenOrg.label(of: url)) { connection }
    }

    /// The address, by its name here or by that of `sf`, and the token.
    ///
    /// One alone is a mistake, and must not lead to another org.
    private static func addressAndToken() throws(UsageError) -> (url: String, token: String)? {
        let (own, other) = (Settings.value("SF_INSTANCE_URL"), Settings.value("SF_ORG_INSTANCE_URL"))
        if let own, let other, own != other {
            throw UsageError("SF_INSTANCE_URL and SF_ORG_INSTANCE_URL differ; unset one of them")
        }
        let name = own == nil && other != nil ? "SF_ORG_INSTANCE_URL" : "SF_INSTANCE_URL"
        switch (own ?? other, Settings.value("SF_ACCESS_TOKEN")) {
        case (nil, nil): return nil
        case (let url?, let token?): return (url, token)
        case (nil, _?): throw UsageError("SF_ACCESS_TOKEN is set but SF_INSTANCE_URL is not; set both or none")
        case (_?, nil): throw UsageError("\(name) is set but SF_ACCESS_TOKEN is not; set both or none")
        }
    }

    private static func named(_ name: String, _ options: ConnectionOptions) async throws -> ChosenOrg {
        let accounts = try await Accounts.open(options.configuration)
        // A login that is there but cannot be read is not to be taken for another org.
        if !accounts.knows(name), let org = try OrgPlaces.find(name) {
            let connection = try Connection(options) { try org.client($0) }
            return ChosenOrg(name: name) { connection }
        }
        if !accounts.knows(name), let home = Settings.value("HOME") {
            let sf = SalesforceCLI(home: home)
            if sf.logins.contains(where: { $0.username == name || $0.aliases.contains(name) }) {
                let connection = try Connection(options, session: try await sf.session(of: name))
                return ChosenOrg(name: name) { connection }
            }
        }
        return try chosen(accounts.find(name), of: accounts, options)
    }

    private static func current(_ options: ConnectionOptions) async throws -> ChosenOrg {
        // Who has logged out did not ask for another org of sf.
        let isNew = Traces.isFolderAbsent
        let accounts = try await Accounts.open(options.configuration)
        guard accounts.isEmpty else { return try chosen(accounts.find(nil), of: accounts, options) }
        if isNew, Traces.areOfSalesforceCLI, let home = Settings.value("HOME") {
            let session = try await SalesforceCLI(home: home).session()
            let connection = try Connection(options, session: session)
            return ChosenOrg(name: ChosenOrg.label(of: session.credential.instance.description)) { connection }
        }
        guard Traces.areNone else { throw noLogin }
        StandardOutput.note(
            "soql: no login: this is sample data of the embedded org (log in with 'soql login'; --sample asks for it)")
        return sample(options)
    }

    private static func sample(_ options: ConnectionOptions) -> ChosenOrg {
        ChosenOrg(name: "sample") {
            let org = try await LocalOrg.start()
            return try Connection(options, org: org) {
                try RestClient(
                    loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                    configuration: $0)
            }
        }
    }

    private static func chosen(
        _ account: LinkedAccount, of accounts: Accounts, _ options: ConnectionOptions
    ) throws -> ChosenOrg {
        let connection = try Connection(options) {
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

    private convenience init(_ options: ConnectionOptions, session: SalesforceCLI.Session) throws {
        try self.init(options) {
            RestClient(credential: session.credential, grant: session.grant, configuration: $0)
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

/// The org that a command or a session is to ask, before it is reached.
struct ChosenOrg: Sendable {
    /// What a prompt calls it: the login, else the first part of the host's name.
    let name: String
    /// The login of this command; `nil` for an org that was reached in another way.
    let account: LinkedAccount?
    /// Reaches it; the embedded org is started.
    let connect: @Sendable () async throws -> Connection

    init(name: String, account: LinkedAccount? = nil, connect: @escaping @Sendable () async throws -> Connection) {
        (self.name, self.account, self.connect) = (name.singleLine, account, connect)
    }

    /// The first part of a host's name: `acme` of `https://acme.my.example.com`.
    static func label(of url: String) -> String {
        let host = url.split(byte: "/").dropFirst().first?.split(byte: ":").first ?? ""
        let isNumber = host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        return String(isNumber ? host : host.prefix(before: "."))
    }
}

extension Option {
    /// The options of every verb that talks to an org.
    static let connection = [account, targetOrg, sample, timeout, retries, maxRate, apiVersion, verbose]

    static let account = Option("--account", .account, "the login to use, by its name or its user's name")
    static let targetOrg = Option(
        "--target-org", .account, "the same, as sf names it: also a login of sf, by its alias or user")
    static let sample = Option("--sample", "ask the embedded org with its sample data")
    static let timeout = Option("--timeout", .number(1...86_400), "seconds that one request may take")
    static let retries = Option(
        "--retries", .number(0...20), "how often a request is sent again after a fault that passes; 2 by default")
    static let maxRate = Option("--max-rate", .number(1...1_000), "send no more than N requests in any second")
    static let apiVersion = Option(
        "--api-version", .text("N"),
        "the API version, such as 66.0; the default is SF_ORG_API_VERSION, else the newest that both sides know")
    static let verbose = Option("--verbose", "print each request on standard error, as a line for curl without secrets")
}

/// Which org is asked, and how.
struct ConnectionOptions: Sendable {
    /// `nil`: the org of the environment, else of the current login, else of `sf`.
    var account: String?
    /// Whether the embedded org is asked.
    var usesSample = false
    var timeoutSeconds: Int?
    /// How often a request is sent again; `nil` for the usual number.
    var retries: Int?
    /// Requests in a second; `nil` for no limit.
    var maximumRate: Int?
    /// `nil`: the newest that this command and the server know.
    var apiVersion: APIVersion?
    /// Whether requests are printed.
    var isVerbose = false

    init() {}

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments[.account] ?? arguments[.targetOrg]
        usesSample = arguments.has(.sample)
        let ways = [Option.account, .targetOrg, .sample].filter(arguments.has)
        guard ways.count <= 1 else {
            throw UsageError("give one of \(ways.map(\.name).joined(separator: " and ")), not both")
        }
        timeoutSeconds = arguments.number(.timeout)
        retries = arguments.number(.retries)
        maximumRate = arguments.number(.maxRate)
        if let text = arguments[.apiVersion] {
            apiVersion = try Self.version(text, of: "--api-version")
        } else if let text = Settings.value("SF_ORG_API_VERSION") {
            apiVersion = try Self.version(text, of: "SF_ORG_API_VERSION")
        }
        isVerbose = arguments.has(.verbose)
    }

    private static func version(_ text: String, of name: String) throws(UsageError) -> APIVersion {
        guard let version = APIVersion(text) else {
            throw UsageError("\(name) takes a version such as 66.0, not '\(text)'")
        }
        return version
    }

    /// The settings of a client.
    var configuration: RestClient.Configuration {
        var configuration = RestClient.Configuration(
            apiVersion: apiVersion ?? .current, userAgent: "soql/\(RestClient.version)")
        if let timeoutSeconds { configuration.timeout = .seconds(timeoutSeconds) }
        if let retries { configuration.retryPolicy.maximumAttempts = retries + 1 }
        configuration.limits.perSecond = maximumRate
        if isVerbose { configuration.transport = TracingTransport(base: PlatformTransport.shared) }
        return configuration
    }
}
