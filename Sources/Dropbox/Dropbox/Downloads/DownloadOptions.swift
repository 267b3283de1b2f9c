// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import RestTransport

/// What a download may do where it goes, which part it takes, and how patient it is.
public struct DownloadOptions: Sendable, Hashable {
    /// Whether a file that is at the place is replaced.
    ///
    /// Without it the download fails with ``RestError/Code/fileExists``, also when the file appears while the download
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
