// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestSQLite

/// The routes that upload content in sessions.
///
/// A part is written and hashed while it arrives, in parallel to others. Then the database decides whether it belongs
/// to the session. If two parts have the same position, the second one is rejected.
struct SessionRoutes: Sendable {
    func start(
        _ argument: Files.UploadSessionStartArg, _ context: RouteContext
    ) throws -> Files.UploadSessionStartResult {
        let body = try context.body(
            argument.contentHash, tooLarge: Files.UploadSessionStartError.payloadTooLarge,
            mismatch: Files.UploadSessionStartError.contentHashMismatch)
        let isConcurrent = argument.sessionType == .concurrent
        if isConcurrent && body.count > 0 { throw Files.UploadSessionStartError.concurrentSessionDataNotAllowed }
        if isConcurrent && argument.close { throw Files.UploadSessionStartError.concurrentSessionCloseNotAllowed }
        let id = try context.store.transaction { tables in
            tables.makeSession(isConcurrent: isConcurrent, closing: argument.close, body.chunk(at: 0)).id
        }
        body.keep()
        return Files.UploadSessionStartResult(sessionID: id)
    }

    func startBatch(
        _ argument: Files.UploadSessionStartBatchArg, _ context: RouteContext
    ) throws -> Files.UploadSessionStartBatchResult {
        let ids = try context.store.transaction { tables in
            (0..<min(argument.numSessions, 1_000)).map { _ in
                tables.makeSession(isConcurrent: argument.sessionType == .concurrent, closing: false, nil).id
            }
        }
        return Files.UploadSessionStartBatchResult(sessionIDs: ids)
    }

    func append(_ argument: Files.UploadSessionAppendArg, _ context: RouteContext) throws {
        let body = try context.body(
            argument.contentHash, tooLarge: Files.UploadSessionAppendError.payloadTooLarge,
            mismatch: Files.UploadSessionAppendError.contentHashMismatch)
        let part = SessionPart(argument.cursor, body.count, isLast: argument.close)
        try wrapping({ (problem: SessionProblem) -> Files.UploadSessionAppendError in problem.wire() }) {
            try context.store.add(body.chunk(at: Int(clamping: part.offset)), as: part)
        }
        body.keep()
    }

    /// Takes the parts of many sessions, which follow each other in the body.
    func appendBatch(
        _ argument: Files.UploadSessionAppendBatchArg, _ context: RouteContext
    ) throws -> Files.UploadSessionAppendBatchResult {
        let body = try context.body(
            argument.contentHash, tooLarge: Files.UploadSessionAppendBatchError.payloadTooLarge,
            mismatch: Files.UploadSessionAppendBatchError.contentHashMismatch)
        let lengths = argument.entries.map { Int(clamping: min($0.length, UInt64(clamping: Int32.max))) }
        guard lengths.reduce(0, +) == body.count else { throw Files.UploadSessionAppendBatchError.lengthMismatch }
        var (results, position): ([Files.UploadSessionAppendBatchResultEntry], Int) = ([], 0)
        for (entry, length) in zip(argument.entries, lengths) {
            let range = position..<position + length
            position += length
            let part = SessionPart(entry.cursor, length, isLast: entry.close)
            guard let chunk = body.chunk(range, at: Int(clamping: part.offset)) else { throw BoxRejection.broken }
            do {
                try context.store.add(chunk, as: part)
                body.keep()
                results.append(.success)
            } catch let problem as SessionProblem {
                results.append(.failure(problem.wire()))
            }
        }
        return Files.UploadSessionAppendBatchResult(entries: results)
    }
}

struct SessionPart: Sendable {
    let id: String
    let offset: UInt64
    let count: Int
    let isLast: Bool

    init(_ cursor: Files.UploadSessionCursor, _ count: Int, isLast: Bool) {
        (id, offset) = (cursor.sessionID, cursor.offset)
        (self.count, self.isLast) = (count, isLast)
    }
}

extension BoxStore {
    fileprivate func add(_ chunk: Chunk, as part: SessionPart) throws {
        try transaction { tables in
            let session = try tables.session(for: part)
            tables.grow(session, by: chunk, isClosed: part.isLast)
        }
    }
}

/// An upload in several requests, as stored in the database.
///
/// Its content is a blob of its own.
struct UploadSession: Sendable {
    let id: String
    let blob: Int64
    /// The number of bytes so far, in a concurrent session the sum of all parts.
    var size: Int64
    var isClosed: Bool
    let isConcurrent: Bool
}

extension BoxTables {
    /// The lifetime of a session, in seconds.
    private static let lifetime: Int64 = 7 * 24 * 60 * 60

