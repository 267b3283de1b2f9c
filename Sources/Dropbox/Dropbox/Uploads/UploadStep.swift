// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK

/// One request that an upload is made of; files go by their numbers.
enum UploadStep: Sendable, Hashable {
    /// Asks for a session for each of the files.
    case start([Int], isConcurrent: Bool)
    /// Brings whole files, each of which closes its session.
    case pack([Int])
    /// Brings a part of a file; the last one closes the session.
    ///
    /// Of a stream whose length is not known the range is as long as a part can be.
    case part(Int, Range<Int64>, isLast: Bool)
    /// Makes files of sessions, after that many refusals because there was too much to write.
    case finish([Int], postponed: Int)
    /// Looks whether the file of a session that the server does not know is there already.
    case look(Int)
}

extension UploadStep {
    /// The files that it is for.
    var files: [Int] {
        switch self {
        case .start(let files, _), .pack(let files), .finish(let files, _): files
        case .part(let file, _, _), .look(let file): [file]
        }
    }
}

/// What came of a step.
enum UploadAnswer: Sendable {
    /// The ids of the sessions, one for each file.
    case started([String])
    /// What became of each file of a pack.
    case packed([PartAnswer])
    /// What became of a part; where the file ends, if its end was reached.
    case part(PartAnswer, end: Int64?)
    /// What became of each file.
    case finished([FinishAnswer])
    /// The file that is there with the same content.
    case found(Files.FileMetadata?)
    /// The request as a whole has failed.
    case failed(UploadFailure)
}

/// What became of the bytes of one file in a request.
enum PartAnswer: Sendable {
    /// The server has them.
    case taken
    /// The server says why not.
    case refused(Files.UploadSessionAppendError)
    /// They could not be read.
    case unreadable(RestError)
}

/// What became of the finish of one file.
enum FinishAnswer: Sendable {
    /// The file is at Dropbox, with the content that was sent.
    case stored(Files.FileMetadata)
    /// The server says why not.
    case refused(Files.UploadSessionFinishError)
    /// It cannot be said of the content that it is what was sent.
    case unsure(RestError)
}

/// Why a request as a whole has failed.
enum UploadFailure: Error, Sendable {
    /// Somebody paused or cancelled the upload.
    case interrupted
    /// The request did not succeed; others may.
    case failed(RestError)
    /// The server does not take the request for what one of its files, or all, say.
    case refused(RestError)
    /// No request of this client can succeed: the token, the path root, the journal.
    case hopeless(RestError)
}
