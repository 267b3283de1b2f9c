// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
public import RestTransport

extension DropboxClient {
    /// An upload of any size; nothing is sent until somebody asks for its value.
    ///
    /// What is not longer than one chunk is sent in one request; the rest in parts, which a pause, a broken connection
    /// or, with a journal, the end of the process does not lose. Every request has the content hash of its bytes, and
    /// the hash of the whole is compared in the end.
    ///
    /// ```swift
    /// let file = try await box.upload(.file(path: "plan.pdf"), to: "/plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - content: what is sent; a restart sends it again from its start.
    ///   - path: where the file is to be at Dropbox.
    ///   - mode: what becomes of a file that is there.
    ///   - options: how parts are sent.
    ///   - journal: where another process can go on, if this one ends.
    /// - Returns: the upload; it fails with `RestError.Code.contentHash` when other content arrived than was sent.
    public func upload(
        _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add, options: UploadOptions = UploadOptions(),
        journal: UploadJournal? = nil
    ) -> Transfer<Files.FileMetadata, Files.UploadError> {
        upload(content, Files.CommitInfo(path: path, mode: mode), options: options, journal: journal)
    }

    /// An upload with all that can be said of where it is to be.
    ///
    /// - Parameters:
    ///   - content: what is sent; a restart sends it again from its start.
    ///   - commit: where the file is to be at Dropbox, and what becomes of a file that is there.
    ///   - options: how parts are sent.
    ///   - journal: where another process can go on, if this one ends.
    /// - Returns: the upload; it fails with `RestError.Code.contentHash` when other content arrived than was sent.
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

    /// A content that goes into one request; `nil` for a longer one, and for one that does not say how long it is.
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
        // The same content at the same place is no conflict, unless the caller wants it to be one, or another name.
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
    /// The same failure in the words of an upload of one request.
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

/// A file that is to be uploaded.
public struct UploadFile: Sendable, Identifiable {
    /// What tells it from the others of its batch, and from run to run where there is a journal.
    public let id: String
    /// What is sent: bytes, a file or a stream; a journal goes on with files and bytes only.
    public var content: HTTPBody
    /// Where it is to be at Dropbox, and what becomes of a file that is there.
    public var commit: Files.CommitInfo

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - id: what tells it from the others; `nil` takes the path at Dropbox.
    ///   - content: what is sent.
    ///   - commit: where it is to be.
    public init(id: String? = nil, _ content: HTTPBody, _ commit: Files.CommitInfo) {
        self.id = id ?? commit.path
        self.content = content
        self.commit = commit
    }

    /// Describes a file by its path at Dropbox.
    ///
    /// - Parameters:
    ///   - id: what tells it from the others; `nil` takes the path at Dropbox.
    ///   - content: what is sent.
    ///   - path: where it is to be.
    ///   - mode: what becomes of a file that is there.
    public init(id: String? = nil, _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add) {
        self.init(id: id, content, Files.CommitInfo(path: path, mode: mode))
    }
}

/// What became of a file of a batch.
public struct UploadResult: Sendable, Identifiable {
    /// The file as it is at Dropbox, or why it is not there.
    public typealias Value = Result<Files.FileMetadata, CallError<Files.UploadSessionFinishError>>

    /// The id of the file.
    public let id: String
    /// The file as it is at Dropbox, or why it is not there.
    ///
    /// A file that was not tried, because the batch was cancelled or ended before, has the error that ended it; its
    /// `outcome` says whether it may be at Dropbox all the same.
    public let value: Value

    /// Makes a result.
    public init(id: String, value: Value) {
        self.id = id
        self.value = value
    }
}

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

/// The upload of many files: a thing that one can watch, hold and cancel.
///
/// It begins when somebody asks for its ``results`` or calls ``resume()``.
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

    /// What became of each file, in the order of the files, when all is done; it begins now if it has not begun.
    ///
    /// Each file has its own error. When the upload, or the task that waits, is cancelled, the files that are not at
    /// Dropbox have the error `RestError.Code.cancelled`.
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

    /// What became of each file so far, in the order of the files; one that is under way counts as cancelled.
    public var resultsSoFar: [UploadResult] { work.results }

    /// How far the upload as a whole has come; see ``Transfer/progress``.
    public var progress: AsyncStream<TransferUpdate> { transfer.progress }

    /// Holds the upload: what the server has stays there.
    public func pause() { transfer.pause() }

    /// Begins the upload, or goes on with one that was paused.
    public func resume() { transfer.resume() }

    /// Ends the upload; what is at Dropbox stays there.
    public func cancel() { transfer.cancel() }

    /// Tries again the files that are not at Dropbox.
    public func restart() { transfer.restart() }
}

extension DropboxClient {
    /// An upload of many files, each of any size; nothing is sent until somebody asks for the results.
    ///
    /// Small files share requests, the parts of large ones are sent side by side, and what the server refuses for a
    /// moment, or a broken connection lost, is sent again. Dropbox gets each file as a whole or not at all.
    ///
    /// - Parameters:
    ///   - files: the files; each has a result of its own, also when two are to be at one path.
    ///   - options: how it is done.
    ///   - journal: where another process can go on, if this one ends.
    /// - Returns: the upload.
    public func upload(
        _ files: [UploadFile], options: UploadOptions = UploadOptions(), journal: UploadJournal? = nil
    ) -> UploadBatch {
        UploadBatch(UploadWork(self, files, options, journal))
    }
}
