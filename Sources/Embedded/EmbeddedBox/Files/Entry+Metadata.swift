// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Entry {
    /// As the API describes it.
    var metadata: Files.Metadata {
        content.map { .file(file($0)) } ?? .folder(folder)
    }

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
    /// As the API describes a path whose entry is gone.
    var deletedMetadata: Files.Metadata {
        .deleted(Files.DeletedMetadata(name: name, pathLower: lower, pathDisplay: display))
    }
}
