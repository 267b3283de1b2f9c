// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a session keeps its files (XDG Base Directory Specification 0.8).
enum SessionFiles {
    /// The history; `nil` when there is no place for it, or the user wants none (`SOQL_HISTORY=`).
    static var history: String? {
        if Settings.isSet("SOQL_HISTORY") { return Settings.value("SOQL_HISTORY") }
        return folder("XDG_STATE_HOME", ".local/state").flatMap { made($0) ? "\($0)/history" : nil }
    }

    /// The file that is run when a session begins.
    static var rc: String? { folder("XDG_CONFIG_HOME", ".config").map { "\($0)/rc" } }

    /// A folder for the descriptions of an org, made if need be.
    static func descriptions(of org: String) -> String? {
        let name = String(
            decoding: org.utf8.map { ASCII.isUnreserved($0) && $0 != 0x7E ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        let place = folder("XDG_CACHE_HOME", ".cache").map { "\($0)/describe/\(name.prefix(200))" }
        return place.flatMap { made($0) ? $0 : nil }
    }

    private static func folder(_ variable: String, _ home: String) -> String? {
        if let base = Settings.value(variable), base.hasBytes(prefix: "/") { return "\(base)/soql" }
        return Settings.value("HOME").map { "\($0)/\(home)/soql" }
    }

    /// Makes a folder that only this user can use; those above it too.
    private static func made(_ folder: String) -> Bool {
        var status = stat()
        if unsafe stat(folder, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        guard let slash = folder.lastIndex(byte: "/"), slash > folder.startIndex, made(String(folder[..<slash])) else {
            return false
        }
        return unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// A path as the user writes it; `~/` is the home folder.
    static func expanded(_ path: String) -> String {
        guard path.hasBytes(prefix: "~/"), let home = Settings.value("HOME") else { return path }
        return home + path.dropFirst()
    }

    /// Whether somebody else could have written a file.
    static func isOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & 0o022 != 0 || (status.st_uid != geteuid() && status.st_uid != 0)
    }

    /// The paths that begin so; folders end in a slash.
    @Sendable
    static func paths(beginningWith start: String) -> [String] {
        let wanted = start.cut(lastByte: "/")?.after ?? start[...]
        let shown = String(start[..<wanted.startIndex])
        let folder = shown.isEmpty ? "." : expanded(shown)
        let content = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return content.filter { $0.hasBytes(prefix: wanted) && (!wanted.isEmpty || !$0.hasBytes(prefix: ".")) }.sorted()
            .map { name in
                var status = stat()
                let isFolder = unsafe stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                return shown + name + (isFolder ? "/" : "")
            }
    }
}
