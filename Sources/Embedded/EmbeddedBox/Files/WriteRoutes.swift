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
