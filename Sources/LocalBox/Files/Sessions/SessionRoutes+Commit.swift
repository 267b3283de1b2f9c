// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

extension SessionRoutes {
    /// Makes a file of a session that ends at an offset.
    func commit(
        _ id: String, end: UInt64, _ info: Files.CommitInfo, mustBeClosed: Bool
    ) throws(BoxFailure<Files.UploadSessionFinishError>) -> Files.FileMetadata {
        let session = try store.transaction { (tables) throws(BoxFailure<Files.UploadSessionFinishError>) in
            try wholeSession(id, end: end, mustBeClosed: mustBeClosed, tables)
        }
        let path = store.blobs.path(of: session)
        guard let hash = ContentHash.of(path) else { throw .refused(.broken) }
        let new = NewContent(file: path, size: Int64(clamping: end), hash: hash)
        let entry = try store.transaction { (tables) throws(BoxFailure<Files.UploadSessionFinishError>) in
            try wrapping(Files.UploadSessionFinishError.path) { () throws(BoxFailure<Files.WriteError>) in
                let entry = try tables.commit(Commit(info), new, store.blobs, quota: quota)
                tables.removeSession(session)
                return entry
            }
        }
        // What was there already is not written once more.
        store.blobs.remove(path)
        guard let content = entry.content else { throw .refused(.broken) }
        return entry.file(content)
    }

    private func wholeSession(
        _ id: String, end: UInt64, mustBeClosed: Bool, _ tables: BoxTables
    ) throws(BoxFailure<Files.UploadSessionFinishError>) -> UploadSession {
        guard let session = tables.session(id) else { throw .route(.lookupFailed(.notFound)) }
        if session.isConcurrent {
            guard session.isClosed else { throw .route(.concurrentSessionNotClosed) }
            guard tables.isWhole(session, Int64(clamping: end)) else { throw .route(.concurrentSessionMissingData) }
            return session
        }
        guard end == UInt64(clamping: session.size) else {
            throw .route(.lookupFailed(SessionProblem.incorrectOffset(correct: session.size).lookup))
        }
        guard session.isClosed || !mustBeClosed else { throw .route(.lookupFailed(.notClosed)) }
        return session
    }

    func startBatch(
        _ argument: Files.UploadSessionStartBatchArg, _: RouteContext
    ) throws(BoxFailure<Never>) -> Files.UploadSessionStartBatchResult {
        let ids = try store.transaction { (tables) throws(BoxFailure<Never>) in
            (0..<min(argument.numSessions, 1_000)).map { _ in
                let session = tables.makeSession(isConcurrent: argument.sessionType == .concurrent)
                return session.id
            }
        }
        return Files.UploadSessionStartBatchResult(sessionIDs: ids)
    }

    /// Makes files of many sessions; each has its own result, in the order of the argument.
    func finishBatch(
        _ argument: Files.UploadSessionFinishBatchArg, _: RouteContext
    ) throws(BoxFailure<Never>) -> Files.UploadSessionFinishBatchResult {
        var results: [Files.UploadSessionFinishBatchResultEntry] = []
        for entry in argument.entries {
            do throws(BoxFailure<Files.UploadSessionFinishError>) {
                let file = try turn.take { () throws(BoxFailure<Files.UploadSessionFinishError>) in
                    try commit(entry.cursor.sessionID, end: entry.cursor.offset, entry.commit, mustBeClosed: true)
                }
                results.append(.success(file))
            } catch {
                switch error {
                case .route(let problem): results.append(.failure(problem))
                case .refused(let refusal): throw .refused(refusal)
                }
            }
        }
        return Files.UploadSessionFinishBatchResult(entries: results)
    }
}
