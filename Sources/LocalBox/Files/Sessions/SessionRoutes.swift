// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes that bring the bytes of an upload session.
struct SessionRoutes: Sendable {
    let store: BoxStore
    let quota: Int64
    let mostBytes: Int
    /// One part at a time goes into the files of sessions, so that two of the same session cannot mix.
    let turn = Turn()

    func start(
        _ argument: Files.UploadSessionStartArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionStartError>) -> Files.UploadSessionStartResult {
        guard let body = context.upload else { throw .refused(.broken) }
        let isConcurrent = argument.sessionType == .concurrent
        if isConcurrent && body.count > 0 { throw .route(.concurrentSessionDataNotAllowed) }
        if isConcurrent && argument.close { throw .route(.concurrentSessionCloseNotAllowed) }
        if body.count > mostBytes { throw .route(.payloadTooLarge) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        let session = try store.transaction { (tables) throws(BoxFailure<Files.UploadSessionStartError>) in
            let session = tables.makeSession(isConcurrent: isConcurrent)
            tables.grow(session, from: 0, by: Int64(body.count), isClosed: argument.close)
            return session
        }
        guard FileBytes.copy(body.path, into: store.blobs.path(of: session), at: 0) else { throw .refused(.broken) }
        return Files.UploadSessionStartResult(sessionID: session.id)
    }

    func append(
        _ argument: Files.UploadSessionAppendArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionAppendError>) {
        guard let body = context.upload else { throw .refused(.broken) }
        if body.count > mostBytes { throw .route(.payloadTooLarge) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        try turn.take { () throws(BoxFailure<Files.UploadSessionAppendError>) in
            try wrapping({ $0.append }) { () throws(BoxFailure<SessionProblem>) in
                try add(body, at: argument.cursor, isLast: argument.close)
            }
        }
    }

    func finish(
        _ argument: Files.UploadSessionFinishArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadSessionFinishError>) -> Files.FileMetadata {
        guard let body = context.upload else { throw .refused(.broken) }
        if body.count > mostBytes { throw .route(.payloadTooLarge) }
        if !body.has(argument.contentHash) { throw .route(.contentHashMismatch) }
        return try turn.take { () throws(BoxFailure<Files.UploadSessionFinishError>) in
            if body.count > 0 {
                try refuseConcurrent(argument.cursor.sessionID)
                let wrap = { (problem: SessionProblem) in Files.UploadSessionFinishError.lookupFailed(problem.lookup) }
                try wrapping(wrap) { () throws(BoxFailure<SessionProblem>) in
                    try add(body, at: argument.cursor, isLast: true)
                }
            }
            let end = argument.cursor.offset.addingReportingOverflow(UInt64(body.count)).partialValue
            return try commit(argument.cursor.sessionID, end: end, argument.commit, mustBeClosed: false)
        }
    }

    /// The last bytes of a concurrent session come by an append.
    private func refuseConcurrent(_ id: String) throws(BoxFailure<Files.UploadSessionFinishError>) {
        let session = try store.transaction { (tables) throws(BoxFailure<Files.UploadSessionFinishError>) in
            tables.session(id)
        }
        if session?.isConcurrent == true { throw .route(.concurrentSessionDataNotAllowed) }
    }

    /// Writes a part into the session's file, and then notes it.
    private func add(
        _ body: BodyFile, at cursor: Files.UploadSessionCursor, isLast: Bool
    ) throws(BoxFailure<SessionProblem>) {
        let count = Int64(body.count)
        let session = try store.transaction { (tables) throws(BoxFailure<SessionProblem>) in
            guard let session = tables.session(cursor.sessionID) else { throw .route(.notFound) }
            try session.check(offset: cursor.offset, count: count, isLast: isLast)
            return session
        }
        let start = Int(clamping: cursor.offset)
        guard FileBytes.copy(body.path, into: store.blobs.path(of: session), at: start) else {
            throw .refused(.broken)
        }
        try store.transaction { (tables) throws(BoxFailure<SessionProblem>) in
            tables.grow(session, from: Int64(start), by: count, isClosed: isLast)
        }
    }
}
