// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// What can be wrong with a part of a session; each route calls it by the name of its own error.
enum SessionProblem: Error, Sendable, Hashable {
    case notFound, closed, invalidOffset, invalidSize
    case incorrectOffset(correct: Int64)

    var append: Files.UploadSessionAppendError {
        switch self {
        case .notFound: .notFound
        case .closed: .closed
        case .invalidOffset: .concurrentSessionInvalidOffset
        case .invalidSize: .concurrentSessionInvalidDataSize
        case .incorrectOffset(let correct): .incorrectOffset(Self.offset(correct))
        }
    }

    var lookup: Files.UploadSessionLookupError {
        switch self {
        case .notFound: .notFound
        case .closed: .closed
        case .invalidOffset: .concurrentSessionInvalidOffset
        case .invalidSize: .concurrentSessionInvalidDataSize
        case .incorrectOffset(let correct): .incorrectOffset(Self.offset(correct))
        }
    }

    private static func offset(_ correct: Int64) -> Files.UploadSessionOffsetError {
        Files.UploadSessionOffsetError(correctOffset: UInt64(clamping: correct))
    }
}

extension UploadSession {
    /// Parts of a concurrent session begin at multiples of this, and all but the last have such a size.
    static let block: Int64 = 4 << 20

    /// Whether a part may come at the offset.
    func check(offset: UInt64, count: Int64, isLast: Bool) throws(BoxFailure<SessionProblem>) {
        guard !isClosed || isConcurrent else { throw .route(.closed) }
        guard isConcurrent else {
            guard offset == UInt64(clamping: size) else { throw .route(.incorrectOffset(correct: size)) }
            return
        }
        guard offset % UInt64(Self.block) == 0, offset < 1 << 50 else { throw .route(.invalidOffset) }
        guard isLast || count % Self.block == 0 else { throw .route(.invalidSize) }
    }
}
