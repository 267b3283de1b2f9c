// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer

/// The routes about the tags that a user gives to entries.
struct TagRoutes: Sendable {
    private static let mostTags = 20

    func add(_ argument: Files.AddTagArg, _ context: RouteContext) throws(BoxFailure<Files.AddTagError>) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.AddTagError>) in
            let entry = try wrapping(Files.AddTagError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUp(argument.path)
            }
            guard tables.tags(of: entry).count < Self.mostTags else { throw .route(.tooManyTags) }
            tables.run(
                "INSERT OR IGNORE INTO tags VALUES (?, ?)", [.text(entry.id), .text(argument.tagText.lowercased())])
        }
    }

    func remove(_ argument: Files.RemoveTagArg, _ context: RouteContext) throws(BoxFailure<Files.RemoveTagError>) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.RemoveTagError>) in
            let entry = try wrapping(Files.RemoveTagError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUp(argument.path)
            }
            let tag = argument.tagText.lowercased()
            guard tables.tags(of: entry).contains(tag) else { throw .route(.tagNotPresent) }
            tables.run("DELETE FROM tags WHERE id = ? AND tag = ?", [.text(entry.id), .text(tag)])
        }
    }

    func list(
        _ argument: Files.GetTagsArg, _ context: RouteContext
    ) throws(BoxFailure<Files.BaseTagError>) -> Files.GetTagsResult {
        try context.store.transaction { (tables) throws(BoxFailure<Files.BaseTagError>) in
            var paths: [Files.PathToTags] = []
            for path in argument.paths {
                let entry = try wrapping(Files.BaseTagError.path) { () throws(BoxFailure<Files.LookupError>) in
                    try tables.lookUp(path)
                }
                let tags = tables.tags(of: entry).map {
                    Files.Tag.userGeneratedTag(Files.UserGeneratedTag(tagText: $0))
                }
                paths.append(Files.PathToTags(path: path, tags: tags))
            }
            return Files.GetTagsResult(pathsToTags: paths)
        }
    }
}

extension BoxTables {
    fileprivate func tags(of entry: Entry) -> [String] {
        rows("SELECT tag FROM tags WHERE id = ? ORDER BY tag", [.text(entry.id)]) { $0.text(0) }
    }
}
