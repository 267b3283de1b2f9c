// SPDX-License-Identifier: Apache-2.0

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

/// The environment variables when the command started.
enum Settings {
    /// The variables that hold secrets, which no other program needs to see.
    private static let secrets = ["SF_CLIENT_SECRET", "SF_ACCESS_TOKEN"]

    private static let environment = ProcessInfo.processInfo.environment

    /// Reads the environment and removes the secrets from it.
    ///
    /// The browser and other programs that the command starts inherit only the rest. Call this first, while there is
    /// one thread.
    static func takeEnvironment() {
        _ = environment
        for name in secrets { unsafe unsetenv(name) }
    }

    /// A variable's value; an empty one counts as none.
    static func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a variable is set, be it to an empty text.
    static func isSet(_ name: String) -> Bool { environment[name] != nil }

    /// All variables, as a program is given them.
    static var all: [String: String] { environment.filter { !secrets.contains($0.key) } }

    /// The absolute form of a path.
    static func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The folder of the logins: below `XDG_DATA_HOME`, or `~/.local/share` (XDG Base Directory Specification 0.8).
    ///
    /// - Throws: ``UsageError`` when the environment has neither.
    static func accountsFolder() throws(UsageError) -> String {
        // The specification wants relative paths ignored.
        if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/soql/accounts" }
        guard let home = value("HOME") else { throw UsageError("HOME is not set; it is needed to find the logins") }
        return "\(home)/.local/share/soql/accounts"
    }
}
