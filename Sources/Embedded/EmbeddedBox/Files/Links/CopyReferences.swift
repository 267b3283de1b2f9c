// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The routes that hand a file from one user to another, without the bytes going over the wire.
final class CopyReferences: Sendable {
    private struct Reference {
        let store: BoxStore
        let id: String
    }

    private let references = Mutex<[String: Reference]>([:])
    private static let most = 10_000
    /// About thirty years.
    private static let lifetime: Int64 = 30 * 365 * 24 * 60 * 60

    func get(
        _ argument: Files.GetCopyReferenceArg, _ context: RouteContext
    ) throws(BoxFailure<Files.GetCopyReferenceError>) -> Files.GetCopyReferenceResult {
        let store = context.store
        let entry = try store.transaction { (tables) throws(BoxFailure<Files.GetCopyReferenceError>) in
            try wrapping(Files.GetCopyReferenceError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUp(argument.path)
            }
        }
        let name = RandomText.make(24)
        references.withLock { references in
            if references.count >= Self.most { references.removeAll() }
            references[name] = Reference(store: store, id: entry.id)
        }
        return Files.GetCopyReferenceResult(
            metadata: entry.metadata, copyReference: name,
            expires: Date(seconds: store.clock.seconds + Self.lifetime))
    }

    func save(
        _ argument: Files.SaveCopyReferenceArg, _ context: RouteContext
    ) throws(BoxFailure<Files.SaveCopyReferenceError>) -> Files.SaveCopyReferenceResult {
        guard let reference = references.withLock({ $0[argument.copyReference] }) else {
            throw .route(.invalidCopyReference)
        }
        let family = try reference.store.transaction { (tables) throws(BoxFailure<Files.SaveCopyReferenceError>) in
            guard let entry = tables.entry(id: reference.id) else { throw .route(.notFound) }
            let inner = entry.isFolder ? tables.descendants(of: entry.path.lower) : []
            return ([entry] + inner).map { ($0, $0.content.map(tables.bytes)) }
        }
        return try context.store.copy(family, to: argument.path)
    }
}

extension BoxStore {
    /// Copies entries of any namespace, the first of which has all others in it.
    fileprivate func copy(
        _ family: [(Entry, Content?)], to path: String
    ) throws(BoxFailure<Files.SaveCopyReferenceError>) -> Files.SaveCopyReferenceResult {
        var bodies: [UploadBody] = []
        let members = try family.map { (entry, bytes) throws(BoxFailure<Files.SaveCopyReferenceError>) in
            guard let bytes else { return (entry, nil as Piece?) }
            guard let body = UploadBody(folder, copying: bytes), let piece = body.piece(at: 0) else {
                throw .refused(.broken)
            }
            bodies.append(body)
            return (entry, piece)
        }
        let result = try transaction { (tables) throws(BoxFailure<Files.SaveCopyReferenceError>) in
            try wrapping(Files.SaveCopyReferenceError.path) { () throws(BoxFailure<Files.WriteError>) in
                let place = try tables.freePath(try tables.target(path), autorename: false)
                var metadata: [Files.Metadata] = []
                for (entry, piece) in members {
                    let path = entry.path.moved(from: members[0].0.path, to: place)
                    metadata.append(try tables.copy(entry, piece, to: path))
                }
                return Files.SaveCopyReferenceResult(metadata: metadata[0])
            }
        }
        for body in bodies { body.keep() }
        return result
    }
}

extension BoxTables {
    fileprivate func copy(
        _ entry: Entry, _ piece: Piece?, to path: BoxPath
    ) throws(BoxFailure<Files.WriteError>) -> Files.Metadata {
        guard let piece, let content = entry.content else {
            makeParents(of: path)
            return makeFolder(path).metadata
        }
        let new = NewContent(blob: folder.makeNumber(), size: content.size, hash: content.hash)
        return try upload(Commit(adding: path.display, autorename: false), new, piece).get().metadata
    }
}
