// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The user's logins on this machine.
struct Accounts {
    let manager: AccountManager

    /// Opens the logins with the configuration for their renewal, and reports damage that the store found.
    static func open(
        _ configuration: RestClient.Configuration = RestClient.Configuration(transport: Settings.transport)
    ) async throws -> Accounts {
        let store = FileCredentialStore(directory: try Settings.accountsDirectory()) { event in
            StandardOutput.note("soql: found a damaged login: \(event)".singleLine)
        }
        let manager = try await AccountManager.open(
            store: store, configuration: configuration, grants: { StoredGrant.grant(of: $0) })
        for (id, error) in manager.unreadable.sorted(by: { $0.key < $1.key }) {
            StandardOutput.note("soql: the login '\(id)' cannot be read: \(error)".singleLine)
        }
        return Accounts(manager: manager)
    }

    /// Whether there are no logins, including unreadable ones.
    var isEmpty: Bool { manager.accounts.isEmpty && manager.unreadable.isEmpty }

    /// Whether a login has this name or user, even if it cannot be read.
    func knows(_ name: String) -> Bool {
        manager.unreadable[name] != nil || manager.accounts.contains { $0.id == name || $0.username == name }
    }

    /// The account with this name or user, or the current account without a name, or throws `.noAccount`.
    func find(_ name: String?) throws(AccountManager.Error) -> AccountManager.Account {
        guard let name else {
            if let current = manager.current { return current }
            throw AccountManager.Error(.noAccount, "no current account; run 'soql login' or 'soql accounts use NAME'")
        }
        let accounts = manager.accounts
        if let account = accounts.first(where: { $0.id == name }) { return account }
        if let error = manager.unreadable[name] {
            throw AccountManager.Error(.noAccount, "the login '\(name)' cannot be read: \(error)")
        }
        let users = accounts.filter { $0.username == name }
        guard users.count <= 1, let account = users.first else {
            throw AccountManager.Error(
                .noAccount,
                users.isEmpty
                    ? "login '\(name)' not found; run 'soql accounts' to list the logins"
                    : "'\(name)' has several accounts; use one of \(users.map(\.id).joined(separator: ", "))")
        }
        return account
    }
}

/// A lookup of the client secret that does not show it to other users.
enum ClientSecret {
    /// The secret from the file, else from `SF_CLIENT_SECRET`, else from the user if it is required.
    static func find(_ file: String?, isNeeded: Bool) throws(UsageError) -> Secret? {
        if let file {
            let text = try StandardInput.read(file: file).trimmingBlanks
            guard !text.isEmpty else { throw UsageError("\(file) is empty; it must contain the client secret") }
            return Secret(text)
        }
        if let text = Settings.value("SF_CLIENT_SECRET") { return Secret(text) }
        guard isNeeded else { return nil }
        guard StandardInput.isTerminal else {
            throw UsageError("no client secret; set SF_CLIENT_SECRET or use --client-secret-file")
        }
        return try SecretPrompt.ask("Client secret: ")
    }
}

/// The environment variables, and the directories that they determine.
enum Settings {
    /// The values of the secret variables at the start of the command.
    private static let clientSecret = variable("SF_CLIENT_SECRET")
    private static let accessToken = variable("SF_ACCESS_TOKEN")

    /// Reads the secrets and removes them from the environment, because no other program needs them.
    ///
    /// The browser and other child processes inherit only the remaining variables. Call this first, while there is only
    /// one thread.
    static func takeSecrets() {
        _ = (clientSecret, accessToken)
        for name in ["SF_CLIENT_SECRET", "SF_ACCESS_TOKEN"] { unsafe unsetenv(name) }
    }

