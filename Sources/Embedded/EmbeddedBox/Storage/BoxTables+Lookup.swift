// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

extension BoxTables {
    /// The entry that an argument means; the root is none.
    func lookUp(_ text: String) throws(BoxFailure<Files.LookupError>) -> Entry {
        guard let reference = PathReference(text, namespace: namespace) else { throw .route(.malformedPath(text)) }
        let found: Entry? =
            switch reference {
            case .root: nil
            case .path(let path): entry(at: path.lower)
            case .id(let id): entry(id: id)
            case .revision(let rev): revision(rev)
            }
        guard let found else { throw .route(.notFound) }
        return found
    }

    /// The file that an argument means.
    func lookUpFile(_ text: String) throws(BoxFailure<Files.LookupError>) -> (entry: Entry, content: Entry.Content) {
        let entry = try lookUp(text)
        guard let content = entry.content else { throw .route(.notFile) }
        return (entry, content)
    }

    /// The path in lower case of the folder that an argument means; empty for the root.
    func lookUpFolder(_ text: String) throws(BoxFailure<Files.LookupError>) -> String {
        if case .root = PathReference(text, namespace: namespace) { return "" }
        let entry = try lookUp(text)
        guard entry.isFolder else { throw .route(.notFolder) }
        return entry.path.lower
    }

    /// The path that an argument asks to be written; an id means where its entry is.
    func target(_ text: String) throws(BoxFailure<Files.WriteError>) -> BoxPath {
        switch PathReference(text, namespace: namespace) {
        case .path(let path): return path
        case .id(let id):
            if let entry = entry(id: id) { return entry.path }
            throw .route(.malformedPath(text))
        case .root, .revision, nil: throw .route(.malformedPath(text))
        }
    }

    /// Where a new entry can be: at the path, or if that is taken and it may be renamed, beside it.
    func freePath(_ path: BoxPath, autorename: Bool) throws(BoxFailure<Files.WriteError>) -> BoxPath {
        try checkAncestors(of: path)
        return try free(path, beside: entry(at: path.lower), autorename: autorename)
    }

    /// The path, or if an entry has it and it may be renamed, one beside it.
    func free(
        _ path: BoxPath, beside other: Entry?, autorename: Bool
    ) throws(BoxFailure<Files.WriteError>) -> BoxPath {
        guard let other else { return path }
        guard autorename else { throw .route(.conflict(other.isFolder ? .folder : .file)) }
        var number = 1
        while entry(at: path.renamed(number).lower) != nil { number += 1 }
        return path.renamed(number)
    }

    /// Nothing can be inside of a file.
    func checkAncestors(of path: BoxPath) throws(BoxFailure<Files.WriteError>) {
        guard !hasFolder(path.parent) else { return }
        for folder in path.ancestors where entry(at: folder.lower)?.isFolder == false {
            throw .route(.conflict(.fileAncestor))
        }
    }
}
