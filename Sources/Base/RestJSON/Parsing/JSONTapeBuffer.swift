// SPDX-License-Identifier: Apache-2.0

/// The room for the tape while it is being written.
///
/// Unsafe by need: `Array.append` tests for uniqueness and capacity on every entry, which costs a tenth of the parse.
/// Safe because every access is checked against `capacity`, and the buffer outlives the run that uses it. Entries hold
/// no references, so writing over uninitialised memory is allowed.
@safe
struct JSONTapeBuffer {
    private let buffer: UnsafeMutableBufferPointer<TapeEntry>

    /// Wraps the buffer of `Array.init(unsafeUninitializedCapacity:)`.
    init(_ buffer: UnsafeMutableBufferPointer<TapeEntry>) {
        unsafe self.buffer = buffer
    }

    /// The number of entries there is room for.
    @inline(__always)
    var capacity: Int { unsafe buffer.count }

    /// Writes an entry.
    ///
    /// The parser asks for room once per step, so the check here is a second net, not the first.
    @inline(__always)
    func write(_ entry: TapeEntry, at index: Int) {
        guard UInt(bitPattern: index) < UInt(bitPattern: capacity) else { return }
        unsafe buffer[index] = entry
    }

    /// Reads an entry written before.
    @inline(__always)
    func read(_ index: Int) -> TapeEntry {
        guard UInt(bitPattern: index) < UInt(bitPattern: capacity) else {
            return TapeEntry(.null, length: 0, position: 0)
        }
        return unsafe buffer[index]
    }
}
