// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestSQLite

/// A file or a folder, as stored in the database.
struct Entry: Sendable {
    /// The properties that only a file has.
    struct Content: Sendable, Hashable {
        var rev: String
        var blob: Int64
        var size: Int64
        var hash: String
        /// Seconds since 1970.
        var clientModified: Int64
        var serverModified: Int64
    }

    var path: BoxPath
    var id: String
    /// The properties of a file, or `nil` for a folder.
    var content: Content?

    var isFolder: Bool { content == nil }
}

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

    /// Returns the entries or the revisions that match a condition.
    private func entries(_ condition: String, _ parameters: SQLValue..., table: String = "entries") -> [Entry] {
        rows("SELECT \(Self.columns) FROM \(table) WHERE \(condition)", parameters) { Self.entry($0) }
    }

    /// Returns the entry at a path in lower case.
    func entry(at path: String) -> Entry? { entries("path = ?1", .text(path)).first }

    func entry(id: String) -> Entry? { entries("id = ?1", .text(id)).first }

    /// Returns the entries of a folder after a path, ordered by path, including nested ones if requested.
    func entries(in folder: String, behind last: String, isRecursive: Bool, limit: Int) -> [Entry] {
        let end = isRecursive ? "path >= ?1 || '/' AND path < ?1 || '0'" : "parent = ?1"
        return entries(
            "\(end) AND path > ?2 ORDER BY path LIMIT ?3", .text(folder), .text(last), .integer(Int64(limit)))
    }

    /// Whether a path in lower case is that of a folder, like all of its parents.
    func hasFolder(_ path: String) -> Bool { path.isEmpty || entry(at: path)?.isFolder == true }

    func descendants(of folder: String) -> [Entry] {
        entries("path >= ?1 || '/' AND path < ?1 || '0' ORDER BY path", .text(folder))
    }
}

/// All writes are recorded for cursors.
extension BoxTables {
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
        noteChange(of: entry.path, deletedAt: clock.seconds)
    }

    /// Creates the missing parent folders of a path.
    func makeParents(of path: BoxPath) {
        guard !hasFolder(path.parent) else { return }
        for folder in path.ancestors where entry(at: folder.lower) == nil { makeDirectory(folder) }
    }

    @discardableResult
    func makeDirectory(_ path: BoxPath) -> Entry {
        let entry = Entry(path: path, id: newID())
        put(entry, replacing: nil)
        return entry
    }

    func newID() -> String { "id:" + RandomText.make(22) }

    /// Returns a revision name that sorts after all earlier ones.
    func newRev() -> String {
        facts.rev += 1
        let digits = String(facts.rev, radix: 16)
        return "01" + String(repeating: "0", count: max(0, 13 - digits.count)) + digits
    }
}

extension Entry.Content {
    /// The values in the order of the tables' columns.
    var values: [SQLValue] {
        [
            .text(rev), .integer(blob), .integer(size), .text(hash), .integer(clientModified), .integer(serverModified),
        ]
    }
}

extension BoxTables {
    func noteRevision(_ entry: Entry) {
        guard let content = entry.content else { return }
        run(
            "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [.integer(facts.rev), .text(entry.path.lower), .text(entry.path.display), .text(entry.id)] + content.values)
    }

    func revision(_ rev: String) -> Entry? {
        // The name of a revision contains its number.
        guard rev.count == Self.revDigits, let number = Int64(rev.dropFirst(2), radix: 16)  // bounded: 13 digits
        else { return nil }
        return entries("number = ? AND rev = ?", .integer(number), .text(rev), table: "revisions").first
    }

    /// Returns the revisions of a path or of a file ID, the latest first, optionally before a given revision.
    func revisions(of column: RevisionKey, _ value: String, before rev: String?, limit: Int) -> [Entry] {
        entries(
            """
            \(column.rawValue) = ?1 AND (?2 IS NULL OR number <
            (SELECT number FROM revisions WHERE rev = ?2 AND \(column.rawValue) = ?1)) ORDER BY number DESC LIMIT ?3
            """, .text(value), rev.map { .text($0) } ?? .null, .integer(Int64(limit)), table: "revisions")
    }

    private static let revDigits = 15

    /// Returns the IDs of all files that were at a path or below it.
    func revisionIDs(below path: String) -> [String] {
        rows(
            "SELECT DISTINCT id FROM revisions WHERE path = ?1 OR path >= ?1 || '/' AND path < ?1 || '0'",
            [.text(path)]
        ) { $0.text(0) }
    }

    /// Removes all revisions of a file, with content that is no longer used.
    func removeRevisions(of id: String) {
        let blobs = rows("SELECT DISTINCT blob FROM revisions WHERE id = ?", [.text(id)]) { $0.integer(0) }
        run("DELETE FROM revisions WHERE id = ?", [.text(id)])
        for blob in blobs { release(blob) }
    }
}

enum RevisionKey: String {
    case path, id
}
