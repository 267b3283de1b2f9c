// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
import RestSDK
import StoneRuntime
import Synchronization

extension DropboxClient {
    /// A download into a file, which appears when it is complete and its content hash is right; nothing is sent until
    /// somebody asks for its value.
    ///
    /// Where it breaks off or is paused it goes on from there, as long as the revision at Dropbox is the same; else it
    /// begins anew.
    ///
    /// ```swift
    /// let file = try await box.download("/plan.pdf", to: "plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - source: the file at Dropbox: a path, an id or a revision.
    ///   - path: where the file is to be; one that is there is replaced.
    /// - Returns: the download; it fails with ``RestError/Code/contentHash`` when other content came than is there.
    public func download(_ source: String, to path: String) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        let call = self.files.download(path: source)
        let kept = Kept()
        return Transfer { attempt in
            if attempt.isFresh { kept.file.withLock { $0 = nil } }
            do throws(CallError<Files.DownloadError>) {
                return .success(try await Download(call: call, path: path, kept: kept, attempt: attempt).run())
            } catch {
                return .failure(error)
            }
        }
    }
}

/// What attempts of a download leave to the next one.
private final class Kept: Sendable {
    let file = Mutex<PartialFile?>(nil)
}

/// One attempt of a download.
private struct Download: Sendable {
    let call: DownloadCall<Files.FileMetadata, Files.DownloadError>
    let path: String
    let kept: Kept
    let attempt: TransferAttempt

    /// Asks for what is missing until nothing is; an answer that brought nothing ends it.
    func run() async throws(CallError<Files.DownloadError>) -> Files.FileMetadata {
        while true {
            let before = kept.file.withLock { $0 }
            if let before, before.isWhole { return try finish() }
            do throws(CallError<Files.DownloadError>) {
                try await receive(before)
            } catch {
                let count = kept.file.withLock { $0?.count } ?? 0
                guard case .rest(let failure) = error, failure.code == .transport, count > before?.count ?? 0 else {
                    throw error
                }
            }
        }
    }

    /// Takes one answer, as far as it comes.
    private func receive(_ before: PartialFile?) async throws(CallError<Files.DownloadError>) {
        let (file, content) = try await call.stream(from: before?.count ?? 0)
        do throws(RestError) {
            var partial: PartialFile
            if let before, before.file.rev == file.rev, content.head.status == 206 {
                partial = before
            } else {
                kept.file.withLock { $0 = nil }
                if content.head.status == 206 {
                    // The rest of another revision is of no use: the next answer is its whole.
                    guard before == nil else { return }
                    throw RestError(.decoding, "the server gave a part of the file, and the whole was asked for")
                }
                partial = try PartialFile(file, at: path)
            }
            var pieces = content.makeAsyncIterator()
            while let piece = try await pieces.next(isolation: nil) {
                try partial.add(piece)
                kept.file.withLock { [partial] in $0 = partial }
                attempt.report(partial.progress)
            }
            guard partial.isWhole else { throw RestError(.transport, "\(path): the content ended early") }
            kept.file.withLock { [partial] in $0 = partial }
        } catch {
            throw .rest(error)
        }
    }

    private func finish() throws(CallError<Files.DownloadError>) -> Files.FileMetadata {
        let whole = kept.file.withLock { file in
            defer { file = nil }
            return file
        }
        do throws(RestError) {
            guard let whole else { throw RestError(.cancelled, "the download was begun anew") }
            return try whole.finish()
        } catch {
            throw .rest(error)
        }
    }
}
