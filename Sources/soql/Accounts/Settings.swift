// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the environment says.
enum Settings {
    /// A variable's value; an empty one counts as none.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
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