    static func value(_ name: String) -> String? { text(of: name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether a variable is set, even to an empty string.
    static func isSet(_ name: String) -> Bool { text(of: name) != nil }

    static var all: [String: String] { ProcessInfo.processInfo.environment }

    private static func text(of name: String) -> String? {
        switch name {
        case "SF_CLIENT_SECRET": clientSecret
        case "SF_ACCESS_TOKEN": accessToken
        default: variable(name)
        }
    }

    /// Safe because the environment does not change after the secrets are removed, so the string stays valid while it
    /// is copied.
    private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// The transport of the process, which trusts the CAs in the file of `CURL_CA_BUNDLE`, as curl does.
    static let transport = PlatformTransport.make(
        RestClient.TransportLimits(), authoritiesFile: value("CURL_CA_BUNDLE"))

    static func absolutePath(_ path: String) -> String {
        path.hasBytes(prefix: "/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The directory of this command below a base directory (XDG Base Directory Specification 0.8).
    ///
    /// The base directory is the value of `variable` if it is an absolute path, else `usual` in the home directory.
    static func folder(_ variable: String, _ usual: String) -> String? {
        if let base = value(variable), base.hasBytes(prefix: "/") { return "\(base)/soql" }
        return value("HOME").map { "\($0)/\(usual)/soql" }
    }

    static func accountsDirectory() throws(UsageError) -> String {
        guard let folder = folder("XDG_DATA_HOME", ".local/share") else {
            throw UsageError("HOME is not set; set it to the directory with your logins")
        }
        return "\(folder)/accounts"
    }

    /// Creates a directory that only this user can access, including its parents.
    static func make(folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}

/// The grant that renews a login without its user, restored from the login's notes.
enum StoredGrant {
    static let kind = "grant"
    static let keyFile = "keyFile"
    static let jwt = "jwt"
    static let clientCredentials = "client_credentials"
    static let scopes = "scopes"

    /// The grant of a stored login, or `nil` if only a refresh token renews it.
    static func grant(of account: AccountManager.Account) -> (any Credential.Grant)? {
        guard let login = account.login else { return nil }
        let scopes = login.notes[scopes]?.split(byte: " ").map(String.init) ?? []
        switch login.notes[kind] {
        case clientCredentials: return ClientCredentialsGrant(scopes: scopes)
        case jwt: return jwtGrant(login, scopes)
        default: return nil
        }
    }

    private static func jwtGrant(_ login: Credential.Login, _ scopes: [String]) -> any OAuthGrant {
        do throws(OAuthError) {
            guard let file = login.notes[keyFile], let username = login.username else {
                throw OAuthError(.unusableKey, "the login has no key file; log in again")
            }
            return JWTBearerGrant(
                clientID: login.clientID, username: username, key: try JWTBearerGrant.PrivateKey(contentsOfFile: file),
                server: login.endpoints ?? AuthorizationServer(login: login.server), scopes: scopes)
        } catch {
            return Unusable(error: error)
        }
    }

    /// A placeholder that fails with the reason why the grant is not usable.
    private struct Unusable: OAuthGrant {
        let error: OAuthError
        var parameters: [(name: String, value: Secret)] {
            get throws(OAuthError) { throw error }
        }
    }
}

/// Evidence that a user wanted to use a real org here, so that sample data is never mistaken for their data.
///
/// The directory of the logins is the evidence. The first attempt to log in or out creates it, regardless of success,
/// and it remains after the last logout.
enum Traces {
    /// Whether no login was ever attempted here, with this command or `sf`, and none of their variables is set.
    static var areNone: Bool {
        guard let accounts = try? Settings.accountsDirectory() else { return false }
        let places = [accounts] + (Settings.value("HOME").map { ["\($0)/.sfdx", "\($0)/.sf"] } ?? [])
        return places.allSatisfy(isAbsent) && variables.isEmpty
    }

    /// The variables of this command and of `sf` that are set, even to an empty string.
    static var variables: [String] {
        let names = Settings.all.keys.filter { $0.hasBytes(prefix: "SF_") || $0.hasBytes(prefix: "SFDX_") }
        return (names + ["SF_ACCESS_TOKEN", "SF_CLIENT_SECRET"].filter(Settings.isSet)).sorted()
    }

    static var areOfSalesforceCLI: Bool {
        Settings.value("HOME").map { !isAbsent("\($0)/.sfdx") } ?? false
    }

    /// Whether the directory of this command's logins does not exist.
    static var isDirectoryAbsent: Bool { (try? Settings.accountsDirectory()).map(isAbsent) ?? false }

    /// Creates the directory of the logins, ignoring errors because the login then reports the same error.
    static func leave() {
        if let folder = try? Settings.accountsDirectory() { try? Settings.make(folder: folder) }
    }

    /// Whether the path does not exist, where a path that cannot be checked counts as existing.
    private static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }
}
