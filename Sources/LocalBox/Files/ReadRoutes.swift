// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes that read single entries.
struct ReadRoutes: Sendable {
    func metadata(
        _ argument: Files.GetMetadataArg, _ context: RouteContext
    ) throws(BoxFailure<Files.GetMetadataError>) -> Files.Metadata {
        guard !argument.path.isEmpty else {
            throw .refused(.badInput("files/get_metadata", "the root folder has no metadata"))
        }
        return try context.store.transaction { (tables) throws(BoxFailure<Files.GetMetadataError>) in
            if argument.includeDeleted, let path = BoxPath(argument.path), tables.entry(at: path.lower) == nil,
                let deletion = tables.deletion(at: path.lower)
            {
                return deletion.path.deletedMetadata
            }
            return try wrapping(Files.GetMetadataError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUp(argument.path).metadata
            }
        }
    }

    func download(
        _ argument: Files.DownloadArg, _ context: RouteContext
    ) throws(BoxFailure<Files.DownloadError>) -> (Files.FileMetadata, Content) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.DownloadError>) in
            try wrapping(Files.DownloadError.path) { () throws(BoxFailure<Files.LookupError>) in
                let found = try tables.lookUpFile(argument.path)
                return (found.entry.file(found.content), tables.bytes(of: found.content))
            }
        }
    }
}
