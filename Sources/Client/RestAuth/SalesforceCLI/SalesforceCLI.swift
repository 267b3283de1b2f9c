// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the logins that Salesforce's own command line, `sf`, stores for this user, without changing them.
///
/// `sf` stores a file for each user in `~/.sfdx`. Its tokens are encrypted with a key in the desktop's keyring or in
/// `key.json`. `sf` does not learn of tokens that are renewed here. Its logins stay valid unless their client rotates
/// refresh tokens, which the client of `sf` does not by default.
public struct SalesforceCLI: Sendable {
    /// The directory of the logins, `.sfdx` in the user's home.
    let folder: String
    /// The directories whose settings can name the default org, in order of precedence.
    let settings: [String]
    let keys: SalesforceCLIKeys

    private static let greatestFile = 1 << 20

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - home: the user's home directory, or `nil` for that of this process (`HOME`).
    ///   - project: the directory of a project, whose default org takes precedence.
    public init(home: String? = nil, project: String? = nil) {
        let home = home ?? ProcessInfo.processInfo.environment["HOME"] ?? "/"
        self.init(home: home, project: project, keys: .system(folder: home + "/.sfdx"))
    }

    init(home: String, project: String?, keys: SalesforceCLIKeys) {
        folder = home + "/.sfdx"
        settings = [project, home].compactMap(\.self)
        self.keys = keys
    }

    /// All logins, sorted by user name, without files that are not logins.
    public var logins: [SalesforceCLI.Login] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let (aliases, chosen) = (aliases, defaultOrg)
        return names.filter { $0.hasBytes(suffix: ".json") }.compactMap { try? record(in: $0) }
            .compactMap { SalesforceCLI.Login(reading: $0, aliases: aliases, defaultOrg: chosen) }
            .sorted { $0.username < $1.username }
    }

    /// Returns a login with its tokens.
    ///
    /// - Parameter name: a user name or an alias, or `nil` for the default org.
    /// - Returns: the login with its tokens.
    /// - Throws: ``OAuthError``: `.unusableLogin` if the login does not exist or its tokens cannot be decrypted,
    ///   `.sharedKeyFile` if other users can read the key, `.unusableKey` if the login's private key cannot be used.
    public func session(of name: String? = nil) async throws(OAuthError) -> SalesforceCLI.Session {
        guard let name = name ?? defaultOrg else {
            throw OAuthError(.unusableLogin, "sf has no default org; specify a username or an alias")
        }
        let username = aliases[name] ?? name
        guard !username.hasBytes("/") else { throw Self.noLogin(name) }
        let root: JSONValue
        do throws(PlainFile.Failure) {
            root = try record(in: username + ".json")
        } catch {
            guard case .absent = error else {
                throw OAuthError(.unusableLogin, "the login of sf for \(name) cannot be read: \(error.reason)")
            }
            throw Self.noLogin(name)
        }
        guard let login = SalesforceCLI.Login(reading: root, aliases: aliases, defaultOrg: defaultOrg) else {
            throw OAuthError(.unusableLogin, "the login of sf for \(name) is damaged; log in with sf again")
        }
        return try await SalesforceCLI.Session(login, root, keys)
    }

    private static func noLogin(_ name: String) -> OAuthError {
        OAuthError(.unusableLogin, "sf has no login for \(PlainText.line(name, limit: 100)); see: sf org list")
    }

    private func record(in file: String) throws(PlainFile.Failure) -> JSONValue {
        let bytes = try PlainFile(path: folder + "/" + file, limit: Self.greatestFile).bytes
        guard let root = try? JSONValue(parsing: bytes), root.object != nil else { throw .unfit }
        return root
    }

    /// The user names by their aliases.
    private var aliases: [String: String] {
        let orgs = (try? record(in: "alias.json"))?["orgs"]?.object
        var aliases: [String: String] = [:]
        if let orgs { for (name, user) in orgs { aliases[name] = user.string } }
        return aliases
    }

    /// The user name or alias of the default org, from the settings of old and new versions.
    private var defaultOrg: String? {
        for place in settings {
            for (file, member) in [(".sf/config.json", "target-org"), (".sfdx/sfdx-config.json", "defaultusername")] {
                guard let read = try? PlainFile(path: "\(place)/\(file)", limit: Self.greatestFile),
                    let name = (try? JSONValue(parsing: read.bytes))?[member]?.string, !name.isEmpty
                else { continue }
                return name
            }
        }
        return nil
    }
}

