// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The route that writes a file in one request.
struct UploadRoutes: Sendable {
    func upload(
        _ argument: Files.UploadArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadError>) -> Files.FileMetadata {
        let store = context.store
        guard let body = context.upload else { throw .refused(.broken) }
        guard body.count <= store.limits.body else { throw .route(.payloadTooLarge) }
        guard let piece = body.piece(at: 0),
            let hash = ContentHash.of([piece], size: Int64(piece.count), in: store.folder)
        else { throw .refused(.broken) }
        if let expected = argument.contentHash, expected != hash { throw .route(.contentHashMismatch) }
        let new = NewContent(blob: store.folder.makeNumber(), size: Int64(piece.count), hash: hash)
        let outcome = try store.transaction { (tables) throws(BoxFailure<Files.UploadError>) in
            tables.upload(Commit(argument), new, piece)
        }
        switch outcome {
        case .success(let entry):
            guard let content = entry.content else { throw .refused(.broken) }
            // What was there already is not written once more.
            if content.blob == new.blob { body.keep() }
            return entry.file(content)
        case .failure(.refused(let refusal)): throw .refused(refusal)
        case .failure(.route(let problem)):
            // The bytes stay, so that they can be written elsewhere.
            body.keep()
            let id = try store.transaction { (tables) throws(BoxFailure<Files.UploadError>) in
                let session = tables.makeSession(isConcurrent: false, blob: new.blob)
                tables.grow(session, by: piece, isClosed: true)
                return session.id
            }
            throw .route(.path(Files.UploadWriteFailed(reason: problem, uploadSessionID: id)))
        }
    }
}

extension BoxTables {
    /// Writes a file of one piece.
    func upload(_ commit: Commit, _ new: NewContent, _ piece: Piece) -> Result<Entry, BoxFailure<Files.WriteError>> {
        do throws(BoxFailure<Files.WriteError>) {
            let entry = try self.commit(commit, new)
            if entry.content?.blob == new.blob { add(piece, to: new.blob, isNew: true) }
            return .success(entry)
        } catch {
            return .failure(error)
        }
    }
}
