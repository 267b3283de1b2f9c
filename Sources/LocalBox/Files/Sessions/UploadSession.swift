// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer

/// An upload in several requests, as the database keeps it; its bytes are in a file of their own.
struct UploadSession: Sendable {
    let id: String
    /// How many bytes have come: of a concurrent session, those of all parts.
    var size: Int64
    var isClosed: Bool
    let isConcurrent: Bool
}

extension BoxTables {
    func makeSession(isConcurrent: Bool) -> UploadSession {
        let session = UploadSession(
            id: "pid_upload_session:" + RandomText.make(60), size: 0, isClosed: false, isConcurrent: isConcurrent)
        run(
            "INSERT INTO sessions VALUES (?, 0, 0, ?)", [.text(session.id), .integer(session.isConcurrent ? 1 : 0)])
        return session
    }

    func session(_ id: String) -> UploadSession? {
        rows("SELECT id, size, closed, concurrent FROM sessions WHERE id = ?", [.text(id)]) {
            UploadSession(
                id: $0.text(0), size: $0.integer(1), isClosed: $0.integer(2) != 0, isConcurrent: $0.integer(3) != 0)
        }.first
    }

    /// Notes that more bytes have come.
    func grow(_ session: UploadSession, from start: Int64, by count: Int64, isClosed: Bool) {
        run(
            "UPDATE sessions SET size = size + ?, closed = max(closed, ?) WHERE id = ?",
            [.integer(count), .integer(isClosed ? 1 : 0), .text(session.id)])
        guard session.isConcurrent, count > 0 else { return }
        run("INSERT INTO parts VALUES (?, ?, ?)", [.text(session.id), .integer(start), .integer(count)])
    }

    /// Whether the parts of a concurrent session make up so many bytes without a gap.
    func isWhole(_ session: UploadSession, _ size: Int64) -> Bool {
        var end: Int64 = 0
        let parts = rows(
            "SELECT start, count FROM parts WHERE session = ? ORDER BY start", [.text(session.id)]
        ) { ($0.integer(0), $0.integer(1)) }
        for (start, count) in parts {
            guard start <= end else { return false }
            end = max(end, start + count)
        }
        return end == size
    }

    func removeSession(_ session: UploadSession) {
        run("DELETE FROM sessions WHERE id = ?", [.text(session.id)])
        run("DELETE FROM parts WHERE session = ?", [.text(session.id)])
    }
}

extension BlobFolder {
    /// Where the bytes of a session are.
    func path(of session: UploadSession) -> String {
        path(ofSession: String(session.id.drop { $0 != ":" }.dropFirst()))
    }
}
