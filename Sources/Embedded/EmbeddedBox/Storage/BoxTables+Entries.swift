// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Reading entries.
extension BoxTables {
    private static let columns = "path, display, id, rev, blob, size, hash, client_modified, server_modified"

    private static func entry(_ row: RowReader) -> Entry {
        let path = BoxPath(display: row.text(1), lower: row.text(0))
        guard !row.isNull(3) else { return Entry(path: path, id: row.text(2)) }
        let content = Entry.Content(
            rev: row.text(3), blob: row.integer(4), size: row.integer(5), hash: row.text(6),
            clientModified: row.integer(7), serverModified: row.integer(8))
        return Entry(path: path, id: row.text(2), content: content)
    }

    private func entries(_ rest: String, _ parameters: SQLValue...) -> [Entry] {
        rows("SELECT \(Self.columns) FROM entries WHERE \(rest)", parameters) { Self.entry($0) }
    }

    /// The entry at a path in lower case.
    func entry(at path: String) -> Entry? { entries("path = ?1", .text(path)).first }

    func entry(id: String) -> Entry? { entries("id = ?1", .text(id)).first }

    /// The entries of a folder behind a path, with all that is below them if it is asked for, in the order of paths.
    func entries(in folder: String, behind last: String, isRecursive: Bool, limit: Int) -> [Entry] {
        let end = isRecursive ? "path >= ?1 || '/' AND path < ?1 || '0'" : "parent = ?1"
        return entries(
            "\(end) AND path > ?2 ORDER BY path LIMIT ?3", .text(folder), .text(last), .integer(Int64(limit)))
    }

    /// Whether a path in lower case is that of a folder; all above it are folders then too.
    func hasFolder(_ path: String) -> Bool {
        if path.isEmpty || knownFolder?.utf8.elementsEqual(path.utf8) == true { return true }
        guard entry(at: path)?.isFolder == true else { return false }
        knownFolder = path
        return true
    }

    /// Everything below a folder.
    func descendants(of folder: String) -> [Entry] {
        entries("path >= ?1 || '/' AND path < ?1 || '0' ORDER BY path", .text(folder))
    }
}

/// Writing entries; each change is noted for cursors.
extension BoxTables {
    /// Writes an entry in place of what is at its path.
    func put(_ entry: Entry, replacing old: Entry?) {
        facts.used += (entry.content?.size ?? 0) - (old?.content?.size ?? 0)
        let (path, content) = (entry.path, entry.content)
        var values: [SQLValue] = [.text(path.lower), .text(path.parent), .text(path.display), .text(entry.id)]
        values += content?.values ?? Array(repeating: .null, count: 6)
        run("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        noteChange(of: path, deletedAt: nil)
    }

    func remove(_ entry: Entry) {
        facts.used -= entry.content?.size ?? 0
        run("DELETE FROM entries WHERE path = ?", [.text(entry.path.lower)])
        knownFolder = nil
        noteChange(of: entry.path, deletedAt: clock.seconds)
    }

    /// Makes the folders that are missing on the way to a path, or takes the names that they have.
    func makeParents(of path: BoxPath) {
        guard !hasFolder(path.parent) else { return }
        for folder in path.ancestors where entry(at: folder.lower) == nil { makeFolder(folder) }
    }

    @discardableResult
    func makeFolder(_ path: BoxPath) -> Entry {
        let entry = Entry(path: path, id: newID())
        put(entry, replacing: nil)
        return entry
    }

    func newID() -> String { "id:" + RandomText.make(22) }

    /// A name of a revision that sorts behind all earlier ones.
    func newRev() -> String {
        facts.rev += 1
        let digits = String(facts.rev, radix: 16)
        return "01" + String(repeating: "0", count: max(0, 13 - digits.count)) + digits
    }
}

extension Entry.Content {
    /// In the order of the tables' columns.
    var values: [SQLValue] {
        [
            .text(rev), .integer(blob), .integer(size), .text(hash), .integer(clientModified), .integer(serverModified),
        ]
    }
}
