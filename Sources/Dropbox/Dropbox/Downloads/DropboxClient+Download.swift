// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
public import RestTransport
public import StoneRuntime

extension DropboxClient {
    /// Returns a download into a file, which appears when it is complete and its content hash is correct.
    ///
    /// Nothing is sent until the app reads the transfer's value or resumes it. After an interruption or a pause, the
    /// download continues if the revision at Dropbox is the same, and otherwise restarts. There is no total time limit:
    /// only silence or a missing network ends a download.
    ///
    /// ```swift
    /// let file = try await box.download("/plan.pdf", to: "plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - path: the destination path.
    ///   - options: the options of the download.
    /// - Returns: the download. It throws `RestError.Code.contentHash` if the received content is damaged,
    ///   `RestError.Code.file` if the file cannot be written, and `RestError.Code.fileExists` if it must not be
    ///   overwritten.
    public func download(
        _ source: String, to path: String, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        ContentDownload(
            self.files.download(path: source), into: .file(path, options), options, identity: \.identity
        ) { file, _ in file }.transfer
    }

    /// Returns a download into memory.
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - limit: the maximum number of bytes.
    ///   - options: the options of the download.
    /// - Returns: the download. It throws `RestError.Code.tooLarge` if the content exceeds the limit, before the
    ///   content is read if its size is known.
    public func download(
        _ source: String, limit: Int, _ options: DownloadOptions = DownloadOptions()
    ) -> Transfer<DownloadEndpoint<Files.FileMetadata, Files.DownloadError>.Content, Files.DownloadError> {
        ContentDownload(
            self.files.download(path: source), into: .memory(limit: limit), options, identity: \.identity
        ) { .init(value: $0, bytes: $1) }.transfer
    }
}

/// Downloads of other routes with content, such as files of shared links, exports, thumbnails and folders as zip.
///
/// Their responses do not identify the content, so an interrupted download restarts.
extension DownloadCall {
    /// Returns a download into a file (see ``DropboxClient/download(_:to:_:)``).
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

    /// Returns a download into memory (see ``DropboxClient/download(_:limit:_:)``).
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

/// The options of a download.
public struct DownloadOptions: Sendable, Hashable {
    /// Whether an existing file at the destination is replaced.
    ///
    /// If `false`, the download throws `RestError.Code.fileExists`, also if the file appears during the download. The
    /// file is unchanged.
    public var overwrites = true
    /// Whether missing directories of the destination are created instead of being an error.
    public var makesFolders = false
    /// Whether the received bytes are kept next to the destination if the download or its process ends early.
    ///
    /// A later download of the same revision to the same destination continues with them. They are in a hidden file,
    /// `.NAME.REVISION.part`, which only this user can read. The file is removed when the download is complete, is
    /// restarted, or has a wrong content hash. Only downloads of whole files can be kept.
    public var keepsPart = false
    /// The requested range of the content in bytes, or `nil` for the whole content.
    ///
    /// The content hash covers the whole content, so only the position and the size of a range are checked.
    public var range: HTTPRequest.ByteRange?
    /// The retries after temporary errors, whose `maximumAttempts` counts attempts in a row without new bytes.
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
    /// A policy for transfers, with eight attempts in a row without progress and waits that begin with half a second.
    ///
    /// It tolerates a network failure of half a minute.
    public static let transfers: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumAttempts = 8
        policy.transientScale = .milliseconds(500)
        return policy
    }()
}
