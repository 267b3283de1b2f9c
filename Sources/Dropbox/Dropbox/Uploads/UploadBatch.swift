// SPDX-License-Identifier: Apache-2.0

import RestSDK

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
    /// Dropbox have the error ``RestError/Code/cancelled``.
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
