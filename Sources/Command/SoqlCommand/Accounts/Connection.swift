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
/// let connection = try await Connection.open(arguments)
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
        _ arguments: Arguments, org: LocalOrg? = nil,
        remake: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        configuration = try arguments.configuration
        current = Mutex(try remake(configuration))
        (self.org, self.remake) = (org, remake)
        findsVersion = try arguments.apiVersion == nil
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
    /// The org that the arguments name, else the environment, else the current login, else the default org of `sf`.
    ///
    /// The embedded org answers where it was asked for, and where nobody ever tried to log in and no variable is set;
    /// it says so then. Everything else without a login is an error, as an answer of another org is worse than none.
    ///
    /// - Throws: ``UsageError``, `AccountManager.Error`, `OAuthError`.
    static func open(_ arguments: Arguments) async throws -> Connection {
        try await choose(arguments).connect()
    }

    /// Chooses the org, and says what there is to say of the choice; nothing is asked of the org yet.
    ///
    /// - Throws: as ``open(_:)``.
    static func choose(_ arguments: Arguments) async throws -> ChosenOrg {
        if arguments.has(.sample) { return sample(arguments) }
        if let account = arguments[.account] ?? arguments[.targetOrg] { return try await named(account, arguments) }
        let target = Settings.value("SF_TARGET_ORG")
        guard let (url, token) = try addressAndToken() else {
            guard let target else { return try await current(arguments) }
            return try await named(target, arguments)
        }
        guard target == nil else {
            throw UsageError("SF_TARGET_ORG and SF_ACCESS_TOKEN name two orgs; unset one of them, or use --target-org")
        }
        return try ChosenOrg(ChosenOrg.label(of: url), arguments) { try client(at: url, token: Secret(token), $0) }
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

    private static func named(_ name: String, _ arguments: Arguments) async throws -> ChosenOrg {
        let accounts = try await Accounts.open(try arguments.configuration)
        // A login that is there but cannot be read is not to be taken for another org.
        if !accounts.knows(name), let org = try OrgPlace.find(name) {
            return try ChosenOrg(name, arguments) { try org.client($0) }
        }
        if !accounts.knows(name), let home = Settings.value("HOME") {
            let sf = SalesforceCLI(home: home)
            if sf.logins.contains(where: { $0.username == name || $0.aliases.contains(name) }) {
                return try ChosenOrg(name, arguments, session: try await sf.session(of: name))
            }
        }
        return try chosen(accounts.find(name), of: accounts, arguments)
    }

    private static func current(_ arguments: Arguments) async throws -> ChosenOrg {
        // Who has logged out did not ask for another org of sf.
        let isNew = Traces.isFolderAbsent
        let accounts = try await Accounts.open(try arguments.configuration)
        guard accounts.isEmpty else { return try chosen(accounts.find(nil), of: accounts, arguments) }
        if isNew, Traces.areOfSalesforceCLI, let home = Settings.value("HOME") {
            let session = try await SalesforceCLI(home: home).session()
            let name = ChosenOrg.label(of: session.credential.instance.description)
            return try ChosenOrg(name, arguments, session: session)
        }
        guard Traces.areNone else { throw noLogin }
        StandardOutput.note(
            "soql: no login: this is sample data of the embedded org (log in with 'soql login'; --sample asks for it)")
        return sample(arguments)
    }

    private static func sample(_ arguments: Arguments) -> ChosenOrg {
        ChosenOrg(name: "sample") {
            let org = try await LocalOrg.start()
            return try Connection(arguments, org: org) {
                try RestClient(
                    loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                    configuration: $0)
            }
        }
    }

    private static func chosen(
        _ account: AccountManager.Account, of accounts: Accounts, _ arguments: Arguments
    ) throws -> ChosenOrg {
        try ChosenOrg(account.id, account: account, arguments) {
            try RestClient(account: account.id, of: accounts.manager, configuration: $0)
        }
    }

    private static var noLogin: AccountManager.Error {
        let variables = Traces.variables
        let names = variables.isEmpty ? "" : " (\(variables.joined(separator: ", ")) set, and none names an org)"
        return AccountManager.Error(
            .noAccount,
            "no login\(names); run 'soql login', name an org with --target-org, or ask for sample data with --sample")
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
    let account: AccountManager.Account?
    /// Reaches it; the embedded org is started.
    let connect: @Sendable () async throws -> Connection

    init(
        name: String, account: AccountManager.Account? = nil, connect: @escaping @Sendable () async throws -> Connection
    ) {
        (self.name, self.account, self.connect) = (name.singleLine, account, connect)
    }

    /// An org that needs no more than a client.
    fileprivate init(
        _ name: String, account: AccountManager.Account? = nil, _ arguments: Arguments,
        client: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        let connection = try Connection(arguments, remake: client)
        self.init(name: name, account: account) { connection }
    }

    fileprivate init(_ name: String, _ arguments: Arguments, session: SalesforceCLI.Session) throws {
        try self.init(name, arguments) {
            RestClient(credential: session.credential, grant: session.grant, configuration: $0)
        }
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
    static let connection = orgs + [timeout, retries, maxRate, apiVersion, verbose]
    /// The options that name an org, one of which can be given.
    static let orgs = [account, targetOrg, sample]

    static let account = Option("--account", .account, "the login to use, by its name or its user's name")
    static let targetOrg = Option(
        "--target-org", .account, "the same, as sf names it: also a login of sf, by its alias or user")
    static let sample = Option("--sample", "ask the embedded org with its sample data")
    static let timeout = Option("--timeout", .number(1...86_400), "seconds that one request may take")
    static let retries = Option(
        "--retries", .number(0...20), "how often a request is sent again after a fault that passes; 2 by default")
    static let maxRate = Option("--max-rate", .number(1...1_000), "send no more than N requests in any second")
    static let apiVersion = Option(
        "--api-version", .version,
        "the API version, such as 66.0; the default is SF_ORG_API_VERSION, else the newest that both sides know")
    static let verbose = Option("--verbose", "print each request on standard error, as a line for curl without secrets")
}

extension Arguments {
    /// The version of the API that was chosen; `nil` for the newest that this command and the server know.
    fileprivate var apiVersion: APIVersion? {
        get throws(UsageError) {
            if let text = self[.apiVersion] { return APIVersion(text) }
            guard let text = Settings.value("SF_ORG_API_VERSION") else { return nil }
            guard let version = APIVersion(text) else {
                throw UsageError("SF_ORG_API_VERSION takes a version such as 66.0, not '\(text)'")
            }
            return version
        }
    }

    /// The settings of a client.
    var configuration: RestClient.Configuration {
        get throws(UsageError) {
            var configuration = RestClient.Configuration(
                apiVersion: try apiVersion ?? .current, userAgent: "soql/\(RestClient.version)")
            if let seconds = number(.timeout) { configuration.timeout = .seconds(seconds) }
            if let retries = number(.retries) { configuration.retryPolicy.maximumAttempts = retries + 1 }
            configuration.limits.perSecond = number(.maxRate)
            if has(.verbose) { configuration.transport = TracingTransport(base: PlatformTransport.shared) }
            return configuration
        }
    }
}
