// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
public import RestTransport
public import StoneRuntime

extension DropboxClient {
    /// Returns a download to a file, which appears after it is complete and its content hash is verified.
    ///
    /// No request is sent until you read ``Transfer/value`` or call ``Transfer/resume()``. After an interruption or a
    /// pause, the download continues if Dropbox still has the same revision, and otherwise starts over. The total time
    /// is not limited. A download fails only if no data arrives or the network stays unavailable.
    ///
    /// ```swift
    /// let file = try await box.download("/plan.pdf", to: "plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - path: the destination path.
    ///   - options: how to treat existing files and missing directories, the range, and the retry policy.
    /// - Returns: the download. It fails with `RestError.Code.contentHash` if the received content differs from the
    ///   file's, with `RestError.Code.file` if the file cannot be written, and with `RestError.Code.fileExists` if
    ///   an existing file must not be overwritten.
    public func download(
        _ source: String, to path: String, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        ContentDownload(
            self.files.download(path: source), into: .file(path, options), options, identity: \.identity
        ) { file, _ in file }.transfer
    }

    /// Returns a download to memory, like a download to a file.
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - limit: the maximum size, in bytes.
    ///   - options: the range and the retry policy.
    /// - Returns: the download. It fails with `RestError.Code.tooLarge` if the content exceeds `limit`, before
    ///   reading it if the size is known.
    public func download(
        _ source: String, limit: Int, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<DownloadEndpoint<Files.FileMetadata, Files.DownloadError>.Content, Files.DownloadError> {
        ContentDownload(
            self.files.download(path: source), into: .memory(limit: limit), options, identity: \.identity
        ) { .init(value: $0, bytes: $1) }.transfer
    }
}

/// Downloads of shared links, exports, thumbnails and zip files of directories.
///
/// Their responses do not identify the content, so an interrupted download starts over.
extension DownloadCall {
    /// Returns a download to a file, like ``DropboxClient/download(_:to:_:)``.
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

    /// Returns a download to memory, like ``DropboxClient/download(_:limit:_:)``.
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

/// The options of a download: existing files, missing directories, the range and the retry policy.
public struct DownloadOptions: Sendable, Hashable {
    /// Whether the download replaces an existing file.
    ///
    /// If `false`, the download fails with `RestError.Code.fileExists`, even if the file appears during the download.
    /// The existing file is not changed.
    public var overwrites = true
    /// Whether to create missing directories instead of failing.
    public var makesFolders = false
    /// Whether a partial file remains after the download fails or its process ends.
    ///
    /// A later download of the same revision to the same path continues with the partial file. It is a hidden file,
    /// `.NAME.REVISION.part`, that only this user can read. The file is removed after the download is complete, is
    /// restarted or turns out to be wrong. Downloads of a range have no partial file.
    public var keepsPart = false
    /// The range of the content, in bytes, or `nil` for the whole content.
    ///
    /// Dropbox's content hash is that of the whole, so only the offset and the size of a range are checked.
    public var range: HTTPRequest.ByteRange?
    /// The retry policy, whose `maximumAttempts` counts consecutive attempts without progress.
    public var retryPolicy = RetryPolicy.transfers

    /// Creates options.
    public init(
        overwrites: Bool = true, makesFolders: Bool = false, keepsPart: Bool = false,
        range: HTTPRequest.ByteRange? = nil, retryPolicy: RetryPolicy = .transfers
    ) {
        self.overwrites = overwrites
        self.makesFolders = makesFolders
        self.keepsPart = keepsPart
        self.range = range
        self.retryPolicy = retryPolicy
    }
}

extension RetryPolicy {
    /// The policy for transfers, which survives a network outage of about half a minute.
    ///
    /// It allows up to eight consecutive attempts without progress, with delays from 0.5 seconds.
    public static let transfers: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumAttempts = 8
        policy.transientScale = .milliseconds(500)
        return policy
    }()
}
