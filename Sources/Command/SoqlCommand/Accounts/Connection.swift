// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestSDK
import RestSync
import RestTransport
import Synchronization

/// A connection to the org that a command uses.
final class Connection: Sendable {
    /// The client, which is replaced if the server supports only an older API version.
    private let current: Mutex<RestClient>
    private let end: @Sendable () async -> Void
    private let configuration: RestClient.Configuration
    /// Whether to look for the newest version that both sides support.
    private let findsVersion: Bool
    /// Creates a client of the same org with another configuration.
    private let remake: @Sendable (RestClient.Configuration) throws -> RestClient

    /// The client for the newest API version that is known to work.
    var client: RestClient { current.withLock(\.self) }

    init(
        _ arguments: Arguments, end: @escaping @Sendable () async -> Void = {},
        remake: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        configuration = try arguments.configuration
        current = Mutex(try remake(configuration))
        (self.end, self.remake) = (end, remake)
        findsVersion = try arguments.apiVersion == nil
    }

    /// Runs calls, and repeats them with an older API version if the server does not know the current version.
    ///
    /// If `body` throws `.notFound`, it must not have changed anything.
    func withClient<Result>(_ body: (RestClient) async throws -> Result) async throws -> Result {
        do {
            return try await body(client)
        } catch let error as RestError where error.code == .notFound {
            guard let version = await olderVersion() else { throw error }
            StandardOutput.note("soql: the server's newest API version is \(version); using it")
            var configuration = configuration
            configuration.apiVersion = version
            let other = try remake(configuration)
            current.withLock { $0 = other }
            return try await body(other)
        }
    }

    /// The newest version that both sides support, if it is older than the current version and the user chose none.
    func olderVersion() async -> APIVersion? {
        guard findsVersion, let response = try? await client.send(.versions) else { return nil }
        let versions = response.payload.array?.compactMap { $0["version"]?.string.flatMap { APIVersion($0) } } ?? []
        return versions.filter { $0 <= .current }.max().flatMap { $0 < client.apiVersion ? $0 : nil }
    }

    /// Stops the embedded org, or closes the offline copy, if this is a connection to it.
    func close() async { await end() }
}

extension Connection {
    /// Connects to the org of the arguments, else of the environment, the current login, or the default org of `sf`.
    ///
    /// The embedded org is used on request, or with a note if no login was ever attempted and no variable is set. Any
    /// other lack of a login is an error, because a response from the wrong org is worse than an error.
    static func open(_ arguments: Arguments) async throws -> Connection {
        try await choose(arguments).connect()
    }

    /// Chooses the org and prints notes about the choice, without sending requests to the org.
    static func choose(_ arguments: Arguments) async throws -> ChosenOrg {
        if arguments.has(.sample) { return sample(arguments) }
        if let file = arguments[.local] { return try await copy(file, arguments) }
        if let account = arguments[.account] ?? arguments[.targetOrg] { return try await named(account, arguments) }
        let target = Settings.value("SF_TARGET_ORG")
        guard let (url, token) = try addressAndToken() else {
            guard let target else { return try await current(arguments) }
            return try await named(target, arguments)
        }
        guard target == nil else {
            throw UsageError("SF_TARGET_ORG and SF_ACCESS_TOKEN are both set; unset one of them, or use --target-org")
        }
        return try ChosenOrg(ChosenOrg.label(of: url), arguments) { configuration in
            do throws(RestError) {
                return try RestClient(instanceURL: url, accessToken: Secret(token), configuration: configuration)
            } catch {
                throw UsageError("SF_INSTANCE_URL is invalid: \(error.message)")
            }
        }
    }

