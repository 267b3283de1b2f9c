// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

/// The bytes of a file as the folder has them.
struct Content: Sendable {
    let folder: PieceFolder
    let pieces: [Piece]
    let size: Int

    /// Some of the bytes, to be sent; `nil` if they cannot be read.
    func slice(_ range: Range<Int>) -> FileSlice? {
        var parts: [FileSlice.Part] = []
        for piece in pieces where piece.start < range.upperBound && piece.end > range.lowerBound {
            let from = max(piece.start, range.lowerBound)
            parts.append(
                FileSlice.Part(
                    path: folder.path(of: piece.file), offset: piece.offset + from - piece.start,
                    count: min(piece.end, range.upperBound) - from))
        }
        return FileSlice(parts)
    }
}
