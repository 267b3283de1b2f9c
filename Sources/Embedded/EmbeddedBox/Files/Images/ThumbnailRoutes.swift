// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestTransport

/// The routes that give images of files: plain ones, of a colour by the content and in the proportions of the image.
///
/// They are PNGs, whatever format is asked for.
struct ThumbnailRoutes: Sendable {
    private static let extensions: Set<String> = ["jpg", "jpeg", "png", "tiff", "tif", "gif", "webp", "ppm", "bmp"]
    private static let mostBytes = 20 << 20
    private static let mostOfBatch = 25
    static let type = "image/png"

    func thumbnail(
        _ argument: Files.ThumbnailArg, _ context: RouteContext
    ) throws(BoxFailure<Files.ThumbnailError>) -> (Files.FileMetadata, [UInt8]) {
        let (entry, content, bytes) = try context.store.transaction {
            (tables) throws(BoxFailure<Files.ThumbnailError>) in
            try wrapping(Files.ThumbnailError.path) { () throws(BoxFailure<Files.LookupError>) in
                let found = try tables.lookUpFile(argument.path)
                return (found.entry, found.content, tables.bytes(of: found.content))
            }
        }
        guard Self.extensions.contains(entry.path.fileExtension) else { throw .route(.unsupportedExtension) }
        guard content.size <= Self.mostBytes, content.size > 0 else { throw .route(.unsupportedImage) }
        guard let start = bytes.prefix(ImageSize.mostBytes) else { throw .refused(.broken) }
        let frame = argument.size.frame
        let size = (ImageSize(start) ?? frame).fitting(frame)
        guard size.width > 0, size.height > 0 else { throw .route(.conversionError) }
        guard let image = PlainImage.png(width: size.width, height: size.height, color: Self.color(content)) else {
            throw .refused(.broken)
        }
        return (entry.file(content), image)
    }

    private static func color(_ content: Entry.Content) -> [UInt8] {
        Array(content.hash.utf8.prefix(3)).map { $0 &* 5 }
    }

    func thumbnailV2(
        _ argument: Files.ThumbnailV2Arg, _ context: RouteContext
    ) throws(BoxFailure<Files.ThumbnailV2Error>) -> (Files.PreviewResult, [UInt8]) {
        guard case .path(let path) = argument.resource, context.caller.user != nil else {
            throw .route(.accessDenied)
        }
        let old = Files.ThumbnailArg(path: path, format: argument.format, size: argument.size, mode: argument.mode)
        let (file, image) = try wrapping(Self.newer) { () throws(BoxFailure<Files.ThumbnailError>) in
            try thumbnail(old, context)
        }
        return (Files.PreviewResult(fileMetadata: file), image)
    }

    private static func newer(_ problem: Files.ThumbnailError) -> Files.ThumbnailV2Error {
        switch problem {
        case .path(let error): .path(error)
        case .unsupportedExtension: .unsupportedExtension
        case .unsupportedImage: .unsupportedImage
        case .encryptedContent: .encryptedContent
        case .conversionError: .conversionError
        }
    }

    func batch(
        _ argument: Files.GetThumbnailBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Files.GetThumbnailBatchError>) -> Files.GetThumbnailBatchResult {
        guard argument.entries.count <= Self.mostOfBatch else { throw .route(.tooManyFiles) }
        var results: [Files.GetThumbnailBatchResultEntry] = []
        for entry in argument.entries {
            do throws(BoxFailure<Files.ThumbnailError>) {
                let (file, image) = try thumbnail(entry, context)
                results.append(
                    .success(Files.GetThumbnailBatchResultData(metadata: file, thumbnail: Base64.encode(image))))
            } catch {
                switch error {
                case .route(let problem): results.append(.failure(problem))
                case .refused(let refusal): throw .refused(refusal)
                }
            }
        }
        return Files.GetThumbnailBatchResult(entries: results)
    }

    /// The box makes no previews.
    func preview(
        _ argument: Files.PreviewArg, _ context: RouteContext
    ) throws(BoxFailure<Files.PreviewError>) -> (Files.FileMetadata, [UInt8]) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.PreviewError>) in
            _ = try wrapping(Files.PreviewError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUpFile(argument.path).entry
            }
        }
        throw .route(.unsupportedExtension)
    }

    /// The box has no files that exist only as what they are exported to.
    func export(
        _ argument: Files.ExportArg, _ context: RouteContext
    ) throws(BoxFailure<Files.ExportError>) -> (Files.ExportResult, [UInt8]) {
        try context.store.transaction { (tables) throws(BoxFailure<Files.ExportError>) in
            _ = try wrapping(Files.ExportError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUpFile(argument.path).entry
            }
        }
        throw .route(.nonExportable)
    }
}

extension Files.ThumbnailSize {
    /// In pixels.
    fileprivate var frame: ImageSize {
        switch self {
        case .w32h32: ImageSize(width: 32, height: 32)
        case .w64h64: ImageSize(width: 64, height: 64)
        case .w128h128: ImageSize(width: 128, height: 128)
        case .w256h256: ImageSize(width: 256, height: 256)
        case .w480h320: ImageSize(width: 480, height: 320)
        case .w640h480: ImageSize(width: 640, height: 480)
        case .w960h640: ImageSize(width: 960, height: 640)
        case .w1024h768: ImageSize(width: 1_024, height: 768)
        case .w2048h1536: ImageSize(width: 2_048, height: 1_536)
        }
    }
}
