// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
import RestSDK
public import StoneRuntime

extension DropboxClient {
    /// A download into a file, which appears when it is complete and its content hash is right; nothing is sent until
    /// somebody asks for its value.
    ///
    /// Where it breaks off or is paused it goes on from there, as long as the revision at Dropbox is the same; else it
    /// begins anew. It takes as long as it takes: only silence and a network that stays away end it.
    ///
    /// ```swift
    /// let file = try await box.download("/plan.pdf", to: "plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - path: where the file is to be.
    ///   - options: what may be done there, which part is wanted, and how patient it is.
    /// - Returns: the download; it fails with ``RestError/Code/contentHash`` when other content came than is there,
    ///   with ``RestError/Code/file`` when the file cannot be written, and with
    ///   ``RestError/Code/fileExists`` when it may not be.
    public func download(
        _ source: String, to path: String, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        ContentDownload(
            self.files.download(path: source), into: .file(path, options), options, identity: \.identity
        ) { file, _ in file }.transfer
    }

    /// A download into memory, like one into a file.
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - limit: how many bytes it may have at most.
    ///   - options: which part is wanted, and how patient it is.
    /// - Returns: the download; it fails with ``RestError/Code/tooLarge`` beyond the limit, before it is read where the
    ///   size is known.
    public func download(
        _ source: String, limit: Int, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<DownloadEndpoint<Files.FileMetadata, Files.DownloadError>.Content, Files.DownloadError> {
        ContentDownload(
            self.files.download(path: source), into: .memory(limit: limit), options, identity: \.identity
        ) { .init(value: $0, bytes: $1) }.transfer
    }
}

/// Downloads of every other route that gives content: files behind links, exports, thumbnails, folders as zip.
///
/// Nothing tells two of their answers to be of the same content, so that one that breaks off begins anew.
extension DownloadCall {
    /// A download into a file; see ``DropboxClient/download(_:to:_:)``.
    ///
    /// ```swift
    /// _ = try await box.sharing.getSharedLinkFile(url: link).download(to: "plan.pdf").value
    /// ```
    public func download(
        to path: String, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<Output, Failure> {
        ContentDownload(self, into: .file(path, options), options, identity: { _ in nil }) { output, _ in output }
            .transfer
    }

    /// A download into memory; see ``DropboxClient/download(_:limit:_:)``.
    public func download(
        limit: Int, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<DownloadEndpoint<Output, Failure>.Content, Failure> {
        ContentDownload(self, into: .memory(limit: limit), options, identity: { _ in nil }) {
            .init(value: $0, bytes: $1)
        }.transfer
    }
}

extension ContentTarget {
    fileprivate static func file(_ path: String, _ options: DownloadOptions) -> ContentTarget {
        .file(path: path, overwrites: options.overwrites, makesFolders: options.makesFolders)
    }
}

extension Files.FileMetadata {
    fileprivate var identity: ContentIdentity? {
        ContentIdentity(revision: rev, size: Int64(clamping: size), hash: contentHash)
    }
}
