// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
public import RestTransport

extension DropboxClient {
    /// Returns an upload of any size.
    ///
    /// Nothing is sent until the app reads the transfer's value or resumes it. Content of at most one chunk is sent in
    /// one request. Larger content is sent in parts, which are not lost by a pause or a broken connection, or, with a
    /// journal, by the end of the process. Every request has the content hash of its bytes, and the hash of the whole
    /// content is checked at the end.
    ///
    /// ```swift
    /// let file = try await box.upload(.file(path: "plan.pdf"), to: "/plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - content: the content. A restart sends it again from its start.
    ///   - path: the destination path in Dropbox.
    ///   - mode: the handling of an existing file.
    ///   - options: the options of the upload.
    ///   - journal: the journal with which another process can continue.
    /// - Returns: the upload. It throws `RestError.Code.contentHash` if the content was damaged on its way.
    public func upload(
        _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add, options: UploadOptions = UploadOptions(),
        journal: UploadJournal? = nil
    ) -> Transfer<Files.FileMetadata, Files.UploadError> {
        upload(content, Files.CommitInfo(path: path, mode: mode), options: options, journal: journal)
    }

    /// Returns an upload with all options of its destination.
    ///
    /// - Parameters:
    ///   - content: the content. A restart sends it again from its start.
    ///   - commit: the destination in Dropbox, and the handling of an existing file.
    ///   - options: the options of the upload.
    ///   - journal: the journal with which another process can continue.
    /// - Returns: the upload. It throws `RestError.Code.contentHash` if the content was damaged on its way.
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

    /// The content for one request, or `nil` if it is too long, or if its length is unknown.
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
        // The same content at the same path is not a conflict, unless the app wants a conflict or another name.
        let routes = uploading(options, isRepeatable: !commit.autorename && !commit.strictConflict)
        let file = try await routes.upload(body: whole.body, argument).reportingProgress(to: attempt.report).value
        guard let sent = whole.hash, let stored = file.contentHash, sent != stored else { return file }
        throw .rest(
            RestError(
                .contentHash, "\(argument.path) has the content hash \(stored) at Dropbox, but \(sent) was sent",
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
    /// The id of the file in its batch, which must stay the same between runs with a journal.
    public let id: String
    /// The content: bytes, a file or a stream, which a journal cannot continue.
    public var content: HTTPBody
    /// The destination in Dropbox, and the handling of an existing file.
    public var commit: Files.CommitInfo

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - id: the id of the file. If `nil`, the path in Dropbox is used.
    ///   - content: the content.
    ///   - commit: the destination in Dropbox.
    public init(id: String? = nil, _ content: HTTPBody, _ commit: Files.CommitInfo) {
        self.id = id ?? commit.path
        self.content = content
        self.commit = commit
    }

    /// Makes a file from its path in Dropbox.
    ///
    /// - Parameters:
    ///   - id: the id of the file. If `nil`, the path in Dropbox is used.
    ///   - content: the content.
    ///   - path: the destination path in Dropbox.
    ///   - mode: the handling of an existing file.
    public init(id: String? = nil, _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add) {
        self.init(id: id, content, Files.CommitInfo(path: path, mode: mode))
    }
}

/// The result of a file of a batch.
public struct UploadResult: Sendable, Identifiable {
    /// The metadata of the file in Dropbox, or an error.
    public typealias Value = Result<Files.FileMetadata, CallError<Files.UploadSessionFinishError>>

    /// The id of the file.
    public let id: String
    /// The metadata of the file in Dropbox, or an error.
    ///
    /// If the batch ended before the file was stored, the file has the error that ended the batch. The error's
    /// `outcome` shows whether the file may be in Dropbox.
    public let value: Value

    /// Creates a result.
    public init(id: String, value: Value) {
        self.id = id
        self.value = value
    }
}

/// The options of uploads in sessions.
public struct UploadOptions: Sendable, Hashable {
    /// The maximum number of content bytes of one request.
    ///
    /// The value is rounded down to a multiple of 4 MiB from 4 to 148 MiB.
    public var chunkSize = 8 * 1024 * 1024
    /// The maximum number of requests in flight.
    public var requestsAtOnce = 4
    /// The maximum number of content bytes in memory, but at least one chunk.
    public var memory = 32 * 1024 * 1024
    /// The retries of a request, which is always safe to repeat.
    public var retryPolicy = RetryPolicy.transfers

    /// Makes the default options: chunks of 8 MiB, four requests in flight, 32 MiB of memory.
    public init() {}
}

/// An upload of many files that can be observed, paused and cancelled.
///
/// It begins when the app reads its ``results`` or calls ``resume()``.
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

    /// The result of each file, in the order of the files, after all have ended.
    ///
    /// The upload begins now if it has not begun. If the upload or the task that waits is cancelled, files that are not
    /// in Dropbox have the error `RestError.Code.cancelled`.
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

    /// The result of each file so far, in the order of the files, or a cancellation for a file in progress.
    public var resultsSoFar: [UploadResult] { work.results }

    /// The progress of the whole upload (see ``Transfer/progress``).
    public var progress: AsyncStream<TransferUpdate> { transfer.progress }

    /// Pauses the upload, and keeps the bytes that the server has.
    public func pause() { transfer.pause() }

    /// Begins the upload, or continues it after a pause.
    public func resume() { transfer.resume() }

    /// Cancels the upload, but keeps the files that are in Dropbox.
    public func cancel() { transfer.cancel() }

    /// Retries the files that are not in Dropbox.
    public func restart() { transfer.restart() }
}

extension DropboxClient {
    /// Returns an upload of many files, each of any size.
    ///
    /// Nothing is sent until the app reads the results or resumes the upload. Small files share requests, and the parts
    /// of large files are sent concurrently. Requests are retried after temporary errors. Each file appears in Dropbox
    /// as a whole or not at all.
    ///
    /// - Parameters:
    ///   - files: the files. Each has its own result, even if two files have the same path.
    ///   - options: the options of the upload.
    ///   - journal: the journal with which another process can continue.
    /// - Returns: the upload.
    public func upload(
        _ files: [UploadFile], options: UploadOptions = UploadOptions(), journal: UploadJournal? = nil
    ) -> UploadBatch {
        UploadBatch(UploadWork(self, files, options, journal))
    }
}
