// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestSQLite

/// A file or folder as the database keeps it.
struct Entry: Sendable {
    /// What only a file has.
    struct Content: Sendable, Hashable {
        var rev: String
        /// The number of the bytes.
        var blob: Int64
        var size: Int64
        /// The content hash.
        var hash: String
        /// Seconds since 1970.
        var clientModified: Int64
        var serverModified: Int64
    }

    var path: BoxPath
    var id: String
    /// `nil` for a folder.
    var content: Content?

    var isFolder: Bool { content == nil }
}

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

    /// The entries, or the revisions, that fulfil a condition.
    private func entries(_ condition: String, _ parameters: SQLValue..., table: String = "entries") -> [Entry] {
        rows("SELECT \(Self.columns) FROM \(table) WHERE \(condition)", parameters) { Self.entry($0) }
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
        path.isEmpty || entry(at: path)?.isFolder == true
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

extension BoxTables {
    /// Notes what a file has become.
    func noteRevision(_ entry: Entry) {
        guard let content = entry.content else { return }
        run(
            """
            INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [.integer(facts.rev), .text(entry.path.lower), .text(entry.path.display), .text(entry.id)]
                + content.values)
        if let most = limits.revisionLimit { trimRevisions(of: entry.id, to: max(1, most)) }
    }

    func revision(_ rev: String) -> Entry? {
        // A revision's name is its number.
        guard rev.count == Self.revDigits, let number = Int64(rev.dropFirst(2), radix: 16)  // bounded: 13 digits
        else { return nil }
        return entries("number = ? AND rev = ?", .integer(number), .text(rev), table: "revisions").first
    }

    /// The revisions of a path or of a file with an id, the latest first, those before a revision if one is given.
    func revisions(of column: RevisionKey, _ value: String, before rev: String?, limit: Int) -> [Entry] {
        entries(
            """
            \(column.rawValue) = ?1 AND (?2 IS NULL OR number <
            (SELECT number FROM revisions WHERE rev = ?2 AND \(column.rawValue) = ?1)) ORDER BY number DESC LIMIT ?3
            """, .text(value), rev.map { .text($0) } ?? .null, .integer(Int64(limit)), table: "revisions")
    }
}

extension BoxTables {
    private static let revDigits = 15

    /// Forgets the oldest revisions of a file, with the bytes that nothing else has.
    private func trimRevisions(of id: String, to most: Int) {
        remove(
            "number IN (SELECT number FROM revisions WHERE id = ?1 ORDER BY number DESC LIMIT -1 OFFSET ?2)",
            [.text(id), .integer(Int64(most))])
    }

    /// The ids of the files that have been at a path or below it.
    func revisionIDs(below path: String) -> [String] {
        rows(
            "SELECT DISTINCT id FROM revisions WHERE path = ?1 OR path >= ?1 || '/' AND path < ?1 || '0'",
            [.text(path)]
        ) { $0.text(0) }
    }

    /// Forgets all revisions of a file.
    func removeRevisions(of id: String) { remove("id = ?1", [.text(id)]) }

    private func remove(_ rest: String, _ parameters: [SQLValue]) {
        let blobs = rows("SELECT DISTINCT blob FROM revisions WHERE \(rest)", parameters) { $0.integer(0) }
        run("DELETE FROM revisions WHERE \(rest)", parameters)
        for blob in blobs { release(blob) }
    }
}

/// What revisions are found by.
enum RevisionKey: String {
    case path, id
}
