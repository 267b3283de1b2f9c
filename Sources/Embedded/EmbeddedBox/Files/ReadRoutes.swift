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
                try tables.described(tables.lookUp(argument.path), media: argument.wantsMedia)
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

extension StoneType {
    /// A member of the argument that the specs call deprecated.
    fileprivate func deprecated(_ name: String) -> JSONValue? {
        (try? json()).flatMap { try? JSONValue(parsing: $0) }?[name]
    }
}

extension Files.GetMetadataArg {
    fileprivate var wantsMedia: Bool { deprecated("include_media_info")?.bool ?? false }
}

extension Files.DownloadArg {
    fileprivate var wantedRevision: String? { deprecated("rev")?.string }
}

extension BoxTables {
    /// An entry as the API describes it, an image with its size if that is asked for.
    func described(_ entry: Entry, media: Bool) -> Files.Metadata {
        guard media, let content = entry.content,
            let start = bytes(of: content).prefix(ImageSize.mostBytes), let size = ImageSize(start)
        else { return entry.metadata }
        var file = entry.file(content)
        let dimensions = Files.Dimensions(height: UInt64(clamping: size.height), width: UInt64(clamping: size.width))
        file.mediaInfo = .metadata(.photo(Files.PhotoMetadata(dimensions: dimensions)))
        return .file(file)
    }
}
