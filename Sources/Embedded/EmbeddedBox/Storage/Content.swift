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

    /// The first bytes; `nil` if they cannot be read.
    func prefix(_ count: Int) -> [UInt8]? { bytes(0..<min(count, size)) }

    /// Some of the bytes; `nil` if they cannot be read.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        var bytes: [UInt8] = []
        for piece in pieces where piece.start < range.upperBound && piece.end > range.lowerBound {
            let from = max(piece.start, range.lowerBound)
            let wanted = min(piece.end, range.upperBound) - from
            let place = piece.offset + from - piece.start
            guard let part = FileBytes.read(folder.path(of: piece.file), from: place, count: wanted) else { return nil }
            bytes += part
        }
        return bytes.count == range.count ? bytes : nil
    }
}
