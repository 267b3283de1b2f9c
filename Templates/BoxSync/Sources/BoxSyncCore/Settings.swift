// SPDX-License-Identifier: Apache-2.0

import Dropbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the environment says (XDG Base Directory Specification 0.8).
struct Settings {
    private let environment: [String: String]

    /// Takes environment variables.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    var token: Secret? { self["BOXSYNC_TOKEN"].map { Secret($0) } }
    var host: String? { self["BOXSYNC_HOST"] }
    var appKey: String? { self["BOXSYNC_KEY"] }

    /// The folder of the logins.
    var accountsFolder: String {
        get throws(UsageError) { try folder("XDG_CONFIG_HOME", ".config") + "/accounts" }
    }

    /// The folder of the journals, which is there.
    var journalsFolder: String {
        get throws {
            let path = try folder("XDG_STATE_HOME", ".local/state") + "/journals"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return path
        }
    }

    /// A variable's value; an empty one counts as none.
    private subscript(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func folder(_ variable: String, _ usual: String) throws(UsageError) -> String {
        // The specification wants relative paths ignored.
        if let base = self[variable], base.hasPrefix("/") { return "\(base)/boxsync" }
        guard let home = self["HOME"] else { throw UsageError("HOME is not set; it is needed to find the logins") }
        return "\(home)/\(usual)/boxsync"
    }
}
