// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

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

    /// The form of a preview that became the usual one.
    func metadataAlpha(
        _ argument: Files.AlphaGetMetadataArg, _ context: RouteContext
    ) throws(BoxFailure<Files.AlphaGetMetadataError>) -> Files.Metadata {
        let usual = Files.GetMetadataArg(path: argument.path, includeDeleted: argument.includeDeleted)
        do throws(BoxFailure<Files.GetMetadataError>) {
            return try metadata(usual, context)
        } catch {
            switch error {
            case .route(.path(let problem)): throw .route(.path(problem))
            case .refused(let refusal): throw .refused(refusal)
            }
        }
    }

    func download(
        _ argument: Files.DownloadArg, _ context: RouteContext
    ) throws(BoxFailure<Files.DownloadError>) -> (Files.FileMetadata, Content) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.DownloadError>) in
            try wrapping(Files.DownloadError.path) { () throws(BoxFailure<Files.LookupError>) in
                let found = try tables.lookUpFile(argument.wantedRevision.map { "rev:" + $0 } ?? argument.path)
                return (found.entry.file(found.content), tables.bytes(of: found.content))
            }
        }
    }
}

extension Files.DownloadArg {
    /// The member that the specs call deprecated.
    fileprivate var wantedRevision: String? {
        (try? json()).flatMap { try? JSONValue(parsing: $0) }?["rev"]?.string
    }
}
