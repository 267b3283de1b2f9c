// SPDX-License-Identifier: Apache-2.0

public import RestSDK

/// How uploads in sessions are made.
public struct UploadOptions: Sendable, Hashable {
    /// How many bytes one request brings at most: a multiple of 4 MiB from 4 to 148 MiB; another value is rounded down.
    public var chunkSize = 8 * 1024 * 1024
    /// How many requests are under way at a time.
    public var requestsAtOnce = 4
    /// How many bytes of content are in memory at a time; one chunk always is.
    public var memory = 32 * 1024 * 1024
    /// How often a request is sent again; each of them may be, since the server tells what it has already.
    public var retryPolicy = RetryPolicy.transfers

    /// The defaults: chunks of 8 MiB, four requests at a time, 32 MiB of memory.
    public init() {}
}
