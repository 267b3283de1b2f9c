// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder of the orgs that run in the background: `soql/orgs` below `XDG_STATE_HOME`, or `~/.local/state` (XDG Base
/// Directory Specification 0.8).
enum OrgPlaces {
    private static let ending = ".org"

    /// The file of a name; its folder is made, for this user alone.
    ///
    /// - Throws: ``UsageError`` for a name that is none.
    static func path(of name: String) throws -> String {
        guard isName(name) else {
            throw UsageError("an org's name has letters, digits, '-', '_' and '.', and begins with a letter or a digit")
        }
        let folder = try folder()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure("\(folder) cannot be made")
        }
        return "\(folder)/\(name)\(ending)"
    }

    /// Where the org of a file says what it has to say.
    static func log(of path: String) -> String { "\(path.removing(suffix: ending) ?? path[...]).log" }

    /// The orgs that run, by their names; files of others are taken away.
    static func running() throws -> [(name: String, org: RunningOrg)] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: try folder())) ?? []
        var orgs: [(name: String, org: RunningOrg)] = []
        for file in files.sorted() {
            guard let name = file.removing(suffix: ending).map(String.init), isName(name),
                case .running(let org) = try OrgState(of: name)
            else { continue }
            orgs.append((name, org))
        }
        return orgs
    }

    /// The org of a name, if it runs.
    static func find(_ name: String) throws -> RunningOrg? {
        guard isName(name), FileFacts.exists("\(try folder())/\(name)\(ending)") else { return nil }
        guard case .running(let org) = try OrgState(of: name) else { return nil }
        return org
    }

    private static func isName(_ name: String) -> Bool {
        let letters = name.utf8
        guard (1...64).contains(letters.count), letters.first.map(isLetterOrDigit) == true else { return false }
        return letters.allSatisfy { isLetterOrDigit($0) || "-_.".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func folder() throws(UsageError) -> String {
        if let state = Settings.value("XDG_STATE_HOME"), state.hasBytes(prefix: "/") { return "\(state)/soql/orgs" }
        guard let home = Settings.value("HOME") else {
            throw UsageError("HOME is not set; it is needed to find the orgs in the background")
        }
        return "\(home)/.local/state/soql/orgs"
    }
}
