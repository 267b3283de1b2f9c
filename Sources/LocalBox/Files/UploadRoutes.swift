// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The route that writes a file in one request.
struct UploadRoutes: Sendable {
    let store: BoxStore
    let quota: Int64
    let mostBytes: Int

    func upload(
        _ argument: Files.UploadArg, _ context: RouteContext
    ) throws(BoxFailure<Files.UploadError>) -> Files.FileMetadata {
        guard let body = context.upload else { throw .refused(.broken) }
        guard body.count <= mostBytes else { throw .route(.payloadTooLarge) }
        guard let hash = ContentHash.of(body.path) else { throw .refused(.broken) }
        if let expected = argument.contentHash, expected != hash { throw .route(.contentHashMismatch) }
        let new = NewContent(file: body.path, size: Int64(body.count), hash: hash)
        let wrap = { Files.UploadError.path(Files.UploadWriteFailed(reason: $0, uploadSessionID: "")) }
        let entry = try store.transaction { (tables) throws(BoxFailure<Files.UploadError>) in
            try wrapping(wrap) { () throws(BoxFailure<Files.WriteError>) in
                try tables.commit(Commit(argument), new, store.blobs, quota: quota)
            }
        }
        guard let content = entry.content else { throw .refused(.broken) }
        return entry.file(content)
    }
}
