// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What was typed in sessions, in a file that only this user can read: a JSON text on each line.
///
/// Each entry is added at once and under a lock, so that a crash loses none and sessions at the same time lose none of
/// each other's.
struct HistoryFile {
    /// The most entries that are kept.
    static let mostEntries = 10_000
    private static let mostBytes = 64 << 20

    let path: String

    /// The entries, the oldest first; one that came again stands at its last place.
    func read() -> [String] {
        guard let text = try? StandardInput.read(file: path, most: Self.mostBytes) else { return [] }
        let lines = text.split(byte: "\n")
        var seen: Set<String> = []
        var entries: [String] = []
        for line in lines.reversed() where entries.count < Self.mostEntries {
            guard let entry = (try? JSONValue(parsing: Array(line.utf8)))?.string, seen.insert(entry).inserted else {
                continue
            }
            entries.append(entry)
        }
        entries.reverse()
        if lines.count > 2 * Self.mostEntries { rewrite(entries) }
        return entries
    }

    /// Adds an entry; where that does not work, the session goes on without.
    func append(_ entry: String) {
        guard let file = opened() else { return }
        defer { close(file) }
        flock(file, LOCK_EX)
        Self.write(Self.line(entry), to: file)
    }

    /// Leaves the newest entries in the file.
    private func rewrite(_ entries: [String]) {
        guard let file = opened() else { return }
        defer { close(file) }
        flock(file, LOCK_EX)
        ftruncate(file, 0)
        Self.write(entries.flatMap(Self.line), to: file)
    }

    /// The file, made if need be; `nil` when it is somebody else's or no file at all.
    private func opened() -> Int32? {
        let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(file)
            return nil
        }
        if status.st_mode & 0o077 != 0 { fchmod(file, 0o600) }
        return file
    }

    private static func line(_ entry: String) -> [UInt8] { JSONValue(entry).bytes() + [UInt8(ascii: "\n")] }

    private static func write(_ bytes: [UInt8], to file: Int32) { try? StandardOutput.write(bytes, to: file) }
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
