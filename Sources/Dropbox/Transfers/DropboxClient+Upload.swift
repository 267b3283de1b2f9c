// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
import RestSDK
public import RestTransport

extension DropboxClient {
    /// An upload of one request, of at most 150 MiB; nothing is sent until somebody asks for its value.
    ///
    /// The content hash is compared: of bytes and files by Dropbox before the file appears there, of a stream when the
    /// answer has come.
    ///
    /// ```swift
    /// let file = try await box.upload(.file(path: "plan.pdf"), to: "/plan.pdf").value
    /// ```
    ///
    /// - Parameters:
    ///   - content: what is sent; a pause or a restart sends it again from its start.
    ///   - path: where the file is to be at Dropbox.
    ///   - mode: what becomes of a file that is there.
    /// - Returns: the upload; it fails with ``RestError/Code/contentHash`` when other content arrived than was sent.
    public func upload(
        _ content: HTTPBody, to path: String, mode: Files.WriteMode = .add
    ) -> Transfer<Files.FileMetadata, Files.UploadError> {
        upload(content, Files.UploadArg(path: path, mode: mode))
    }

    /// An upload of one request, with all that a route's argument says; a content hash in it is replaced.
    public func upload(
        _ content: HTTPBody, _ argument: Files.UploadArg
    ) -> Transfer<Files.FileMetadata, Files.UploadError> {
        Transfer { attempt in
            do throws(CallError<Files.UploadError>) {
                return .success(try await upload(content, argument, attempt))
            } catch {
                return .failure(error)
            }
        }
    }

    private func upload(
        _ content: HTTPBody, _ argument: Files.UploadArg, _ attempt: TransferAttempt
    ) async throws(CallError<Files.UploadError>) -> Files.FileMetadata {
        let hashed: HashedBody
        do throws(RestError) { hashed = try await HashedBody(content) } catch { throw .rest(error) }
        var argument = argument
        argument.contentHash = hashed.known
        let call = self.files.upload(body: hashed.body, argument).reportingProgress(to: attempt.report)
        let file = try await call.value
        guard let sent = hashed.sent, let stored = file.contentHash, sent != stored else { return file }
        throw .rest(
            RestError(
                .contentHash, "\(argument.path) has the content hash \(stored) at Dropbox, and \(sent) was sent",
                outcome: .applied))
    }
}
