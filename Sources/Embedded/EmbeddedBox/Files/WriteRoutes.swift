// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

struct WriteRoutes: Sendable {
    func createFolder(_ argument: Files.CreateFolderArg, _ context: RouteContext) throws -> Files.CreateFolderResult {
        try context.store.transaction { tables in
            try wrapping(Files.CreateFolderError.path) {
                let made = try tables.createFolder(argument.path, autorename: argument.autorename)
                return Files.CreateFolderResult(metadata: made.folder)
            }
        }
    }

    func delete(_ argument: Files.DeleteArg, _ context: RouteContext) throws -> Files.DeleteResult {
        try context.store.transaction { tables in
            Files.DeleteResult(metadata: try tables.delete(argument).metadata)
        }
    }

    func relocate(
        _ argument: Files.RelocationArg, _ kind: Relocation, _ context: RouteContext
    ) throws -> Files.RelocationResult {
        try context.store.transaction { tables in
            let path = Files.RelocationPath(fromPath: argument.fromPath, toPath: argument.toPath)
            let entry = try tables.relocate(path, kind, autorename: argument.autorename)
            return Files.RelocationResult(metadata: entry.metadata)
        }
    }

    /// Deletes an entry with everything in it, and all of their revisions.
    func deletePermanently(_ argument: Files.DeleteArg, _ context: RouteContext) throws {
        try context.store.transaction { tables in
            let path = try? tables.target(argument.path)
            // An entry that is already deleted still has revisions.
            if let path, tables.entry(at: path.lower) == nil, tables.deletion(at: path.lower) != nil {
                for id in tables.revisionIDs(below: path.lower) { tables.removeRevisions(of: id) }
                return
            }
            let entry = try tables.delete(argument)
            for id in tables.revisionIDs(below: entry.path.lower) + [entry.id] { tables.removeRevisions(of: id) }
        }
    }
}

extension BoxTables {
    func createFolder(_ text: String, autorename: Bool) throws -> Entry {
        let path = try freePath(try target(text), autorename: autorename)
        makeParents(of: path)
        return makeDirectory(path)
    }

    /// Deletes an entry with everything in it, and returns the former entry.
    func delete(_ argument: Files.DeleteArg) throws -> Entry {
        let entry = try lookUp(argument.path, Files.DeleteError.pathLookup)
        if let rev = argument.parentRev, entry.content?.rev != rev {
            throw Files.DeleteError.pathWrite(.conflict(entry.isFolder ? .folder : .file))
        }
        if entry.isFolder { for inner in descendants(of: entry.path.lower) { remove(inner) } }
        remove(entry)
        return entry
    }
}

/// Whether the entry stays at its old path.
enum Relocation: Sendable {
    case move, copy
}

extension BoxTables {
    func relocate(_ path: Files.RelocationPath, _ kind: Relocation, autorename: Bool) throws -> Entry {
        let entry = try lookUp(path.fromPath, Files.RelocationError.fromLookup)
        let wanted = try wrapping(Files.RelocationError.to) { try target(path.toPath) }
        if wanted.isInside(entry.path) { throw Files.RelocationError.cantMoveFolderIntoItself }
        // A move to the same path may change only the case of a name.
        let isSame = wanted.meansSame(as: entry.path)
        let isExact = wanted.display.utf8.elementsEqual(entry.path.display.utf8)
        if isSame && (kind == .copy || isExact) && !autorename {
            throw Files.RelocationError.to(.conflict(entry.isFolder ? .folder : .file))
        }
        let place =
            isSame && kind == .move
            ? wanted
            : try wrapping(Files.RelocationError.to) { try freePath(wanted, autorename: autorename) }
        let family = [entry] + (entry.isFolder ? descendants(of: entry.path.lower) : [])
        let growth = kind == .copy ? family.reduce(0) { $0 + ($1.content?.size ?? 0) } : 0
        guard growth == 0 || facts.used + growth <= limits.quota else { throw Files.RelocationError.insufficientQuota }
        if kind == .move { for member in family { remove(member) } }
        makeParents(of: place)
        let placed = family.map { self.place($0, $0.path.moved(from: entry.path, to: place), kind) }
        return placed[0]
    }

