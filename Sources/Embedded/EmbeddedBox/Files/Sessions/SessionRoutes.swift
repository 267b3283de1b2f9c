// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes that bring the bytes of an upload session.
///
/// A part is written and hashed while it comes, beside all others. The database then decides whether it belongs to the
/// session: of two parts for one place the second is refused.
struct SessionRoutes: Sendable {
    let jobs: JobBook

    func start(
        _ argument: Files.UploadSessionStartArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionStartError>) -> Files.UploadSessionStartResult {
        guard let body = context.upload else { throw .refused(.broken) }
        let isConcurrent = argument.sessionType == .concurrent
        if isConcurrent && body.count > 0 { throw .route(.concurrentSessionDataNotAllowed) }
        if isConcurrent && argument.close { throw .route(.concurrentSessionCloseNotAllowed) }
        if body.count > context.store.limits.body { throw .route(.payloadTooLarge) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        guard let piece = body.piece(at: 0) else { throw .refused(.broken) }
        let id = try context.store.transaction { (tables) throws(BoxFailure<Files.UploadSessionStartError>) in
            let session = tables.makeSession(isConcurrent: isConcurrent, closing: argument.close, piece)
            return session.id
        }
        body.keep()
        return Files.UploadSessionStartResult(sessionID: id)
    }

    func startBatch(
        _ argument: Files.UploadSessionStartBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Never>) -> Files.UploadSessionStartBatchResult {
        let ids = try context.store.transaction { (tables) throws(BoxFailure<Never>) in
            (0..<min(argument.numSessions, 1_000)).map { _ in
                tables.makeSession(isConcurrent: argument.sessionType == .concurrent, closing: false, nil).id
            }
        }
        return Files.UploadSessionStartBatchResult(sessionIDs: ids)
    }

    func append(
        _ argument: Files.UploadSessionAppendArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionAppendError>) {
        guard let body = context.upload else { throw .refused(.broken) }
        if body.count > context.store.limits.body { throw .route(.payloadTooLarge) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        let part = SessionPart(argument.cursor, body.count, isLast: argument.close)
        try wrapping({ $0.append }) { () throws(BoxFailure<SessionProblem>) in
            try context.store.add(body, as: part)
        }
    }

    /// The older form, which cannot close the session.
    func appendV1(
        _ cursor: Files.UploadSessionCursor, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionAppendError>) {
        try append(Files.UploadSessionAppendArg(cursor: cursor), context)
    }

    /// Takes the parts of many sessions, which stand behind each other in the body.
    func appendBatch(
        _ argument: Files.UploadSessionAppendBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionAppendBatchError>) -> Files.UploadSessionAppendBatchResult {
        guard let body = context.upload else { throw .refused(.broken) }
        if body.count > context.store.limits.body { throw .route(.payloadTooLarge) }
        let lengths = argument.entries.map { Int(clamping: min($0.length, UInt64(clamping: Int32.max))) }
        guard lengths.reduce(0, +) == body.count else { throw .route(.lengthMismatch) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        var (results, position): ([Files.UploadSessionAppendBatchResultEntry], Int) = ([], 0)
        for (entry, length) in zip(argument.entries, lengths) {
            let range = position..<position + length
            position += length
            let part = SessionPart(entry.cursor, length, isLast: entry.close)
            guard let own = body.part(range, start: Int(clamping: entry.cursor.offset)) else { throw .refused(.broken) }
            do throws(BoxFailure<SessionProblem>) {
                try context.store.add(own, as: part)
                results.append(.success)
            } catch {
                switch error {
                case .route(let problem): results.append(.failure(problem.entry))
                case .refused(let refusal): throw .refused(refusal)
                }
            }
        }
        return Files.UploadSessionAppendBatchResult(entries: results)
    }
}

extension SessionPart {
    init(_ cursor: Files.UploadSessionCursor, _ count: Int, isLast: Bool) {
        self.init(id: cursor.sessionID, offset: cursor.offset, count: count, isLast: isLast)
    }
}

extension BoxStore {
    /// Makes a body a part of a session.
    fileprivate func add(_ body: UploadBody, as part: SessionPart) throws(BoxFailure<SessionProblem>) {
        guard let piece = body.piece(at: Int(clamping: part.offset)) else { throw .refused(.broken) }
        try transaction { (tables) throws(BoxFailure<SessionProblem>) in
            let session = try tables.session(for: part)
            tables.grow(session, by: piece, isClosed: part.isLast)
        }
        body.keep()
    }
}

extension BoxTables {
    fileprivate func makeSession(isConcurrent: Bool, closing: Bool, _ piece: Piece?) -> UploadSession {
        let session = makeSession(isConcurrent: isConcurrent)
        if closing || piece?.count ?? 0 > 0 { grow(session, by: piece, isClosed: closing) }
        return session
    }
}
