// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK

extension Connection {
    /// The org that the options name, else the environment, else the current login, else the default org of `sf`.
    ///
    /// The embedded org answers where it was asked for, and where nobody ever tried to log in and no variable is set;
    /// it says so then. Everything else without a login is an error, as an answer of another org is worse than none.
    ///
    /// - Throws: ``UsageError``, `AccountManager.Error`, `OAuthError`.
    static func open(_ options: ConnectionOptions) async throws -> Connection {
        let configuration = try options.configuration()
        switch try OrgChoice(options) {
        case .sample: return try await embedded(options, configuration)
        case .login(let name): return try await named(name, options, configuration)
        case .token(let url, let token):
            return try Connection(options, configuration) { try client(at: url, token: token, $0) }
        case .current: return try await current(options, configuration)
        }
    }

    private static func named(
        _ name: String, _ options: ConnectionOptions, _ configuration: RestClient.Configuration
    ) async throws -> Connection {
        let accounts = try await Accounts.open(configuration)
        // A login that is there but cannot be read is not to be taken for another org.
        if !accounts.knows(name), let org = try OrgPlaces.find(name) {
            return try Connection(options, configuration) { try org.client($0) }
        }
        if !accounts.knows(name), let home = Settings.value("HOME") {
            let sf = SalesforceCLI(home: home)
            if sf.logins.contains(where: { $0.username == name || $0.aliases.contains(name) }) {
                return try Connection(options, configuration, session: try await sf.session(of: name))
            }
        }
        return try Connection(options, configuration, to: accounts.find(name), of: accounts)
    }

    private static func current(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration
    ) async throws -> Connection {
        // Who has logged out did not ask for another org of sf.
        let isNew = Traces.isFolderAbsent
        let accounts = try await Accounts.open(configuration)
        guard accounts.isEmpty else {
            return try Connection(options, configuration, to: accounts.find(nil), of: accounts)
        }
        if isNew, Traces.areOfSalesforceCLI, let home = Settings.value("HOME") {
            return try Connection(options, configuration, session: try await SalesforceCLI(home: home).session())
        }
        guard Traces.areNone else { throw noLogin }
        StandardOutput.note(
            "soql: no login: this is sample data of the embedded org (log in with 'soql login'; --sample asks for it)")
        return try await embedded(options, configuration)
    }

    private static var noLogin: AccountManager.Error {
        let variables = Traces.variables
        let names = variables.isEmpty ? "" : " (\(variables.joined(separator: ", ")) set, and none names an org)"
        return AccountManager.Error(
            .noAccount,
            "no login\(names); run 'soql login', name an org with --target-org, or ask for sample data with --sample")
    }

    private init(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration, to account: LinkedAccount,
        of accounts: Accounts
    ) throws {
        try self.init(options, configuration) {
            try RestClient(account: account.id, of: accounts.manager, configuration: $0)
        }
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
