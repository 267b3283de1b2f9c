// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The logins of this user on this machine.
struct Accounts {
    let manager: AccountManager

    /// Opens the logins and reports on standard error what the store repaired.
    ///
    /// - Parameter configuration: gives what sends the requests that renew them.
    /// - Returns: the logins.
    /// - Throws: `AccountManager.Error` when the store cannot be read, ``UsageError`` when it cannot be found.
    static func open(_ configuration: RestClient.Configuration = RestClient.Configuration()) async throws -> Accounts {
        let store = FileCredentialStore(directory: try Settings.accountsFolder()) { event in
            StandardOutput.note("soql: a damaged login was found: \(event)".singleLine)
        }
        let manager = try await AccountManager.open(
            store: store, configuration: configuration, grants: { StoredGrant.grant(of: $0) })
        for (id, error) in manager.unreadable.sorted(by: { $0.key < $1.key }) {
            StandardOutput.note("soql: the login '\(id)' cannot be read: \(error)".singleLine)
        }
        return Accounts(manager: manager)
    }

    /// Whether there is no login, not even one that cannot be read.
    var isEmpty: Bool { manager.accounts.isEmpty && manager.unreadable.isEmpty }

    /// Whether there is a login with this name or of this user, readable or not.
    func knows(_ name: String) -> Bool {
        manager.unreadable[name] != nil || manager.accounts.contains { $0.id == name || $0.username == name }
    }

    /// The account with this name or of this user, or the current one without a name.
    ///
    /// - Throws: `AccountManager.Error` with `.noAccount`.
    func find(_ name: String?) throws(AccountManager.Error) -> AccountManager.Account {
        guard let name else {
            if let current = manager.current { return current }
            throw AccountManager.Error(.noAccount, "no account is chosen; run 'soql login' or 'soql accounts use NAME'")
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
                    ? "there is no login '\(name)'; see 'soql accounts'"
                    : "'\(name)' has several accounts; choose one of \(users.map(\.id).joined(separator: ", "))")
        }
        return account
    }
}

/// Finds the client's secret without showing it to other users.
enum ClientSecret {
    /// The secret from the file, else from `SF_CLIENT_SECRET`, else from the user if one is required.
    ///
    /// - Throws: ``UsageError`` when it is required and there is none.
    static func find(_ file: String?, isNeeded: Bool) throws(UsageError) -> Secret? {
        if let file {
            let text = try StandardInput.read(file: file).trimmingBlanks
            guard !text.isEmpty else { throw UsageError("\(file) is empty; it should contain the secret") }
            return Secret(text)
        }
        if let text = Settings.value("SF_CLIENT_SECRET") { return Secret(text) }
        guard isNeeded else { return nil }
        guard StandardInput.isTerminal else {
            throw UsageError("the client's secret is missing; set SF_CLIENT_SECRET or use --client-secret-file")
        }
        return try SecretPrompt.ask("Client secret: ")
    }
}

/// The environment variables.
enum Settings {
    /// What the variables that hold secrets had when the command started.
    private static let clientSecret = variable("SF_CLIENT_SECRET")
    private static let accessToken = variable("SF_ACCESS_TOKEN")

    /// Reads the secrets and removes them from the environment, as no other program needs to see them.
    ///
    /// The browser and other programs that the command starts inherit only the rest. Call this first, while there is
    /// one thread.
    static func takeSecrets() {
        _ = (clientSecret, accessToken)
        for name in ["SF_CLIENT_SECRET", "SF_ACCESS_TOKEN"] { unsafe unsetenv(name) }
    }

