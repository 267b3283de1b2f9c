// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

/// The bytes of files and sessions, each under the number of a blob.
extension BoxTables {
    func pieces(of blob: Int64) -> [Piece] {
        rows("SELECT file, offset, start, count, digests FROM pieces WHERE blob = ? ORDER BY start", [.integer(blob)]) {
            Piece(
                file: $0.integer(0), offset: Int(clamping: $0.integer(1)), start: Int(clamping: $0.integer(2)),
                count: Int(clamping: $0.integer(3)), digests: Base64.decode($0.text(4)) ?? [])
        }
    }

    /// Adds a piece; one that begins at the same place is given up.
    func add(_ piece: Piece, to blob: Int64, isNew: Bool) {
        guard piece.count > 0 else { return }
        if !isNew {
            discarded += rows(
                "SELECT file FROM pieces WHERE blob = ? AND start = ?", [.integer(blob), .integer(Int64(piece.start))]
            ) { $0.integer(0) }
        }
        run(
            "INSERT OR REPLACE INTO pieces VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(blob), .integer(Int64(piece.start)), .integer(piece.file), .integer(Int64(piece.offset)),
                .integer(Int64(piece.count)), .text(Base64.encode(piece.digests)),
            ])
    }

    /// Removes the bytes of a blob if no revision has it.
    func release(_ blob: Int64) {
        guard number("SELECT EXISTS (SELECT 1 FROM revisions WHERE blob = ?)", [.integer(blob)]) == 0 else { return }
        discarded += rows("SELECT file FROM pieces WHERE blob = ?", [.integer(blob)]) { $0.integer(0) }
        run("DELETE FROM pieces WHERE blob = ?", [.integer(blob)])
    }

    /// The bytes of a file, to be sent.
    func bytes(of content: Entry.Content) -> Content {
        Content(folder: folder, pieces: pieces(of: content.blob), size: Int(clamping: content.size))
    }
}
