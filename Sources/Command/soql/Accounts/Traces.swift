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
        guard let folder = try? Settings.accountsFolder() else { return }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Whether nothing has this name; what cannot be looked at counts as there.
    private static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }
}