    /// A variable's value; an empty one counts as none.
    static func value(_ name: String) -> String? { text(of: name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether a variable is set, be it to an empty text.
    static func isSet(_ name: String) -> Bool { text(of: name) != nil }

    /// All variables, as a program is given them.
    static var all: [String: String] { ProcessInfo.processInfo.environment }

    private static func text(of name: String) -> String? {
        switch name {
        case "SF_CLIENT_SECRET": clientSecret
        case "SF_ACCESS_TOKEN": accessToken
        default: variable(name)
        }
    }

    /// Nothing changes the environment once the secrets are out of it, so that its text stays while it is copied.
    private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// The absolute form of a path.
    static func absolutePath(_ path: String) -> String {
        path.hasBytes(prefix: "/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The folder of this command below a base directory (XDG Base Directory Specification 0.8).
    ///
    /// - Parameters:
    ///   - variable: names the base directory; the specification wants relative paths ignored.
    ///   - usual: the base directory without the variable, below the home directory.
    /// - Returns: `nil` without a home directory.
    static func folder(_ variable: String, _ usual: String) -> String? {
        if let base = value(variable), base.hasBytes(prefix: "/") { return "\(base)/soql" }
        return value("HOME").map { "\($0)/\(usual)/soql" }
    }

    /// The folder of the logins.
    ///
    /// - Throws: ``UsageError`` when the environment has no place for it.
    static func accountsFolder() throws(UsageError) -> String {
        guard let folder = folder("XDG_DATA_HOME", ".local/share") else {
            throw UsageError("HOME is not set; it is needed to find the logins")
        }
        return "\(folder)/accounts"
    }

    /// Makes a folder that only this user can use, and those above it.
    static func make(folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}

/// How a login is renewed without its user, according to its notes.
enum StoredGrant {
    static let kind = "grant"
    static let keyFile = "keyFile"
    static let jwt = "jwt"
    static let clientCredentials = "client_credentials"
    static let scopes = "scopes"

    /// The grant of a stored login; `nil` when only a refresh token renews it.
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
                throw OAuthError(.unusableKey, "the login does not name its key; log in again")
            }
            return JWTBearerGrant(
                clientID: login.clientID, username: username, key: try JWTBearerGrant.PrivateKey(contentsOfFile: file),
                server: login.endpoints ?? AuthorizationServer(login: login.server), scopes: scopes)
        } catch {
            return Unusable(error: error)
        }
    }

    /// A grant that fails with the reason why there is none.
    private struct Unusable: OAuthGrant {
        let error: OAuthError
        var parameters: [(name: String, value: Secret)] {
            get throws(OAuthError) { throw error }
        }
    }
}

/// What tells that somebody wanted an org of their own here, so that sample data can never be taken for theirs.
///
/// The folder of the logins is the mark: it is made by the first try to log in or out, whether that succeeds or not,
/// and stays when the last login ends.
enum Traces {
    /// Whether nobody ever tried to log in here, with this command or `sf`, and no variable of theirs is set, be it to
    /// an empty text.
    static var areNone: Bool {
        guard let accounts = try? Settings.accountsFolder() else { return false }
        let places = [accounts] + (Settings.value("HOME").map { ["\($0)/.sfdx", "\($0)/.sf"] } ?? [])
        return places.allSatisfy(isAbsent) && variables.isEmpty
    }

    /// The variables of this command and `sf` that are set.
    static var variables: [String] {
        let names = Settings.all.keys.filter { $0.hasBytes(prefix: "SF_") || $0.hasBytes(prefix: "SFDX_") }
        return (names + ["SF_ACCESS_TOKEN", "SF_CLIENT_SECRET"].filter(Settings.isSet)).sorted()
    }

    /// Whether `sf` was used here.
    static var areOfSalesforceCLI: Bool {
        Settings.value("HOME").map { !isAbsent("\($0)/.sfdx") } ?? false
    }

    /// Whether the folder of this command's logins is not there.
    static var isFolderAbsent: Bool { (try? Settings.accountsFolder()).map(isAbsent) ?? false }

    /// Makes the folder of the logins; where that fails, a login fails too, and says why.
    static func leave() {
        if let folder = try? Settings.accountsFolder() { try? Settings.make(folder: folder) }
    }

    /// Whether nothing has this name; what cannot be looked at counts as there.
    private static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }
}
