// SPDX-License-Identifier: Apache-2.0

/// One format of compressed data, read in pieces of any size.
protocol Decompressor: AnyObject {
    /// Unpacks as much as fits.
    func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Decompression

    /// Gets ready for another unit of compressed data behind one that has ended; `false` when the format has no such.
    func restart() -> Bool
}

/// What one call to a decompressor did.
struct Decompression {
    enum State {
        /// Everything given was used; there may be more to come.
        case needsInput
        /// The output is full; call again.
        case needsOutput
        /// The compressed data is complete, its checksum right where it has one.
        case ended
        /// The data is not what it claims to be.
        case malformed
    }

    var consumed = 0
    var produced = 0
    var state = State.malformed
}
