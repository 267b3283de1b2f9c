// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
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
        return Settings.folder("XDG_STATE_HOME", ".local/state").flatMap { made($0) ? "\($0)/history" : nil }
    }

    /// The file that is run when a session begins.
    static var rc: String? { Settings.folder("XDG_CONFIG_HOME", ".config").map { "\($0)/rc" } }

    /// A folder for the descriptions of an org, made if need be.
    static func descriptions(of org: String) -> String? {
        let name = String(
            decoding: org.utf8.map { ASCII.isUnreserved($0) && $0 != 0x7E ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        let place = Settings.folder("XDG_CACHE_HOME", ".cache").map { "\($0)/describe/\(name.prefix(200))" }
        return place.flatMap { made($0) ? $0 : nil }
    }

    private static func made(_ folder: String) -> Bool { (try? Settings.make(folder: folder)) != nil }

    /// A path as the user writes it; `~/` is the home folder.
    static func expanded(_ path: String) -> String {
        guard path.hasBytes(prefix: "~/"), let home = Settings.value("HOME") else { return path }
        return home + path.dropFirst()
    }

    /// Whether somebody else could have written a file.
    static func isOthers(_ path: String) -> Bool {
        guard let status = FileFacts.status(path) else { return false }
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
                shown + name + (FileFacts.isFolder("\(folder)/\(name)") ? "/" : "")
            }
    }
}

/// What was typed in sessions, in a file that only this user can read: a JSON text on each line.
///
/// Each entry is added at once and under a lock, so that a crash loses none, and sessions that run at the same time
/// lose none of each other's.
struct HistoryFile {
    /// The maximum number of entries.
    static let mostEntries = 10_000
    /// The maximum number of bytes that are read, from the end of the file.
    private static let mostBytes = 64 << 20

    let path: String

    /// The entries, the oldest first; an entry that occurs again is at its last position.
    func read() -> [String] {
        guard let file = Self.opened(path, O_RDONLY) else { return [] }
        defer { close(file) }
        let lines = Self.lines(of: file)
        if lines.count > 2 * Self.mostEntries { shorten() }
        return Self.entries(in: lines)
    }

    /// Adds an entry; if that is not possible, the session continues without.
    func append(_ entry: String) {
        guard let file = locked() else { return }
        defer { close(file) }
        let end = Self.size(of: file)
        // A session that died while it wrote left a part of a line, which must not take this one with it.
        let isOpen = end > 0 && FileBytes.read(file, from: end - 1, count: 1) != Self.lineEnd
        let bytes = (isOpen ? Self.lineEnd : []) + Self.line(entry)
        if !FileBytes.write(bytes, to: file, at: end) { ftruncate(file, off_t(end)) }
    }

    /// Leaves the newest entries that are in the file by now, in one step.
    private func shorten() {
        guard let file = locked() else { return }
        defer { close(file) }
        let lines = Self.lines(of: file)
        guard lines.count > 2 * Self.mostEntries else { return }
        try? FileWriter.write(Self.entries(in: lines).flatMap(Self.line), to: path)
    }

    /// Opens the file, or makes it, and locks it; `nil` if it is another user's or not a file.
    private func locked() -> Int32? {
        while let file = Self.opened(path, O_RDWR | O_CREAT) {
            _ = FileLock.lock(file, waits: true)
            // Another session may have put a shorter file in its place since.
            if FileState.isOpen(file, at: path) { return file }
            close(file)
        }
        return nil
    }

    private static func opened(_ path: String, _ flags: Int32) -> Int32? {
        let file = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(file)
            return nil
        }
        if status.st_mode & 0o077 != 0 { fchmod(file, 0o600) }
        return file
    }

    private static func size(of file: Int32) -> Int { Int(lseek(file, 0, SEEK_END)) }

    private static func lines(of file: Int32) -> [ArraySlice<UInt8>] {
        let size = size(of: file)
        let count = min(size, mostBytes)
        return FileBytes.read(file, from: size - count, count: count)?.split(separator: lineEnd[0]) ?? []
    }

    /// The newest entries in lines; damaged lines are left out.
    private static func entries(in lines: [ArraySlice<UInt8>]) -> [String] {
        var seen: Set<String> = []
        var entries: [String] = []
        for line in lines.reversed() where entries.count < mostEntries {
            guard let entry = (try? JSONValue(parsing: Array(line)))?.string, seen.insert(entry).inserted else {
                continue
            }
            entries.append(entry)
        }
        entries.reverse()
        return entries
    }

    private static let lineEnd = [UInt8(ascii: "\n")]

    private static func line(_ entry: String) -> [UInt8] { JSONValue(entry).bytes() + lineEnd }
}

/// What was typed in this session and the ones before it.
struct SessionHistory {
    private(set) var entries: [String] = []
    private var file: HistoryFile?

    init() {}

    /// Reads the history of earlier sessions.
    init(file: HistoryFile?) {
        self.file = file
        entries = file?.read() ?? []
    }

    /// Keeps an entry, unless it may hold a secret; an earlier one of the same text goes.
    ///
    /// - Returns: whether the order of the others has changed; `nil` when nothing was kept.
    mutating func add(_ entry: String) -> Bool? {
        guard HistoryRules.keeps(entry), entries.last != entry else { return nil }
        let count = entries.count
        entries.removeAll { $0 == entry }
        let hasMoved = entries.count != count
        entries.append(entry)
        file?.append(entry)
        return hasMoved
    }
}

/// What the history keeps of the things that were typed.
enum HistoryRules {
    /// Words that stand beside secrets.
    private static let words = [
        "token", "secret", "password", "passwd", "bearer", "private_key", "privatekey", "api_key", "apikey",
        "frontdoor.jsp", "sid=",
    ]

    /// Whether an entry is kept: not an empty one, not one that begins with a blank, and none that may hold a secret.
    static func keeps(_ entry: String) -> Bool {
        guard let first = entry.unicodeScalars.first, !first.properties.isWhitespace else { return false }
        let folded = entry.lowercased()
        if folded.hasBytes(prefix: "\\set"), words.contains(where: { folded.hasBytes($0) }) { return false }
        return !folded.hasAssignedSecret(words) && !entry.hasSessionID
    }
}

extension String {
    /// Whether one of the words is followed by a value, as in `--token x`, `password=x` or `Bearer x`.
    fileprivate func hasAssignedSecret(_ words: [String]) -> Bool {
        words.contains { word in
            ranges(bytes: word).contains { range in
                let before = self[..<range.lowerBound].unicodeScalars.last
                if word == "bearer" || word.hasBytes(suffix: "=") || word.hasBytes(suffix: "jsp") { return true }
                if before == "-" || before == "/" { return true }
                let scalars = self[range.upperBound...].unicodeScalars.drop {
                    $0 == "_" || $0 == "\"" || $0.properties.isAlphabetic
                }.drop(while: \.properties.isWhitespace)
                return scalars.first == "=" || scalars.first == ":"
            }
        }
    }

    /// Whether an access token stands in the text: the 15 characters of an org's id, then `!` and more.
    fileprivate var hasSessionID: Bool {
        ranges(bytes: "00D").contains { range in
            let id = self[range.lowerBound...].utf8.prefix(while: ASCII.isAlphanumeric)
            return (15...18).contains(id.count) && self[id.endIndex...].hasBytes(prefix: "!")
        }
    }
}
