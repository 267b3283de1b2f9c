// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer

/// What can be wrong with a part of a session; each route calls it by the name of its own error.
enum SessionProblem: Error, Sendable, Hashable {
    case notFound, closed, invalidOffset, invalidSize, tooLarge
    case incorrectOffset(correct: Int64)

    var append: Files.UploadSessionAppendError {
        switch self {
        case .notFound: .notFound
        case .closed: .closed
        case .invalidOffset: .concurrentSessionInvalidOffset
        case .invalidSize: .concurrentSessionInvalidDataSize
        case .tooLarge: .tooLarge
        case .incorrectOffset(let correct): .incorrectOffset(Self.offset(correct))
        }
    }

    var entry: Files.UploadSessionAppendBatchEntryError {
        switch self {
        case .notFound: .notFound
        case .closed: .closed
        case .invalidOffset: .concurrentSessionInvalidOffset
        case .invalidSize: .concurrentSessionInvalidDataSize
        case .tooLarge: .tooLarge
        case .incorrectOffset(let correct): .incorrectOffset(Self.offset(correct))
        }
    }

    var lookup: Files.UploadSessionLookupError {
        switch self {
        case .notFound: .notFound
        case .closed: .closed
        case .invalidOffset: .concurrentSessionInvalidOffset
        case .invalidSize: .concurrentSessionInvalidDataSize
        case .tooLarge: .tooLarge
        case .incorrectOffset(let correct): .incorrectOffset(Self.offset(correct))
        }
    }

    private static func offset(_ correct: Int64) -> Files.UploadSessionOffsetError {
        Files.UploadSessionOffsetError(correctOffset: UInt64(clamping: correct))
    }
}

/// A part as a request announces it.
struct SessionPart: Sendable {
    let id: String
    let offset: UInt64
    let count: Int
    let isLast: Bool
}

extension BoxTables {
    /// Parts of a concurrent session begin at multiples of this, and all but the last have such a size.
    private static let block = ContentHash.block

    /// The session of a part, if the part may come now.
    func session(for part: SessionPart) throws(BoxFailure<SessionProblem>) -> UploadSession {
        guard let session = session(part.id) else { throw .route(.notFound) }
        guard session.isConcurrent else {
            guard !session.isClosed else { throw .route(.closed) }
            guard part.offset == UInt64(clamping: session.size) else {
                throw .route(.incorrectOffset(correct: session.size))
            }
            guard session.size + Int64(part.count) <= limits.file else { throw .route(.tooLarge) }
            return session
        }
        guard part.offset % UInt64(Self.block) == 0 else { throw .route(.invalidOffset) }
        guard part.offset <= UInt64(clamping: limits.file - Int64(part.count)) else { throw .route(.tooLarge) }
        guard part.isLast || part.count % Self.block == 0 else { throw .route(.invalidSize) }
        try checkPlace(of: part, in: session)
        return session
    }

    /// A part may come once more, but lie across no other one, and nothing comes behind the last one.
    private func checkPlace(of part: SessionPart, in session: UploadSession) throws(BoxFailure<SessionProblem>) {
        let start = Int64(clamping: part.offset)
        let place: [SQLValue] = [.integer(session.blob), .integer(start), .integer(start + Int64(part.count))]
        let crossing = number(
            "SELECT EXISTS (SELECT 1 FROM pieces WHERE blob = ?1 AND start <> ?2 AND start < ?3 AND start + count > ?2)",
            place)
        guard crossing == 0 else { throw .route(.invalidOffset) }
        guard session.isClosed, part.count > 0 else { return }
        let later = number(
            "SELECT EXISTS (SELECT 1 FROM pieces WHERE blob = ?1 AND start >= ?2)", Array(place.prefix(2)))
        guard later != 0 else { throw .route(.closed) }
    }
}
