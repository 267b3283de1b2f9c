// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

extension SessionRoutes {
    func finish(_ argument: Files.UploadSessionFinishArg, _ context: RouteContext) throws -> Files.FileMetadata {
        let body = try context.body(
            argument.contentHash, tooLarge: Files.UploadSessionFinishError.payloadTooLarge,
            mismatch: Files.UploadSessionFinishError.contentHashMismatch)
        let chunk = body.chunk(at: Int(clamping: argument.cursor.offset))
        let finishing = Finishing(argument, chunk.count > 0 ? chunk : nil, mustBeClosed: false)
        let file = try context.store.transaction { try $0.finish(finishing) }
        body.keep()
        return file
    }

    /// Creates files from many sessions, each with its own result, in the order of the argument.
    func finishBatch(
        _ argument: Files.UploadSessionFinishBatchArg, _ context: RouteContext
    ) throws -> Files.UploadSessionFinishBatchResult {
        let (store, finishings) = (context.store, argument.entries.map { Finishing($0, nil, mustBeClosed: true) })
        let results = try store.transaction { tables in
            var results: [Files.UploadSessionFinishBatchResultEntry] = []
            for finishing in finishings {
                do {
                    let isContended = store.ground.contention.takes(finishing.commit.path)
                    results.append(
                        isContended ? .failure(.tooManyWriteOperations) : .success(try tables.finish(finishing)))
                } catch let problem as Files.UploadSessionFinishError {
                    results.append(.failure(problem))
                }
            }
            return results
        }
        return Files.UploadSessionFinishBatchResult(entries: results)
    }
}

/// A request to create a file from a session.
struct Finishing: Sendable {
    let id: String
    let offset: UInt64
    /// The content of the last request.
    let chunk: Chunk?
    let commit: Commit
    let mustBeClosed: Bool

    init(_ argument: Files.UploadSessionFinishArg, _ chunk: Chunk?, mustBeClosed: Bool) {
        (id, offset) = (argument.cursor.sessionID, argument.cursor.offset)
        (self.chunk, self.mustBeClosed) = (chunk, mustBeClosed)
        commit = Commit(argument.commit)
    }

    /// Offsets are clamped, because no file is that large.
    var size: Int64 { Int64(clamping: min(offset, 1 << 60)) + Int64(chunk?.count ?? 0) }
}

extension BoxTables {
    fileprivate func finish(_ finishing: Finishing) throws -> Files.FileMetadata {
        let session = try wholeSession(finishing)
        let chunks = chunks(of: session.blob) + (finishing.chunk.map { [$0] } ?? [])
        if session.isConcurrent, !Self.areWhole(chunks, finishing.size) {
            throw Files.UploadSessionFinishError.concurrentSessionMissingData
        }
        guard let hash = ContentHash.of(chunks, in: folder) else { throw BoxRejection.broken }
        let new = NewContent(blob: session.blob, size: finishing.size, hash: hash)
        let (entry, content) = try wrapping(Files.UploadSessionFinishError.path) {
            try commit(finishing.commit, new)
        }
        removeSession(session)
        if let chunk = finishing.chunk { add(chunk, to: session.blob) }
        // An existing file with the same content keeps its content.
        if content.blob != session.blob { release(session.blob) }
        return entry.file(content)
    }

    private func wholeSession(_ finishing: Finishing) throws -> UploadSession {
        guard let session = session(finishing.id) else { throw Files.UploadSessionFinishError.lookupFailed(.notFound) }
        guard !session.isConcurrent else {
            if finishing.chunk != nil { throw Files.UploadSessionFinishError.concurrentSessionDataNotAllowed }
            guard session.isClosed else { throw Files.UploadSessionFinishError.concurrentSessionNotClosed }
            return session
        }
        guard finishing.offset == UInt64(clamping: session.size) else {
            let problem: Files.UploadSessionLookupError = SessionProblem.incorrectOffset(correct: session.size).wire()
            throw Files.UploadSessionFinishError.lookupFailed(problem)
        }
        if session.isClosed && finishing.chunk != nil { throw Files.UploadSessionFinishError.lookupFailed(.closed) }
        guard session.isClosed || !finishing.mustBeClosed else {
            throw Files.UploadSessionFinishError.lookupFailed(.notClosed)
        }
        guard finishing.size <= limits.fileLimit else { throw Files.UploadSessionFinishError.lookupFailed(.tooLarge) }
        return session
    }

    private static func areWhole(_ chunks: [Chunk], _ size: Int64) -> Bool {
        var end = 0
        for chunk in chunks {
            guard chunk.start == end else { return false }
            end = chunk.end
        }
        return Int64(end) == size
    }
}
