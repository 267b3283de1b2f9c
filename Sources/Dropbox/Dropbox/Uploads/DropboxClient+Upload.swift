// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
import RestSDK
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
    /// - Returns: the upload; it fails with ``RestError/Code/contentHash`` when other content arrived than was sent.
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
    /// - Returns: the upload; it fails with ``RestError/Code/contentHash`` when other content arrived than was sent.
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
