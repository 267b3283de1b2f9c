// SPDX-License-Identifier: Apache-2.0

import RestText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

    /// The folder of the logins: below `XDG_DATA_HOME`, or `~/.local/share` (XDG Base Directory Specification 0.8).
    ///
    /// - Throws: ``UsageError`` when the environment has neither.
    static func accountsFolder() throws(UsageError) -> String {
        // The specification wants relative paths ignored.
        if let data = value("XDG_DATA_HOME"), data.hasBytes(prefix: "/") { return "\(data)/soql/accounts" }
        guard let home = value("HOME") else { throw UsageError("HOME is not set; it is needed to find the logins") }
        return "\(home)/.local/share/soql/accounts"
    }
}
