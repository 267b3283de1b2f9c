// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ReadRoutes: Sendable {
    func metadata(_ argument: Files.GetMetadataArg, _ context: RouteContext) throws -> Files.Metadata {
        guard !argument.path.isEmpty else {
            throw BoxRejection.badInput("files/get_metadata", "the root folder has no metadata")
        }
        return try context.store.transaction { tables in
            if argument.includeDeleted, let path = BoxPath(argument.path), tables.entry(at: path.lower) == nil,
                let deletion = tables.deletion(at: path.lower)
            {
                return deletion.path.deletedMetadata
            }
            return try tables.lookUp(argument.path, Files.GetMetadataError.path).metadata
        }
    }

    func download(_ argument: Files.DownloadArg, _ context: RouteContext) throws -> (Files.FileMetadata, Content) {
        try context.store.transaction { tables in
            // The member is deprecated in the specs, so Swift code cannot read it without a warning.
            let revision = (try? argument.json()).flatMap { try? JSONValue(parsing: $0) }?["rev"]?.string
            return try tables.lookUpFile(revision.map { "rev:" + $0 } ?? argument.path, Files.DownloadError.path)
        }
    }

    func revisions(_ argument: Files.ListRevisionsArg, _ context: RouteContext) throws -> Files.ListRevisionsResult {
        try context.store.transaction { tables in
            if let rev = argument.beforeRev, tables.revision(rev) == nil {
                throw Files.ListRevisionsError.invalidBeforeRev
            }
            let limit = Int(clamping: argument.limit)
            let (key, value) = try Self.key(argument, tables)
            let path = key == .path ? value : tables.entry(id: value)?.path.lower ?? ""
            if tables.entry(at: path)?.isFolder == true { throw Files.ListRevisionsError.path(.notFile) }
            var found = tables.revisions(of: key, value, before: argument.beforeRev, limit: limit + 1)
            guard !found.isEmpty || argument.beforeRev != nil else { throw Files.ListRevisionsError.path(.notFound) }
            let hasMore = found.count > limit
            if hasMore { found.removeLast() }
            let deletion = tables.entry(at: path) == nil ? tables.deletion(at: path) : nil
            return Files.ListRevisionsResult(
                isDeleted: deletion != nil, entries: found.compactMap { entry in entry.content.map(entry.file) },
                hasMore: hasMore, serverDeleted: deletion.map { Date(seconds: $0.seconds) })
        }
    }

    /// Returns the key of the revisions: the path, which may be deleted, or the ID of the file.
    private static func key(
        _ argument: Files.ListRevisionsArg, _ tables: BoxTables
    ) throws -> (RevisionKey, String) {
        if argument.mode == .path, case .path(let path) = PathReference(argument.path, namespace: tables.namespace) {
            return (.path, path.lower)
        }
        let entry = try tables.lookUp(argument.path, Files.ListRevisionsError.path)
        return argument.mode == .id ? (.id, entry.id) : (.path, entry.path.lower)
    }

    func restore(_ argument: Files.RestoreArg, _ context: RouteContext) throws -> Files.FileMetadata {
        try context.store.transaction { tables in
            let path = try wrapping(Files.RestoreError.pathWrite) {
                let path = try tables.target(argument.path)
                try tables.checkAncestors(of: path)
                if tables.entry(at: path.lower)?.isFolder == true { throw Files.WriteError.conflict(.folder) }
                return path
            }
            guard !tables.revisions(of: .path, path.lower, before: nil, limit: 1).isEmpty else {
                throw Files.RestoreError.pathLookup(.notFound)
            }
            guard let old = tables.revision(argument.rev), var content = old.content else {
                throw Files.RestoreError.invalidRevision
            }
            let existing = tables.entry(at: path.lower)
            tables.makeParents(of: path)
            content.rev = tables.newRev()
            content.serverModified = tables.clock.seconds
            let id = existing?.id ?? (tables.entry(id: old.id) == nil ? old.id : tables.newID())
            let entry = Entry(path: existing?.path ?? path, id: id, content: content)
            tables.put(entry, replacing: existing)
            tables.noteRevision(entry)
            return entry.file(content)
        }
    }
}

extension Entry {
    var metadata: Files.Metadata { content.map { .file(file($0)) } ?? .folder(folder) }

    func file(_ content: Content) -> Files.FileMetadata {
        Files.FileMetadata(
            name: path.name, id: id, clientModified: Date(seconds: content.clientModified),
            serverModified: Date(seconds: content.serverModified), rev: content.rev,
            size: UInt64(clamping: content.size),
            pathLower: path.lower, pathDisplay: path.display, contentHash: content.hash)
    }

    var folder: Files.FolderMetadata {
        Files.FolderMetadata(name: path.name, id: id, pathLower: path.lower, pathDisplay: path.display)
    }
}

extension BoxPath {
    var deletedMetadata: Files.Metadata {
        .deleted(Files.DeletedMetadata(name: name, pathLower: lower, pathDisplay: display))
    }
}
