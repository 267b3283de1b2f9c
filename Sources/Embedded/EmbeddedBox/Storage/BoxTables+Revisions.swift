// SPDX-License-Identifier: Apache-2.0

import LocalServer

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
        if let most = limits.revisions { trimRevisions(of: entry.id, to: most) }
    }

    private static func revision(_ row: RowReader) -> Entry? {
        guard let path = BoxPath(row.text(0)) else { return nil }
        let content = Entry.Content(
            rev: row.text(2), blob: row.integer(3), size: row.integer(4), hash: row.text(5),
            clientModified: row.integer(6), serverModified: row.integer(7))
        return Entry(path: path, id: row.text(1), content: content)
    }

    private static let columns = "display, id, rev, blob, size, hash, client_modified, server_modified"

    func revision(_ rev: String) -> Entry? {
        // A revision's name is its number.
        guard rev.count == Self.revDigits, let number = Int64(rev.dropFirst(2), radix: 16)  // bounded: 13 digits
        else { return nil }
        return rows(
            "SELECT \(Self.columns) FROM revisions WHERE number = ? AND rev = ?", [.integer(number), .text(rev)]
        ) { Self.revision($0) }.first ?? nil
    }

    /// The revisions of a path or of a file with an id, the latest first, those before a revision if one is given.
    func revisions(of column: RevisionKey, _ value: String, before rev: String?, limit: Int) -> [Entry] {
        rows(
            """
            SELECT \(Self.columns) FROM revisions WHERE \(column.rawValue) = ?1 AND (?2 IS NULL OR number <
            (SELECT number FROM revisions WHERE rev = ?2 AND \(column.rawValue) = ?1)) ORDER BY number DESC LIMIT ?3
            """, [.text(value), rev.map { .text($0) } ?? .null, .integer(Int64(limit))]
        ) { Self.revision($0) }.compactMap(\.self)
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
