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

/// What the environment said when the command began.
enum Settings {
    /// The variables that hold secrets, which no other program needs to see.
    private static let secrets = ["SF_CLIENT_SECRET", "SF_ACCESS_TOKEN"]

    private static let environment = ProcessInfo.processInfo.environment

    /// Reads the environment, and takes the secrets out of it: the browser and every other program that the command
    /// starts inherits the rest only.
    ///
    /// Called first, while there is one thread.
    static func takeEnvironment() {
        _ = environment
        for name in secrets { unsafe unsetenv(name) }
    }

    /// A variable's value; an empty one counts as none.
    static func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A path that means the same file from everywhere.
    static func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The folder of the logins: below `XDG_DATA_HOME`, or `~/.local/share` (XDG Base Directory Specification 0.8).
    ///
    /// - Throws: ``UsageError`` when the environment names neither.
    static func accountsFolder() throws(UsageError) -> String {
        // The specification wants relative paths ignored.
        if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/soql/accounts" }
        guard let home = value("HOME") else { throw UsageError("HOME is not set, so there is no place for logins") }
        return "\(home)/.local/share/soql/accounts"
    }
}