    /// The instance URL and the token from the environment, which must both be set, so that no other org is used by
    /// mistake.
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
        // An unreadable login must not be confused with another org.
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
        // A user who has logged out did not ask for another org of `sf`.
        let isNew = Traces.isDirectoryAbsent
        let accounts = try await Accounts.open(try arguments.configuration)
        guard accounts.isEmpty else { return try chosen(accounts.find(nil), of: accounts, arguments) }
        if isNew, Traces.areOfSalesforceCLI, let home = Settings.value("HOME") {
            let session = try await SalesforceCLI(home: home).session()
            let name = ChosenOrg.label(of: session.credential.instance.description)
            return try ChosenOrg(name, arguments, session: session)
        }
        guard Traces.areNone else {
            let variables = Traces.variables.joined(separator: ", ")
            throw AccountManager.Error(
                .noAccount,
                "no login\(variables.isEmpty ? "" : " (\(variables) set, but no org)"); run 'soql login', choose an org "
                    + "with --target-org, or use --sample for sample data")
        }
        StandardOutput.note(
            "soql: no login, using sample data of the embedded org; run 'soql login', or use --sample to confirm")
        return sample(arguments)
    }

    private static func sample(_ arguments: Arguments) -> ChosenOrg {
        ChosenOrg(name: "sample") {
            let org = try await LocalOrg.start()
            return try Connection(arguments, end: { await org.stop() }) {
                try RestClient(
                    loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
                    configuration: $0)
            }
        }
    }

    /// An offline copy in place of an org, opened for reading.
    private static func copy(_ file: String, _ arguments: Arguments) async throws -> ChosenOrg {
        let transport = CopyTransport(try await SyncStore.openForReading(file))
        return ChosenOrg(name: file.lastPart) {
            try Connection(arguments, end: { transport.store.close() }) { configuration in
                var configuration = configuration
                configuration.transport = arguments.has(.verbose) ? TracingTransport(base: transport) : transport
                return try RestClient(
                    instanceURL: "http://127.0.0.1", accessToken: "none", configuration: configuration)
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

}

/// The org of a command or a session, before the connection.
struct ChosenOrg: Sendable {
    /// The name in a prompt: the name of the login, else the first label of the host name.
    let name: String
    /// The login of this command, or `nil` if the org comes from another source.
    let account: AccountManager.Account?
    /// Connects to the org, starting the embedded org if necessary.
    let connect: @Sendable () async throws -> Connection

    init(
        name: String, account: AccountManager.Account? = nil, connect: @escaping @Sendable () async throws -> Connection
    ) {
        (self.name, self.account, self.connect) = (name.singleLine, account, connect)
    }

    /// Creates the choice of an org that needs only a client.
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

    /// The first label of a host name: `acme` of `https://acme.my.example.com`.
    static func label(of url: String) -> String {
        let host = url.split(byte: "/").dropFirst().first?.split(byte: ":").first ?? ""
        let isNumber = host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        return String(isNumber ? host : host.prefix(before: "."))
    }
}

extension Option {
    /// The options of every verb that uses an org.
    static let connection = orgs + [timeout, retries, maxRate, apiVersion, verbose]
    /// The options that specify an org, at most one of which is allowed.
    static let orgs = [account, targetOrg, sample]

    static let account = Option("--account", .account, "use the login with this name or username")
    static let targetOrg = Option(
        "--target-org", .account, "like --account, but also find logins of sf by alias or username")
    static let sample = Option("--sample", "use the embedded org with sample data")
    static let timeout = Option(
        "--timeout", .number(1...86_400), "limit the time of each request, in seconds (default: 60)")
    static let retries = Option(
        "--retries", .number(0...20), "retry a request up to N times after a transient error (default: 2)")
    static let maxRate = Option(
        "--max-rate", .number(1...1_000), "send at most N requests per second (default: no limit)")
    static let apiVersion = Option(
        "--api-version", .version,
        "use this API version, such as 66.0 (default: SF_ORG_API_VERSION, else the newest that both sides support)")
    static let verbose = Option("--verbose", "print each request as a curl command without secrets on standard error")
}

extension Arguments {
    /// The API version that the user chose, or `nil` for the newest that both sides support.
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

    var configuration: RestClient.Configuration {
        get throws(UsageError) {
            var configuration = RestClient.Configuration(
                apiVersion: try apiVersion ?? .current, userAgent: "soql/\(RestClient.version)",
                transport: Settings.transport)
            if let seconds = number(.timeout) { configuration.timeout = .seconds(seconds) }
            if let retries = number(.retries) { configuration.retryPolicy.maximumAttempts = retries + 1 }
            configuration.limits.perSecond = number(.maxRate)
            if has(.verbose) { configuration.transport = TracingTransport(base: Settings.transport) }
            return configuration
        }
    }
}
