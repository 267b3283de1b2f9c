// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The route that gives a folder as a zip file, which is made in memory.
struct ZipRoutes: Sendable {
    /// Dropbox allows 20 GB; what is made in memory is smaller.
    private static let mostBytes = 64 << 20
    private static let mostFiles = 10_000
    static let type = "application/zip"

    func download(
        _ argument: Files.DownloadZipArg, _ context: RouteContext
    ) throws(BoxFailure<Files.DownloadZipError>) -> (Files.DownloadZipResult, [UInt8]) {
        let (folder, family) = try context.store.transaction {
            (tables) throws(BoxFailure<Files.DownloadZipError>) -> (Entry, [(Entry, Content?)]) in
            let folder = try wrapping(Files.DownloadZipError.path) { () throws(BoxFailure<Files.LookupError>) in
                let entry = try tables.lookUp(argument.path)
                guard entry.isFolder else { throw .route(.notFolder) }
                return entry
            }
            let inner = tables.descendants(of: folder.path.lower)
            guard inner.count <= Self.mostFiles else { throw .route(.tooManyFiles) }
            guard inner.reduce(0, { $0 + ($1.content?.size ?? 0) }) <= Self.mostBytes else { throw .route(.tooLarge) }
            return (folder, ([folder] + inner).map { ($0, $0.content.map(tables.bytes)) })
        }
        var zip = Zip()
        let above = folder.path.parent.utf8.count + 1
        for (entry, content) in family {
            let name = String(decoding: entry.path.display.utf8.dropFirst(above), as: UTF8.self)
            guard let content else {
                zip.add(name + "/", [])
                continue
            }
            guard let bytes = content.bytes(0..<content.size) else { throw .refused(.broken) }
            zip.add(name, bytes)
        }
        return (Files.DownloadZipResult(metadata: folder.folder), zip.bytes)
    }
}
