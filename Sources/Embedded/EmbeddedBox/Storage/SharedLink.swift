// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// A link to an entry that others may follow.
struct SharedLink: Sendable {
    let url: String
    /// The id of the entry.
    let id: String
    let password: String?
    /// Seconds since 1970.
    let expires: Int64?
}

extension BoxTables {
    private static let linkColumns = "url, id, password, expires"

    private static func link(_ row: RowReader) -> SharedLink {
        SharedLink(
            url: row.text(0), id: row.text(1), password: row.isNull(2) ? nil : row.text(2),
            expires: row.isNull(3) ? nil : row.integer(3))
    }

    func put(_ link: SharedLink) {
        run(
            "INSERT OR REPLACE INTO links (url, id, password, expires) VALUES (?, ?, ?, ?)",
            [
                .text(link.url), .text(link.id), link.password.map { .text($0) } ?? .null,
                link.expires.map { .integer($0) } ?? .null,
            ])
    }

    func link(id: String) -> SharedLink? {
        rows("SELECT \(Self.linkColumns) FROM links WHERE id = ?", [.text(id)]) { Self.link($0) }.first
    }

    func link(url: String) -> SharedLink? {
        rows("SELECT \(Self.linkColumns) FROM links WHERE url = ?", [.text(url)]) { Self.link($0) }.first
    }

    /// The links behind an address, in their order.
    func links(behind url: String, limit: Int) -> [SharedLink] {
        rows(
            "SELECT \(Self.linkColumns) FROM links WHERE url > ? ORDER BY url LIMIT ?",
            [.text(url), .integer(Int64(limit))]
        ) { Self.link($0) }
    }

    func removeLink(url: String) { run("DELETE FROM links WHERE url = ?", [.text(url)]) }
}

extension BoxStores {
    /// The namespace that a link leads into.
    func owner(ofLink url: String) -> BoxStore {
        let owner = all.first { store in (try? store.transaction { $0.link(url: url) != nil }) ?? false }
        return owner ?? nobody
    }
}
