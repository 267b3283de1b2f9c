// SPDX-License-Identifier: Apache-2.0

import LocalServer

extension BoxTables {
    /// Notes what a file has become.
    func noteRevision(_ entry: Entry) {
        guard let content = entry.content else { return }
        run(
            """
            INSERT INTO revisions (path, display, id, rev, blob, size, hash, client_modified, server_modified)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, [.text(entry.path.lower), .text(entry.path.display), .text(entry.id)] + content.values)
    }

    private static func revision(_ row: RowReader) -> Entry? {
        guard let path = BoxPath(row.text(0)) else { return nil }
        let content = Entry.Content(
            rev: row.text(2), blob: row.text(3), size: row.integer(4), hash: row.text(5),
            clientModified: row.integer(6), serverModified: row.integer(7))
        return Entry(path: path, id: row.text(1), content: content)
    }

    private static let columns = "display, id, rev, blob, size, hash, client_modified, server_modified"

    func revision(_ rev: String) -> Entry? {
        rows("SELECT \(Self.columns) FROM revisions WHERE rev = ? ORDER BY number DESC LIMIT 1", [.text(rev)]) {
            Self.revision($0)
        }.first ?? nil
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

/// What revisions are found by.
enum RevisionKey: String {
    case path, id
}
