// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

extension SessionRoutes {
    func finish(
        _ argument: Files.UploadSessionFinishArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionFinishError>) -> Files.FileMetadata {
        guard let body = context.upload else { throw .refused(.broken) }
        if body.count > context.store.limits.body { throw .route(.payloadTooLarge) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        guard let piece = body.piece(at: Int(clamping: argument.cursor.offset)) else { throw .refused(.broken) }
        let finishing = Finishing(argument, piece.count > 0 ? piece : nil, mustBeClosed: false)
        let hashes: [String: String] = try wrapping({ (problem: Never) -> Files.UploadSessionFinishError in problem }) {
            () throws(BoxFailure<Never>) in
            try context.store.hashes(of: [finishing])
        }
        let file = try context.store.transaction { (tables) throws(BoxFailure<Files.UploadSessionFinishError>) in
            try tables.finish(finishing, hashes)
        }
        body.keep()
        return file
    }

    /// Makes files of many sessions; each has its own result, in the order of the argument.
    func finishBatch(
        _ argument: Files.UploadSessionFinishBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Never>) -> Files.UploadSessionFinishBatchResult {
        let (store, finishings) = (context.store, argument.entries.map { Finishing($0, nil, mustBeClosed: true) })
        let hashes = try store.hashes(of: finishings)
        let results = try store.transaction { (tables) throws(BoxFailure<Never>) in
            var results: [Files.UploadSessionFinishBatchResultEntry] = []
            for finishing in finishings {
                do throws(BoxFailure<Files.UploadSessionFinishError>) {
                    if store.contention.takes(finishing.commit.path) { throw .route(.tooManyWriteOperations) }
                    results.append(.success(try tables.finish(finishing, hashes)))
                } catch {
                    results.append(.failure(try error.routeError()))
                }
            }
            return results
        }
        return Files.UploadSessionFinishBatchResult(entries: results)
    }
}

/// A session that becomes a file.
struct Finishing: Sendable {
    let id: String
    let offset: UInt64
    /// The bytes that come with the end.
    let piece: Piece?
    let commit: Commit
    let mustBeClosed: Bool

    init(_ argument: Files.UploadSessionFinishArg, _ piece: Piece?, mustBeClosed: Bool) {
        (id, offset) = (argument.cursor.sessionID, argument.cursor.offset)
        (self.piece, self.mustBeClosed) = (piece, mustBeClosed)
        commit = Commit(argument.commit)
    }

    /// No file is as large as the largest offset that counts.
    var size: Int64 { Int64(clamping: min(offset, 1 << 60)) + Int64(piece?.count ?? 0) }
}

extension BoxStore {
    /// The content hashes of sessions for which bytes have to be read, so that nobody waits meanwhile.
    fileprivate func hashes(of finishings: [Finishing]) throws(BoxFailure<Never>) -> [String: String] {
        let unknown = try transaction { (tables) throws(BoxFailure<Never>) in
            finishings.compactMap { finishing -> (Finishing, [Piece])? in
                guard let session = tables.session(finishing.id), finishing.isWhole(session) else { return nil }
                let pieces = tables.pieces(of: session.blob) + (finishing.piece.map { [$0] } ?? [])
                return ContentHash.isKnown(pieces, size: finishing.size) ? nil : (finishing, pieces)
            }
        }
        var hashes: [String: String] = [:]
        for (finishing, pieces) in unknown {
            hashes[finishing.id] = ContentHash.of(pieces, size: finishing.size, in: folder)
        }
        return hashes
    }
}

extension Finishing {
    /// Whether the session seems to have all bytes before the last ones.
    fileprivate func isWhole(_ session: UploadSession) -> Bool {
        session.isConcurrent || offset == UInt64(clamping: session.size)
    }
}

extension BoxTables {
    /// Makes a file of a session.
    fileprivate func finish(
        _ finishing: Finishing, _ hashes: [String: String]
    ) throws(BoxFailure<Files.UploadSessionFinishError>) -> Files.FileMetadata {
        let session = try wholeSession(finishing)
        let pieces = pieces(of: session.blob) + (finishing.piece.map { [$0] } ?? [])
        if session.isConcurrent, !Self.areWhole(pieces, finishing.size) {
            throw .route(.concurrentSessionMissingData)
        }
        let known = ContentHash.isKnown(pieces, size: finishing.size)
        let hash = known ? ContentHash.of(pieces, size: finishing.size, in: folder) : hashes[finishing.id]
        guard let hash else { throw .refused(.broken) }
        let new = NewContent(blob: session.blob, size: finishing.size, hash: hash)
        let entry = try wrapping(Files.UploadSessionFinishError.path) { () throws(BoxFailure<Files.WriteError>) in
            try commit(finishing.commit, new)
        }
        removeSession(session)
        if let piece = finishing.piece { add(piece, to: session.blob, isNew: true) }
        guard let content = entry.content else { throw .refused(.broken) }
        // What was there already is not written once more.
        if content.blob != session.blob { release(session.blob) }
        return entry.file(content)
    }

    private func wholeSession(
        _ finishing: Finishing
    ) throws(BoxFailure<Files.UploadSessionFinishError>) -> UploadSession {
        guard let session = session(finishing.id) else { throw .route(.lookupFailed(.notFound)) }
        guard !session.isConcurrent else {
            if finishing.piece != nil { throw .route(.concurrentSessionDataNotAllowed) }
            guard session.isClosed else { throw .route(.concurrentSessionNotClosed) }
            return session
        }
        guard finishing.offset == UInt64(clamping: session.size) else {
            throw .route(.lookupFailed(SessionProblem.incorrectOffset(correct: session.size).wire()))
        }
        if session.isClosed && finishing.piece != nil { throw .route(.lookupFailed(.closed)) }
        guard session.isClosed || !finishing.mustBeClosed else { throw .route(.lookupFailed(.notClosed)) }
        guard finishing.size <= limits.file else { throw .route(.lookupFailed(.tooLarge)) }
        return session
    }

    /// Whether pieces make up so many bytes without a gap.
    private static func areWhole(_ pieces: [Piece], _ size: Int64) -> Bool {
        var end = 0
        for piece in pieces {
            guard piece.start == end else { return false }
            end = piece.end
        }
        return Int64(end) == size
    }
}
