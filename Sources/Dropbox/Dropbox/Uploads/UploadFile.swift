// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestTransport

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
