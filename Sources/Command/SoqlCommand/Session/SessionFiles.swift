// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The paths of a session's files (XDG Base Directory Specification 0.8).
enum SessionFiles {
    /// The history file, or `nil` if its directory cannot be created or the user disabled it (`SOQL_HISTORY=`).
    static var history: String? {
        if Settings.isSet("SOQL_HISTORY") { return Settings.value("SOQL_HISTORY") }
        return Settings.folder("XDG_STATE_HOME", ".local/state").flatMap { made($0) ? "\($0)/history" : nil }
    }

    /// The startup file.
    static var rc: String? { Settings.folder("XDG_CONFIG_HOME", ".config").map { "\($0)/rc" } }

    /// The directory for descriptions of an org, created if necessary.
    static func descriptions(of org: String) -> String? {
        let name = String(
            decoding: org.utf8.map { ASCII.isUnreserved($0) && $0 != 0x7E ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        let place = Settings.folder("XDG_CACHE_HOME", ".cache").map { "\($0)/describe/\(name.prefix(200))" }
        return place.flatMap { made($0) ? $0 : nil }
    }

    private static func made(_ folder: String) -> Bool { (try? Settings.make(folder: folder)) != nil }

    /// Expands `~/` in a path to the home directory.
    static func expanded(_ path: String) -> String {
        guard path.hasBytes(prefix: "~/"), let home = Settings.value("HOME") else { return path }
        return home + path.dropFirst()
    }

    /// Whether another user could have written a file.
    static func isOthers(_ path: String) -> Bool {
        guard let status = FileFacts.status(path) else { return false }
        return status.st_mode & 0o022 != 0 || (status.st_uid != geteuid() && status.st_uid != 0)
    }

    /// The paths with a prefix, where directories end with a slash.
    @Sendable
    static func paths(beginningWith start: String) -> [String] {
        let wanted = start.cut(lastByte: "/")?.after ?? start[...]
        let shown = String(start[..<wanted.startIndex])
        let folder = shown.isEmpty ? "." : expanded(shown)
        let content = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return content.filter { $0.hasBytes(prefix: wanted) && (!wanted.isEmpty || !$0.hasBytes(prefix: ".")) }.sorted()
            .map { shown + $0 + (FileFacts.isFolder("\(folder)/\($0)") ? "/" : "") }
    }
}

/// The history of sessions, in a file that only this user can read, with a JSON string on each line.
///
/// Each entry is appended immediately and under a lock, so that neither crashes nor concurrent sessions lose entries.
struct HistoryFile {
    /// The maximum number of entries.
    static let mostEntries = 10_000
    /// The maximum number of bytes that are read, from the end of the file.
    private static let mostBytes = 64 << 20

    let path: String

    /// The entries, the oldest first, where a repeated entry is at its last position.
    func read() -> [String] {
        guard let file = Self.opened(path, O_RDONLY) else { return [] }
        defer { close(file) }
        let lines = Self.lines(of: file)
        if lines.count > 2 * Self.mostEntries { shorten() }
        return Self.entries(in: lines)
    }

    /// Appends an entry, ignoring errors.
    func append(_ entry: String) {
        guard let file = locked() else { return }
        defer { close(file) }
        let end = Self.size(of: file)
        // A session that crashed during a write may have left a partial line, which must not damage this entry.
        let isOpen = end > 0 && FileBytes.read(file, from: end - 1, count: 1) != Self.lineEnd
        let bytes = (isOpen ? Self.lineEnd : []) + Self.line(entry)
        if !FileBytes.write(bytes, to: file, at: end) { ftruncate(file, off_t(end)) }
    }

    /// Replaces the file by its newest entries, atomically.
    private func shorten() {
        guard let file = locked() else { return }
        defer { close(file) }
        let lines = Self.lines(of: file)
        guard lines.count > 2 * Self.mostEntries else { return }
        try? FileWriter.write(Self.entries(in: lines).flatMap(Self.line), to: path)
    }

    /// Opens or creates the file and locks it, or returns `nil` if it belongs to another user or is not a regular file.
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

    /// The newest entries in lines, without damaged lines.
    private static func entries(in lines: [ArraySlice<UInt8>]) -> [String] {
        var (seen, entries): (Set<String>, [String]) = ([], [])
        for line in lines.reversed() where entries.count < mostEntries {
            let entry = (try? JSONValue(parsing: Array(line)))?.string
            if let entry, seen.insert(entry).inserted { entries.append(entry) }
        }
        return entries.reversed()
    }

    private static let lineEnd = [UInt8(ascii: "\n")]

    private static func line(_ entry: String) -> [UInt8] { JSONValue(entry).bytes() + lineEnd }
}

struct SessionHistory {
    private(set) var entries: [String] = []
    private let file: HistoryFile?

    /// Reads the history of earlier sessions.
    init(file: HistoryFile? = nil) { (self.file, entries) = (file, file?.read() ?? []) }

    /// Adds an entry unless it may contain a secret, and returns whether an earlier equal entry was removed.
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

/// The rules about entries that the history stores.
enum HistoryRules {
    private static let words = [
        "token", "secret", "password", "passwd", "bearer", "private_key", "privatekey", "api_key", "apikey",
        "frontdoor.jsp", "sid=",
    ]

    /// Whether an entry is stored: it is not empty, does not begin with white space, and does not seem to contain a
    /// secret.
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

    /// Whether the text contains an access token: an org id of 15 to 18 characters, then `!` and more.
    fileprivate var hasSessionID: Bool {
        ranges(bytes: "00D").contains { range in
            let id = self[range.lowerBound...].utf8.prefix(while: ASCII.isAlphanumeric)
            return (15...18).contains(id.count) && self[id.endIndex...].hasBytes(prefix: "!")
        }
    }
}
