// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
public import RestTransport

extension DropboxClient {
    /// Returns an upload of any size, which starts when you ask for its value or resume it.
    ///
    /// Content of at most one chunk is sent in one request. Longer content is sent in parts, so that a pause, a broken
    /// connection or, with a journal, the end of the process does not lose the parts sent. Every request has the
    /// content hash of its bytes, and the hash of the whole is verified at the end.
    ///
    /// ```swift
    /// let file = try await box.upload(.file(path: "plan.pdf"), to: "/plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - content: the content. A restart sends it again from the beginning.
    ///   - path: the destination path in Dropbox.
    ///   - mode: how to handle an existing file.
    ///   - options: the options for sending parts.
    ///   - journal: a journal with which another process can continue the upload.
    /// - Returns: the upload. It fails with `RestError.Code.contentHash` if Dropbox stored other content than was
    ///   sent.
    public func upload(
        _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add, options: UploadOptions = UploadOptions(),
        journal: UploadJournal? = nil
    ) -> Transfer<Files.FileMetadata, Files.UploadError> {
        upload(content, Files.CommitInfo(path: path, mode: mode), options: options, journal: journal)
    }

    /// Returns an upload with all options for the file at the destination.
    ///
    /// - Parameters:
    ///   - content: the content. A restart sends it again from the beginning.
    ///   - commit: the destination path in Dropbox, and how to handle an existing file.
    ///   - options: the options for sending parts.
    ///   - journal: a journal with which another process can continue the upload.
    /// - Returns: the upload. It fails with `RestError.Code.contentHash` if Dropbox stored other content than was
    ///   sent.
    public func upload(
        _ content: HTTPBody, _ commit: Files.CommitInfo, options: UploadOptions = UploadOptions(),
        journal: UploadJournal? = nil
    ) -> Transfer<Files.FileMetadata, Files.UploadError> {
        let work = UploadWork(self, [UploadFile(content, commit)], options, journal)
        return Transfer { attempt in
            do throws(CallError<Files.UploadError>) {
                let short = try self.short(content, options.limits.chunk)
                if journal == nil, let short { return .success(try await send(short, commit, options, attempt)) }
                guard let result = await work.run(attempt)?.first else {
                    throw .rest(RestError(.cancelled, "the upload was interrupted"))
                }
                return result.value.mapError { $0.ofUpload }
            } catch {
                return .failure(error)
            }
        }
    }

    /// Returns content if its size is known and fits into one request.
    private func short(_ body: HTTPBody, _ limit: Int64) throws(CallError<Files.UploadError>) -> UploadContent? {
        do throws(RestError) {
            let content = try UploadContent(body)
            return content.size.map { $0 <= limit } ?? false ? content : nil
        } catch {
            throw .rest(error)
        }
    }

    private func send(
        _ content: UploadContent, _ commit: Files.CommitInfo, _ options: UploadOptions, _ attempt: TransferAttempt
    ) async throws(CallError<Files.UploadError>) -> Files.FileMetadata {
        let whole: UploadPart
        do throws(RestError) { whole = try await content.part(from: 0, count: Int(content.size ?? 0)) } catch {
            throw .rest(error)
        }
        let argument = Files.UploadArg(
            path: commit.path, mode: commit.mode, autorename: commit.autorename, clientModified: commit.clientModified,
            mute: commit.mute, propertyGroups: commit.propertyGroups, strictConflict: commit.strictConflict,
            contentHash: whole.hash)
        // Repeating the same content at the same path causes no conflict, unless the caller asks for conflicts or
        // renaming.
        let routes = uploading(options, isRepeatable: !commit.autorename && !commit.strictConflict)
        let file = try await routes.upload(body: whole.body, argument).reportingProgress(to: attempt.report).value
        guard let sent = whole.hash, let stored = file.contentHash, sent != stored else { return file }
        throw .rest(
            RestError(
                .contentHash, "\(argument.path) has the content hash \(stored) at Dropbox, and \(sent) was sent",
                outcome: .applied))
    }
}

extension CallError<Files.UploadSessionFinishError> {
    fileprivate var ofUpload: CallError<Files.UploadError> {
        guard case .route(let failure, let rest) = self else { return .rest(self.rest) }
        switch failure {
        case .path(let reason): return .route(.path(Files.UploadWriteFailed(reason: reason, uploadSessionID: "")), rest)
        case .propertiesError(let error): return .route(.propertiesError(error), rest)
        case .payloadTooLarge: return .route(.payloadTooLarge, rest)
        case .contentHashMismatch: return .route(.contentHashMismatch, rest)
        case .encryptionNotSupported: return .route(.encryptionNotSupported, rest)
        case .other(let tag): return .route(.other(tag), rest)
        case .tooManyWriteOperations:
            return .route(.path(Files.UploadWriteFailed(reason: .tooManyWriteOperations, uploadSessionID: "")), rest)
        case .lookupFailed, .tooManySharedFolderTargets, .concurrentSessionDataNotAllowed,
            .concurrentSessionNotClosed, .concurrentSessionMissingData:
            return .rest(rest)
        }
    }
}

