// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

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
