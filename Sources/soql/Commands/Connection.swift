// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK

/// The org that a query goes to.
struct Connection {
    let client: RestClient
    private let org: LocalOrg?

    /// The org of the account that is asked for; without one that of the environment when it names one, else that of
    /// the current account, else an embedded one that lives as long as the connection.
    static func open(account: String?, timeoutSeconds: Int?) async throws -> Connection {
        var configuration = RestClientConfiguration(userAgent: "soql/\(SDKVersion.current)")
        if let timeoutSeconds { configuration.timeout = .seconds(timeoutSeconds) }
        if let account {
            let accounts = try await Accounts.open()
            return try Connection(to: accounts.find(account), of: accounts, configuration)
        }
        let url = try variable("SF_INSTANCE_URL", with: "SF_ACCESS_TOKEN")
        let token = try variable("SF_ACCESS_TOKEN", with: "SF_INSTANCE_URL")
        if let url, let token {
            return Connection(client: try client(at: url, token: Secret(token), configuration), org: nil)
        }
        let accounts = try await Accounts.open()
        // Who has logins does not mean sample data.
        guard accounts.manager.accounts.isEmpty, accounts.manager.unreadable.isEmpty else {
            return try Connection(to: accounts.find(nil), of: accounts, configuration)
        }
        return try await embedded(configuration)
    }

    private init(client: RestClient, org: LocalOrg?) {
        self.client = client
        self.org = org
    }

    private init(to account: Account, of accounts: Accounts, _ configuration: RestClientConfiguration) throws {
        let client = try RestClient(account: account.id, of: accounts.manager, configuration: configuration)
        self.init(client: client, org: nil)
    }

    private static func embedded(_ configuration: RestClientConfiguration) async throws -> Connection {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
        return Connection(client: client, org: org)
    }

    /// The value of a variable that makes sense only together with another: one alone is a mistake, and must not lead
    /// to the sample data of the embedded org.
    private static func variable(_ name: String, with other: String) throws(UsageError) -> String? {
        guard let text = Settings.value(name) else { return nil }
        guard Settings.value(other) != nil else {
            throw UsageError("\(name) is set but \(other) is not; set both or none")
        }
        return text
    }

    private static func client(
        at url: String, token: Secret, _ configuration: RestClientConfiguration
    ) throws(UsageError) -> RestClient {
        do {
            return try RestClient(instanceURL: url, accessToken: token, configuration: configuration)
        } catch {
            throw UsageError("SF_INSTANCE_URL makes no sense: \(error.message)")
        }
    }

    func close() async {
        await org?.stop()
    }
}
