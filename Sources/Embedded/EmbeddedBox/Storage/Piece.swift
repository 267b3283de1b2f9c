// SPDX-License-Identifier: Apache-2.0

/// Bytes of a file that came together, and are together in the box's folder.
struct Piece: Sendable {
    /// The number of the file in the folder, and where they begin in it.
    let file: Int64
    let offset: Int
    /// Where the bytes are in what they are a part of.
    let start: Int
    let count: Int
    /// The SHA-256 of each block of 4 MiB that begins in the piece; the last one may have ended early.
    let digests: [UInt8]

    var end: Int { start + count }

    /// The digest of a block of a file of that size, if the piece has all of the block.
    func digest(of range: Range<Int>, size: Int) -> ArraySlice<UInt8>? {
        guard range.lowerBound >= start, range.upperBound <= end,
            range.count == ContentHash.block || (range.upperBound == end && end == size)
        else { return nil }
        let first = (start + ContentHash.block - 1) / ContentHash.block
        let place = (range.lowerBound / ContentHash.block - first) * 32
        return place + 32 <= digests.count ? digests[place..<place + 32] : nil
    }
}
