// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes that make and delete single entries.
struct WriteRoutes: Sendable {
    func createFolder(
        _ argument: Files.CreateFolderArg, _ context: RouteContext
    ) throws(BoxFailure<Files.CreateFolderError>) -> Files.CreateFolderResult {
        try context.store.transaction { (tables) throws(BoxFailure<Files.CreateFolderError>) in
            try wrapping(Files.CreateFolderError.path) { () throws(BoxFailure<Files.WriteError>) in
                let made = try tables.createFolder(argument.path, autorename: argument.autorename)
                return Files.CreateFolderResult(metadata: made.folder)
            }
        }
    }

    func delete(
        _ argument: Files.DeleteArg, _ context: RouteContext
    ) throws(BoxFailure<Files.DeleteError>) -> Files.DeleteResult {
        try context.store.transaction { (tables) throws(BoxFailure<Files.DeleteError>) in
            Files.DeleteResult(metadata: try tables.delete(argument).metadata)
        }
    }
}

extension WriteRoutes {
    /// Deletes an entry with all that is in it, and what it has been.
    func deletePermanently(
        _ argument: Files.DeleteArg, _ context: RouteContext
    ) throws(BoxFailure<Files.DeleteError>) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.DeleteError>) in
            let path = try? tables.target(argument.path)
            // Also what was deleted before.
            if let path, tables.entry(at: path.lower) == nil, tables.deletion(at: path.lower) != nil {
                for id in tables.revisionIDs(below: path.lower) { tables.removeRevisions(of: id) }
                return
            }
            let entry = try tables.delete(argument)
            for id in tables.revisionIDs(below: entry.path.lower) + [entry.id] { tables.removeRevisions(of: id) }
        }
    }

    func createFolderV1(
        _ argument: Files.CreateFolderArg, _ context: RouteContext
    ) throws(BoxFailure<Files.CreateFolderError>) -> Files.FolderMetadata {
        try createFolder(argument, context).metadata
    }

    func deleteV1(
        _ argument: Files.DeleteArg, _ context: RouteContext
    ) throws(BoxFailure<Files.DeleteError>) -> Files.Metadata {
        try delete(argument, context).metadata
    }
}

extension BoxTables {
    func createFolder(_ text: String, autorename: Bool) throws(BoxFailure<Files.WriteError>) -> Entry {
        let path = try freePath(try target(text), autorename: autorename)
        makeParents(of: path)
        return makeFolder(path)
    }

    /// Deletes an entry with all that is in it, and returns what it was.
    func delete(_ argument: Files.DeleteArg) throws(BoxFailure<Files.DeleteError>) -> Entry {
        let entry = try wrapping(Files.DeleteError.pathLookup) { () throws(BoxFailure<Files.LookupError>) in
            try lookUp(argument.path)
        }
        if let rev = argument.parentRev, entry.content?.rev != rev {
            throw .route(.pathWrite(.conflict(entry.isFolder ? .folder : .file)))
        }
        removeAll(entry)
        return entry
    }

    func removeAll(_ entry: Entry) {
        if entry.isFolder { for inner in descendants(of: entry.path.lower) { remove(inner) } }
        remove(entry)
    }
}

/// The routes that move and copy.
struct RelocationRoutes: Sendable {
    func move(
        _ argument: Files.RelocationArg, _ context: RouteContext
    ) throws(BoxFailure<Files.RelocationError>) -> Files.RelocationResult {
        try relocate(argument, .move, context)
    }

    func copy(
        _ argument: Files.RelocationArg, _ context: RouteContext
    ) throws(BoxFailure<Files.RelocationError>) -> Files.RelocationResult {
        try relocate(argument, .copy, context)
    }

    func moveV1(
        _ argument: Files.RelocationArg, _ context: RouteContext
    ) throws(BoxFailure<Files.RelocationError>) -> Files.Metadata {
        try relocate(argument, .move, context).metadata
    }

    func copyV1(
        _ argument: Files.RelocationArg, _ context: RouteContext
    ) throws(BoxFailure<Files.RelocationError>) -> Files.Metadata {
        try relocate(argument, .copy, context).metadata
    }

    private func relocate(
        _ argument: Files.RelocationArg, _ kind: Relocation, _ context: RouteContext
    ) throws(BoxFailure<Files.RelocationError>) -> Files.RelocationResult {
        try context.store.transaction { (tables) throws(BoxFailure<Files.RelocationError>) in
            let path = Files.RelocationPath(fromPath: argument.fromPath, toPath: argument.toPath)
            let entry = try tables.relocate(path, kind, autorename: argument.autorename)
            return Files.RelocationResult(metadata: entry.metadata)
        }
    }
}

/// What happens to the entry at its old place.
enum Relocation: Sendable {
    case move, copy
}

extension BoxTables {
    func relocate(
        _ path: Files.RelocationPath, _ kind: Relocation, autorename: Bool
    ) throws(BoxFailure<Files.RelocationError>) -> Entry {
        let entry = try wrapping(Files.RelocationError.fromLookup) { () throws(BoxFailure<Files.LookupError>) in
            try lookUp(path.fromPath)
        }
        let wanted = try wrapping(Files.RelocationError.to) { () throws(BoxFailure<Files.WriteError>) in
            try target(path.toPath)
        }
        if wanted.isInside(entry.path) { throw .route(.cantMoveFolderIntoItself) }
        // Only the case of a name may change where the entry stays.
        let isSame = wanted.meansSame(as: entry.path)
        let isExact = wanted.display.utf8.elementsEqual(entry.path.display.utf8)
        if isSame && (kind == .copy || isExact) && !autorename {
            throw .route(.to(.conflict(entry.isFolder ? .folder : .file)))
        }
        let place =
            isSame && kind == .move
            ? wanted
            : try wrapping(Files.RelocationError.to) { () throws(BoxFailure<Files.WriteError>) in
                try freePath(wanted, autorename: autorename)
            }
        let family = [entry] + (entry.isFolder ? descendants(of: entry.path.lower) : [])
        let growth = kind == .copy ? family.reduce(0) { $0 + ($1.content?.size ?? 0) } : 0
        guard growth == 0 || facts.used + growth <= limits.quota else { throw .route(.insufficientQuota) }
        if kind == .move { for member in family { remove(member) } }
        makeParents(of: place)
        let placed = family.map { self.place($0, $0.path.moved(from: entry.path, to: place), kind) }
        return placed[0]
    }

    /// Writes an entry at its new place.
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
