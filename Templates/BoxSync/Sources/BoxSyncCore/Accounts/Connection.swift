// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// The Dropbox of one user.
struct Connection {
    let box: DropboxClient
    /// The login; `nil` for a token from elsewhere.
    private let account: LinkedAccount?

    /// Who it is, the same in every process: what journals are told apart by.
    var owner: String {
        get async throws {
            if let account { return "\(account.id) \(account.instance)" }
            return try await box.users.getCurrentAccount().value.accountID
        }
    }

    /// Connects with the token of the environment, else with a login.
    static func open(_ context: Context) async throws -> Connection {
        let hosts = try Hosts.chosen(context)
        if context.options.account == nil, let token = context.settings.token {
            let box = DropboxClient(accessToken: token, app: .standard(hosts: hosts ?? DropboxHosts()))
            return Connection(box: box, account: nil)
        }
        let accounts = try await Accounts.open(context)
        let account = try accounts.find(context.options.account)
        let home = Hosts.home(of: account)
        guard hosts == nil || hosts == home else {
            throw UsageError("'\(account.id)' is a login at \(account.instance); choose another --account or --host")
        }
        let box = try DropboxClient(account: account.id, of: accounts.manager, app: .standard(hosts: home))
        return Connection(box: box, account: account)
    }
}

/// Where Dropbox is, or a server for trying.
enum Hosts {
    /// The server that was named; `nil` when none was.
    static func chosen(_ context: Context) throws(UsageError) -> DropboxHosts? {
        guard let text = context.options.host ?? context.settings.host else { return nil }
        guard let url = try? HTTPURL(parsing: text), url.origin.scheme == .https || url.origin.isLoopback else {
            throw UsageError("the host must be an address such as http://127.0.0.1:8080; https anywhere else")
        }
        return DropboxHosts(all: url.origin)
    }

    /// Where an account's login is good.
    static func home(of account: LinkedAccount) -> DropboxHosts {
        let dropbox = DropboxHosts()
        return account.instance == dropbox.api ? dropbox : DropboxHosts(all: account.instance)
    }
}

extension DropboxApp {
    /// This command, as an app.
    static func standard(key: String? = nil, hosts: DropboxHosts) -> DropboxApp {
        DropboxApp(key: key, userAgent: "BoxSync/1.0", hosts: hosts)
    }
}