/// A file to upload.
public struct UploadFile: Sendable, Identifiable {
    /// The file's id, unique in its batch and, with a journal, constant between runs.
    public let id: String
    /// The content, which a journal can continue only if it is bytes or a file.
    public var content: HTTPBody
    /// The destination path in Dropbox, and how to handle an existing file.
    public var commit: Files.CommitInfo

    /// Creates a file to upload.
    ///
    /// - Parameters:
    ///   - id: a unique id, or `nil` for the path in Dropbox.
    ///   - content: the content.
    ///   - commit: the destination path in Dropbox, and how to handle an existing file.
    public init(id: String? = nil, _ content: HTTPBody, _ commit: Files.CommitInfo) {
        self.id = id ?? commit.path
        self.content = content
        self.commit = commit
    }

    /// Creates a file to upload from its destination path.
    ///
    /// - Parameters:
    ///   - id: a unique id, or `nil` for the path in Dropbox.
    ///   - content: the content.
    ///   - path: the destination path.
    ///   - mode: how to handle an existing file.
    public init(id: String? = nil, _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add) {
        self.init(id: id, content, Files.CommitInfo(path: path, mode: mode))
    }
}

/// The result of uploading one file of a batch.
public struct UploadResult: Sendable, Identifiable {
    /// The file at Dropbox, or the error.
    public typealias Value = Result<Files.FileMetadata, CallError<Files.UploadSessionFinishError>>

    /// The id of the file.
    public let id: String
    /// The file at Dropbox, or the error.
    ///
    /// If a file was not tried because the batch was cancelled or failed, it has the error of the batch. The `outcome`
    /// of the error reports whether the file may be at Dropbox.
    public let value: Value

    /// Creates a result.
    public init(id: String, value: Value) {
        self.id = id
        self.value = value
    }
}

/// The options of uploads in sessions.
public struct UploadOptions: Sendable, Hashable {
    /// The maximum size of one request's content, in bytes: a multiple of 4 MiB from 4 to 148 MiB.
    ///
    /// Other values are rounded down.
    public var chunkSize = 8 * 1024 * 1024
    /// The maximum number of concurrent requests.
    public var requestsAtOnce = 4
    /// The maximum content in memory, in bytes (one chunk is always allowed).
    public var memory = 32 * 1024 * 1024
    /// The retry policy of requests.
    ///
    /// Every request is safe to repeat, because the server reports what it already has.
    public var retryPolicy = RetryPolicy.transfers

    /// Creates the defaults: chunks of 8 MiB, four concurrent requests, 32 MiB of memory.
    public init() {}
}

/// An upload of many files that can be observed, paused and cancelled.
///
/// It begins when you read its ``results`` or call ``resume()``.
///
/// ```swift
/// let batch = box.upload(files)
/// for result in await batch.results {
///     if case .failure(let error) = result.value { print(result.id, error) }
/// }
/// ```
public final class UploadBatch: Sendable {
    private let work: UploadWork
    private let transfer: Transfer<[UploadResult], Never>

    init(_ work: UploadWork) {
        self.work = work
        transfer = Transfer { attempt in
            guard let results = await work.run(attempt) else {
                return .failure(.rest(RestError(.cancelled, "the upload was interrupted")))
            }
            return .success(results)
        }
    }

    /// The result of each file, in the order of the files, when all have finished.
    ///
    /// The upload begins now if necessary. Each file has its own error. If the upload or the waiting task is cancelled,
    /// files that are not at Dropbox have the error `RestError.Code.cancelled`.
    public var results: [UploadResult] {
        get async {
            do throws(CallError<Never>) {
                return try await transfer.value
            } catch {
                await transfer.waitUntilIdle()
                return work.results
            }
        }
    }

    /// The current result of each file, in the order of the files; a file in progress counts as cancelled.
    public var resultsSoFar: [UploadResult] { work.results }

    /// The progress of the whole upload, like ``Transfer/progress``.
    public var progress: AsyncStream<TransferUpdate> { transfer.progress }

    /// Pauses the upload; the server retains what it has received.
    public func pause() { transfer.pause() }

    /// Begins the upload, or resumes a paused one.
    public func resume() { transfer.resume() }

    /// Cancels the upload; files that are at Dropbox remain.
    public func cancel() { transfer.cancel() }

    /// Retries the files that are not at Dropbox.
    public func restart() { transfer.restart() }
}

extension DropboxClient {
    /// Returns an upload of many files of any size, which starts when you ask for the results or resume it.
    ///
    /// Small files share requests, and parts of large files are sent concurrently. Chunks that were rejected
    /// temporarily or lost with a connection are sent again. Dropbox stores each file completely or not at all.
    ///
    /// - Parameters:
    ///   - files: the files. Each has its own result, even if two have the same destination path.
    ///   - options: the options for sending parts.
    ///   - journal: a journal with which another process can continue the upload.
    /// - Returns: the upload.
    public func upload(
        _ files: [UploadFile], options: UploadOptions = UploadOptions(), journal: UploadJournal? = nil
    ) -> UploadBatch {
        UploadBatch(UploadWork(self, files, options, journal))
    }
}
