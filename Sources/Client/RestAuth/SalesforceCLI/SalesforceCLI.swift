// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The logins that the platform's own command line, `sf`, keeps for this user; read, and never written.
///
/// `sf` keeps a file for each user in `~/.sfdx`, whose tokens are sealed with a key in the desktop's key ring or in
/// `key.json`. What is renewed here is not told to `sf`: its logins stay valid side by side unless their client rotates
/// refresh tokens, which that of `sf` does not by default.
public struct SalesforceCLI: Sendable {
    /// The folder of the logins, `.sfdx` in the user's home.
    let folder: String
    /// The folders whose settings name the default org; the first that does wins.
    let settings: [String]
    let keys: SalesforceCLIKeys

    /// No file of `sf` is longer.
    private static let greatestFile = 1 << 20

    /// Names the places.
    ///
    /// - Parameters:
    ///   - home: the user's home folder; `nil` takes that of this process (`HOME`).
    ///   - project: the folder of a project, whose own default org comes first.
    public init(home: String? = nil, project: String? = nil) {
        let home = home ?? ProcessInfo.processInfo.environment["HOME"] ?? "/"
        self.init(home: home, project: project, keys: .system(folder: home + "/.sfdx"))
    }

    init(home: String, project: String?, keys: SalesforceCLIKeys) {
        folder = home + "/.sfdx"
        settings = [project, home].compactMap(\.self)
        self.keys = keys
    }

    /// The logins that are there, sorted by user name; files that are no logins are passed over.
    public var logins: [SalesforceCLI.Login] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let (aliases, chosen) = (aliases, defaultOrg)
        return names.filter { $0.hasBytes(suffix: ".json") }.compactMap { try? record(in: $0) }
            .compactMap { SalesforceCLI.Login(reading: $0, aliases: aliases, defaultOrg: chosen) }
            .sorted { $0.username < $1.username }
    }

    /// One login with its tokens.
    ///
    /// - Parameter name: a user name or an alias; `nil` takes the default org.
    /// - Returns: what it takes to act as the user.
    /// - Throws: ``OAuthError``: `.unusableLogin` when there is no such login, or its tokens cannot be opened;
    ///   `.sharedKeyFile` when others can read the key, `.unusableKey` for a login whose private key cannot be used.
    public func session(of name: String? = nil) async throws(OAuthError) -> SalesforceCLI.Session {
        guard let name = name ?? defaultOrg else {
            throw OAuthError(.unusableLogin, "sf has no default org; name a user or an alias")
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

    /// The user names behind the aliases.
    private var aliases: [String: String] {
        let orgs = (try? record(in: "alias.json"))?["orgs"]?.object
        var aliases: [String: String] = [:]
        if let orgs { for (name, user) in orgs { aliases[name] = user.string } }
        return aliases
    }

    /// The user name or alias of the default org, by the names that old and new versions give it.
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
