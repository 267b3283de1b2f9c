// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
public import RestTransport
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
    /// - Returns: the download; it fails with `RestError.Code.contentHash` when other content came than is there,
    ///   with `RestError.Code.file` when the file cannot be written, and with
    ///   `RestError.Code.fileExists` when it may not be.
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
    /// - Returns: the download; it fails with `RestError.Code.tooLarge` beyond the limit, before it is read where the
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

/// What a download may do where it goes, which part it takes, and how patient it is.
public struct DownloadOptions: Sendable, Hashable {
    /// Whether a file that is at the place is replaced.
    ///
    /// Without it the download fails with `RestError.Code.fileExists`, also when the file appears while the download
    /// runs; the file stays as it is.
    public var overwrites = true
    /// Whether missing folders of the place are made; without it they are an error.
    public var makesFolders = false
    /// Whether what came stays beside the place when the download ends early, even with its process, so that a later
    /// download of the same revision to the same place goes on from there.
    ///
    /// It is a hidden file, `.NAME.REVISION.part`, which this user alone can read; it goes when the download is
    /// complete, is restarted, or turns out to be wrong. Only downloads of whole files have it.
    public var keepsPart = false
    /// The part of the content that is wanted, in bytes; `nil` for all of it.
    ///
    /// The content hash is that of the whole, so that of a part only the place and the amount are checked.
    public var range: HTTPRequest.ByteRange?
    /// How patiently it goes on after failures that pass; its `maximumAttempts` counts those in a row that brought
    /// nothing.
    public var retryPolicy = RetryPolicy.transfers

    /// Makes options.
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
    /// For transfers, which may wait out a network that is away for half a minute: eight attempts in a row without
    /// progress, with waits from half a second on.
    public static let transfers: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumAttempts = 8
        policy.transientScale = .milliseconds(500)
        return policy
    }()
}
