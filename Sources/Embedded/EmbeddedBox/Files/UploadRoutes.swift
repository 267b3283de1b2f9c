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

/// What is to be written as a file.
struct Commit: Sendable {
    let path: String
    let mode: Files.WriteMode
    let autorename: Bool
    let isStrict: Bool
    /// Seconds since 1970.
    let clientModified: Int64?

    init(_ argument: Files.UploadArg) {
        path = argument.path
        mode = argument.mode
        autorename = argument.autorename
        isStrict = argument.strictConflict
        clientModified = argument.clientModified?.wholeSeconds
    }

    init(_ info: Files.CommitInfo) {
        path = info.path
        mode = info.mode
        autorename = info.autorename
        isStrict = info.strictConflict
        clientModified = info.clientModified?.wholeSeconds
    }

    /// Writes a path without overwriting anything.
    init(adding path: String, autorename: Bool) {
        (self.path, self.autorename) = (path, autorename)
        (mode, isStrict, clientModified) = (.add, false, nil)
    }
}

/// Bytes that are there and have no name yet.
struct NewContent: Sendable {
    /// The number of the bytes.
    let blob: Int64
    let size: Int64
    let hash: String
}

extension BoxTables {
    /// Writes a file by the rules of its mode; what was there already stays as it is.
    func commit(_ commit: Commit, _ new: NewContent) throws(BoxFailure<Files.WriteError>) -> Entry {
        let path = try target(commit.path)
        try checkAncestors(of: path)
        let existing = entry(at: path.lower)
        if let existing, existing.content?.hash == new.hash, !commit.isStrict, commit.mode != .overwrite {
            return existing
        }
        let replaced = replaces(existing, commit) ? existing : nil
        let growth = new.size - (replaced?.content?.size ?? 0)
        guard growth <= 0 || facts.used + growth <= limits.quota else { throw .route(.insufficientSpace) }
        var place = path
        if let replaced {
            place = replaced.path
        } else {
            place = try free(path, beside: existing, autorename: commit.autorename)
        }
        makeParents(of: place)
        let content = Entry.Content(
            rev: newRev(), blob: new.blob, size: new.size, hash: new.hash,
            clientModified: commit.clientModified ?? clock.seconds, serverModified: clock.seconds)
        let entry = Entry(path: place, id: replaced?.id ?? newID(), content: content)
        put(entry, replacing: replaced)
        noteRevision(entry)
        return entry
    }

    /// Whether the mode writes over what is there.
    private func replaces(_ existing: Entry?, _ commit: Commit) -> Bool {
        guard let content = existing?.content else { return false }
        switch commit.mode {
        case .add: return false
        case .overwrite: return true
        case .update(let rev): return rev == content.rev
        }
    }
}
