// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer

/// An upload in several requests, as the database keeps it; its bytes are pieces of a blob of its own.
struct UploadSession: Sendable {
    let id: String
    let blob: Int64
    /// How many bytes have come: of a concurrent session, those of all parts.
    var size: Int64
    var isClosed: Bool
    let isConcurrent: Bool
}

extension BoxTables {
    /// How long a session may be used, in seconds.
    private static let lifetime: Int64 = 7 * 24 * 60 * 60

    func makeSession(isConcurrent: Bool, blob: Int64? = nil) -> UploadSession {
        let session = UploadSession(
            id: "pid_upload_session:" + RandomText.make(40), blob: blob ?? folder.makeNumber(), size: 0,
            isClosed: false, isConcurrent: isConcurrent)
        run(
            "INSERT INTO sessions VALUES (?, ?, 0, 0, ?, ?)",
            [
                .text(session.id), .integer(session.blob), .integer(isConcurrent ? 1 : 0),
                .integer(clock.seconds + Self.lifetime),
            ])
        return session
    }

    func session(_ id: String) -> UploadSession? {
        rows(
            "SELECT id, blob, size, closed, concurrent FROM sessions WHERE id = ? AND expiry > ?",
            [.text(id), .integer(clock.seconds)]
        ) {
            UploadSession(
                id: $0.text(0), blob: $0.integer(1), size: $0.integer(2), isClosed: $0.integer(3) != 0,
                isConcurrent: $0.integer(4) != 0)
        }.first
    }

    /// Notes that more bytes have come.
    func grow(_ session: UploadSession, by piece: Piece?, isClosed: Bool) {
        if let piece { add(piece, to: session.blob, isNew: !session.isConcurrent) }
        run(
            "UPDATE sessions SET size = size + ?, closed = max(closed, ?) WHERE id = ?",
            [.integer(Int64(piece?.count ?? 0)), .integer(isClosed ? 1 : 0), .text(session.id)])
    }

    /// Ends a session; its bytes go too, unless a file has them.
    func removeSession(_ session: UploadSession) {
        run("DELETE FROM sessions WHERE id = ?", [.text(session.id)])
    }

    /// Removes the sessions whose time is over, with their bytes.
    func removeExpiredSessions() {
        let blobs = rows("SELECT blob FROM sessions WHERE expiry <= ?", [.integer(clock.seconds)]) { $0.integer(0) }
        run("DELETE FROM sessions WHERE expiry <= ?", [.integer(clock.seconds)])
        for blob in blobs { release(blob) }
    }
}
