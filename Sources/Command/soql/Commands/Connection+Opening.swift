// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

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