    /// Creates a session, perhaps with its first bytes.
    func makeSession(isConcurrent: Bool, closing: Bool, _ chunk: Chunk?) -> UploadSession {
        let session = UploadSession(
            id: "pid_upload_session:" + RandomText.make(40), blob: folder.makeNumber(), size: 0, isClosed: false,
            isConcurrent: isConcurrent)
        run(
            "INSERT INTO sessions VALUES (?, ?, 0, 0, ?, ?)",
            [
                .text(session.id), .integer(session.blob), .integer(isConcurrent ? 1 : 0),
                .integer(clock.seconds + Self.lifetime),
            ])
        if let chunk { grow(session, by: chunk, isClosed: closing) }
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

    fileprivate func grow(_ session: UploadSession, by chunk: Chunk, isClosed: Bool) {
        add(chunk, to: session.blob)
        run(
            "UPDATE sessions SET size = size + ?, closed = max(closed, ?) WHERE id = ?",
            [.integer(Int64(chunk.count)), .integer(isClosed ? 1 : 0), .text(session.id)])
    }

    /// Removes a session, but not the content that a file has.
    func removeSession(_ session: UploadSession) {
        run("DELETE FROM sessions WHERE id = ?", [.text(session.id)])
    }

    func removeExpiredSessions() {
        let blobs = rows("SELECT blob FROM sessions WHERE expiry <= ?", [.integer(clock.seconds)]) { $0.integer(0) }
        run("DELETE FROM sessions WHERE expiry <= ?", [.integer(clock.seconds)])
        for blob in blobs { release(blob) }
    }
}

/// An error of a part of a session, for which each route has its own error.
enum SessionProblem: Error, Sendable, Hashable {
    case notFound, closed, invalidOffset, invalidSize, tooLarge
    case incorrectOffset(correct: Int64)

    func wire<RouteError: SessionRouteError>() -> RouteError {
        switch self {
        case .notFound: .notFound
        case .closed: .closed
        case .invalidOffset: .concurrentSessionInvalidOffset
        case .invalidSize: .concurrentSessionInvalidDataSize
        case .tooLarge: .tooLarge
        case .incorrectOffset(let correct):
            .incorrectOffset(Files.UploadSessionOffsetError(correctOffset: UInt64(clamping: correct)))
        }
    }
}

/// The errors of routes that have a case for each error of a session.
protocol SessionRouteError {
    static var notFound: Self { get }
    static var closed: Self { get }
    static var concurrentSessionInvalidOffset: Self { get }
    static var concurrentSessionInvalidDataSize: Self { get }
    static var tooLarge: Self { get }
    static func incorrectOffset(_ error: Files.UploadSessionOffsetError) -> Self
}

extension Files.UploadSessionAppendError: SessionRouteError {}
extension Files.UploadSessionAppendBatchEntryError: SessionRouteError {}
extension Files.UploadSessionLookupError: SessionRouteError {}

extension BoxTables {
    /// The unit for the positions and sizes of parts in a concurrent session, except the size of the last part.
    private static let block = ContentHash.block

    func session(for part: SessionPart) throws -> UploadSession {
        guard let session = session(part.id) else { throw SessionProblem.notFound }
        guard session.isConcurrent else {
            guard !session.isClosed else { throw SessionProblem.closed }
            guard part.offset == UInt64(clamping: session.size) else {
                throw SessionProblem.incorrectOffset(correct: session.size)
            }
            guard session.size + Int64(part.count) <= limits.fileLimit else { throw SessionProblem.tooLarge }
            return session
        }
        guard part.offset % UInt64(Self.block) == 0 else { throw SessionProblem.invalidOffset }
        guard part.offset <= UInt64(clamping: limits.fileLimit - Int64(part.count)) else {
            throw SessionProblem.tooLarge
        }
        guard part.isLast || part.count % Self.block == 0 else { throw SessionProblem.invalidSize }
        try checkPlace(of: part, in: session)
        return session
    }

    /// Rejects a part that overlaps another part or follows the last one, but accepts the same part again.
    private func checkPlace(of part: SessionPart, in session: UploadSession) throws {
        let start = Int64(clamping: part.offset)
        let place: [SQLValue] = [.integer(session.blob), .integer(start), .integer(start + Int64(part.count))]
        let crossing = number(
            "SELECT EXISTS (SELECT 1 FROM pieces WHERE blob = ?1 AND start <> ?2 AND start < ?3 AND start + count > ?2)",
            place)
        guard crossing == 0 else { throw SessionProblem.invalidOffset }
        guard session.isClosed, part.count > 0 else { return }
        let later = number(
            "SELECT EXISTS (SELECT 1 FROM pieces WHERE blob = ?1 AND start >= ?2)", Array(place.prefix(2)))
        guard later != 0 else { throw SessionProblem.closed }
    }
}