extension SalesforceCLI {
    /// A login in one line, as `sf org display --verbose` prints it and build servers store it:
    /// `force://CLIENT:SECRET:REFRESH_TOKEN@HOST`.
    ///
    /// Treat it as a password, because it logs its owner in as the user. Printing it shows no token.
    public struct AuthURL: Sendable, Hashable {
        /// The id of the client that logged in, which is `PlatformCLI` for logins of `sf` itself.
        public let clientID: String
        /// The client's secret, or `nil` for a client without one.
        public let clientSecret: Secret?
        /// The token that renews the login.
        public let refreshToken: Secret
        /// The org's origin, where the token is also renewed.
        public let server: Origin

        /// Parses a URL, ignoring whitespace around it.
        ///
        /// A client id, a secret and a token consist of letters, digits and `._=-`.
        ///
        /// - Throws: ``OAuthError`` with `.unusableLogin`, without quoting the string.
        public init(_ text: Secret) throws(OAuthError) {
            let scheme = "force://"
            let line = text.reveal().words
            guard line.count == 1, line[0].utf8.count <= 65_536,
                let (login, host) = line[0].removing(prefix: scheme)?.cut(lastByte: "@")
            else { throw Self.unusable }
            let parts = login.split(byte: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, parts.allSatisfy(Self.isWord), !parts[0].isEmpty, !parts[2].isEmpty,
                let url = try? HTTPURL(parsing: Self.address(of: host)), url.path.isEmpty || url.path == "/",
                url.query == nil, url.isTrustworthy
            else { throw Self.unusable }
            clientID = String(parts[0])
            clientSecret = parts[1].isEmpty ? nil : Secret(String(parts[1]))
            refreshToken = Secret(String(parts[2]))
            server = url.origin
        }

        /// Reads a file with the URL alone, or with the JSON that `sf org display --verbose --json` printed.
        ///
        /// - Parameter path: the path of the file, which must belong to the user and be readable by the user alone.
        /// - Throws: ``OAuthError``: `.sharedKeyFile` if other users can read the file, `.unusableLogin` if it cannot
        ///   be read or contains something else.
        public init(contentsOfFile path: String) throws(OAuthError) {
            let file: PlainFile
            do throws(PlainFile.Failure) {
                file = try PlainFile(path: path, limit: 1 << 20)
            } catch {
                throw OAuthError(.unusableLogin, "the login file \(path) cannot be used: \(error.reason)")
            }
            guard !file.isShared else {
                throw OAuthError(
                    .sharedKeyFile, "the login file \(path) can be read by others; run: chmod 600 \(path.shellQuoted)")
            }
            let root = try? JSONValue(parsing: file.bytes)
            let member = (root?["result"]?["sfdxAuthUrl"] ?? root?["sfdxAuthUrl"])?.string
            try self.init(Secret(member ?? String(decoding: file.bytes, as: UTF8.self)))
        }

        /// Exchanges the refresh token for the first access token.
        ///
        /// - Parameters:
        ///   - transport: the transport that sends the request.
        ///   - deadline: the time at which the request fails with `.timedOut`.
        /// - Returns: the credential, with all data that a later process requires to renew it.
        /// - Throws: ``OAuthError``.
        public func login(
            transport: any HTTPTransport, deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential {
            let client = OAuthClient(
                login: server, clientID: clientID, clientSecret: clientSecret, transport: transport)
            var credential = try await client.token(
                for: RefreshTokenGrant(refreshToken: refreshToken), deadline: deadline)
            credential.refreshToken = credential.refreshToken ?? refreshToken
            credential.login = Credential.Login(server: server, clientID: clientID, clientSecret: clientSecret)
            return credential
        }

        /// Adds the scheme to the host: https, or http on the local machine.
        private static func address(of host: Substring) -> String {
            let isLocal = ["127.0.0.1", "[::1]"].contains { host == $0 || host.hasBytes(prefix: $0 + ":") }
            return (isLocal ? "http://" : "https://") + host
        }

        private static func isWord(_ part: Substring) -> Bool {
            part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "="):
                    true
                default: false
                }
            }
        }

