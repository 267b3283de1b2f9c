// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// A change of a path that a cursor has yet to see.
struct Change: Sendable {
    let number: Int64
    let path: String
    let display: String
    let isDeleted: Bool
}

extension BoxTables {
    func noteChange(of path: BoxPath, deletedAt: Int64?) {
        facts.change += 1
        run(
            "INSERT OR REPLACE INTO changes (number, path, parent, display, deleted) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(facts.change), .text(path.lower), .text(path.parent), .text(path.display),
                deletedAt.map { .integer($0) } ?? .null,
            ])
    }

    /// The changes of a folder behind a number, in their order.
    func changes(in folder: String, isRecursive: Bool, behind number: Int64, limit: Int) -> [Change] {
        let place = isRecursive ? "path >= ?1 || '/' AND path < ?1 || '0'" : "parent = ?1"
        return rows(
            """
            SELECT number, path, display, deleted IS NOT NULL FROM changes
            WHERE (\(place) OR path = ?1 AND deleted IS NOT NULL) AND number > ?2 ORDER BY number LIMIT ?3
            """, [.text(folder), .integer(number), .integer(Int64(limit))]
        ) { Change(number: $0.integer(0), path: $0.text(1), display: $0.text(2), isDeleted: $0.integer(3) != 0) }
    }

    /// The path as it was, and when it was deleted, if it was.
    func deletion(at path: String) -> (path: BoxPath, seconds: Int64)? {
        rows("SELECT display, deleted FROM changes WHERE path = ? AND deleted IS NOT NULL", [.text(path)]) { row in
            BoxPath(row.text(0)).map { ($0, row.integer(1)) }
        }.first ?? nil
    }

    /// The deleted paths of a folder, those that exist again not among them.
    func deletions(in folder: String, isRecursive: Bool) -> [BoxPath] {
        let place = isRecursive ? "path >= ?1 || '/' AND path < ?1 || '0'" : "parent = ?1"
        return rows(
            "SELECT display FROM changes WHERE \(place) AND deleted IS NOT NULL ORDER BY path", [.text(folder)]
        ) { BoxPath($0.text(0)) }.compactMap(\.self)
    }
}