    private func place(_ entry: Entry, _ path: BoxPath, _ kind: Relocation) -> Entry {
        var placed = entry
        placed.path = path
        if kind == .copy { placed.id = newID() }
        if placed.content != nil {
            placed.content?.rev = newRev()
            placed.content?.serverModified = clock.seconds
        }
        put(placed, replacing: nil)
        noteRevision(placed)
        return placed
    }
}

extension WriteRoutes {
    func upload(_ argument: Files.UploadArg, _ context: RouteContext) throws -> Files.FileMetadata {
        let store = context.store
        let body = try context.body(
            argument.contentHash, tooLarge: Files.UploadError.payloadTooLarge,
            mismatch: Files.UploadError.contentHashMismatch)
        do {
            return try store.write(body, Commit(argument))
        } catch let problem as Files.WriteError {
            // The content becomes a session, so it can be written to another path.
            let id = try store.transaction { tables in
                tables.makeSession(isConcurrent: false, closing: true, body.chunk(at: 0)).id
            }
            body.keep()
            throw Files.UploadError.path(Files.UploadWriteFailed(reason: problem, uploadSessionID: id))
        }
    }
}

extension BoxStore {
    func write(_ body: UploadBody, _ commit: Commit) throws -> Files.FileMetadata {
        let new = NewContent(blob: folder.makeNumber(), size: Int64(body.count), hash: body.contentHash)
        let (file, isNew) = try transaction { tables in
            let (entry, content) = try tables.commit(commit, new)
            let isNew = content.blob == new.blob
            if isNew { tables.add(body.chunk(at: 0), to: new.blob) }
            return (entry.file(content), isNew)
        }
        // Content that the file already had is not stored again.
        if isNew { body.keep() }
        return file
    }
}

/// A request to create a file.
struct Commit: Sendable {
    let path: String
    let mode: Files.WriteMode
    let autorename: Bool
    let isStrict: Bool
    /// Seconds since 1970.
    let clientModified: Int64?

    init(_ argument: Files.UploadArg) {
        (path, mode, autorename) = (argument.path, argument.mode, argument.autorename)
        (isStrict, clientModified) = (argument.strictConflict, argument.clientModified?.wholeSeconds)
    }

    init(_ info: Files.CommitInfo) {
        (path, mode, autorename) = (info.path, info.mode, info.autorename)
        (isStrict, clientModified) = (info.strictConflict, info.clientModified?.wholeSeconds)
    }
}

/// Stored content without a path.
struct NewContent: Sendable {
    let blob: Int64
    let size: Int64
    let hash: String
}

extension BoxTables {
    /// Writes a file by the rules of its write mode, unless the file is identical.
    func commit(_ commit: Commit, _ new: NewContent) throws -> (Entry, Entry.Content) {
        let path = try target(commit.path)
        try checkAncestors(of: path)
        let existing = entry(at: path.lower)
        if let existing, let content = existing.content, content.hash == new.hash, !commit.isStrict,
            commit.mode != .overwrite
        {
            return (existing, content)
        }
        let replaced = replaces(existing, commit) ? existing : nil
        let growth = new.size - (replaced?.content?.size ?? 0)
        guard growth <= 0 || facts.used + growth <= limits.quota else { throw Files.WriteError.insufficientSpace }
        let place = try replaced?.path ?? free(path, beside: existing, autorename: commit.autorename)
        makeParents(of: place)
        let content = Entry.Content(
            rev: newRev(), blob: new.blob, size: new.size, hash: new.hash,
            clientModified: commit.clientModified ?? clock.seconds, serverModified: clock.seconds)
        let entry = Entry(path: place, id: replaced?.id ?? newID(), content: content)
        put(entry, replacing: replaced)
        noteRevision(entry)
        return (entry, content)
    }

    private func replaces(_ existing: Entry?, _ commit: Commit) -> Bool {
        guard let content = existing?.content else { return false }
        switch commit.mode {
        case .add: return false
        case .overwrite: return true
        case .update(let rev): return rev == content.rev
        }
    }
}