        private static let unusable = OAuthError(
            .unusableLogin, "invalid SFDX auth URL; use the form force://CLIENT:SECRET:REFRESH_TOKEN@HOST")
    }
}

extension SalesforceCLI.AuthURL: CustomStringConvertible {
    /// The client and the host, without token and secret.
    public var description: String { "force://\(clientID)@\(server.host)" }
}

extension SalesforceCLI {
    /// A login as `sf` lists it, without tokens.
    public struct Login: Sendable, Hashable {
        /// The user's login name.
        public let username: String
        /// The user's aliases, sorted.
        public let aliases: [String]
        /// The org's id, if known.
        public let organizationID: String?
        /// The org's own origin.
        public let instance: Origin
        /// The server of the login and of its renewals.
        public let server: Origin
        /// Whether `sf` uses this login by default.
        public let isDefault: Bool

        /// Returns `nil` if the data is not a login, or its URL must not receive tokens.
        init?(reading root: JSONValue, aliases: [String: String], defaultOrg: String?) {
            guard let username = root["username"]?.string, !username.isEmpty,
                let instance = Self.origin(root["instanceUrl"])
            else { return nil }
            let names = aliases.filter { $0.value == username }.keys.sorted()
            (self.username, self.aliases) = (username, names)
            organizationID = root["orgId"]?.string
            self.instance = instance
            // A login with a private key has the URL of the login host, or that of a sandbox.
            server = Self.origin(root["loginUrl"]) ?? instance
            isDefault = defaultOrg.map { $0 == username || names.contains($0) } ?? false
        }

        private static func origin(_ value: JSONValue?) -> Origin? {
            guard let text = value?.string, let url = try? HTTPURL(parsing: text), url.isTrustworthy else { return nil }
            return url.origin
        }
    }
}

extension SalesforceCLI {
    /// A login with its tokens, to create a client.
    public struct Session: Sendable {
        /// The login.
        public let login: SalesforceCLI.Login
        /// The tokens, and the server that renews them.
        public let credential: Credential
        /// The grant that logs in again, if the login has a private key instead of a refresh token.
        public let grant: JWTBearerGrant?

        /// The client id of `sf`, used by logins that name no client.
        private static let platformClient = "PlatformCLI"

        init(
            _ login: SalesforceCLI.Login, _ root: JSONValue, _ keys: SalesforceCLIKeys
        ) async throws(OAuthError) {
            let sealed = ["accessToken", "refreshToken", "clientSecret"].map { root[$0]?.string }
            let opened = try await keys.open(sealed.map { $0 ?? "" })
            guard let accessToken = opened[0] else {
                throw OAuthError(.unusableLogin, "sf has no token for \(login.username); log in with sf again")
            }
            let clientID = root["clientId"]?.string ?? Self.platformClient
            var credential = Credential(
                accessToken: Secret(accessToken), refreshToken: opened[1].map { Secret($0) }, instance: login.instance)
            credential.login = Credential.Login(
                server: login.server, clientID: clientID, clientSecret: opened[2].map { Secret($0) },
                username: login.username)
            if let path = root["privateKey"]?.string, !path.isEmpty {
                grant = JWTBearerGrant(
                    clientID: clientID, username: login.username,
                    key: try JWTBearerGrant.PrivateKey(contentsOfFile: path),
                    login: login.server)
            } else {
                grant = nil
            }
            self.login = login
            self.credential = credential
        }
    }
}
