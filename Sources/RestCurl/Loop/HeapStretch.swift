// SPDX-License-Identifier: Apache-2.0

/// A stretch of free heap that the loop thread keeps, for the buffers libcurl asks for and gives back with every
/// transfer.
///
/// glibc gives each thread a heap of its own and returns its end to the system as soon as 128 KiB there are free. With
/// a few transfers at a time, libcurl's buffers are that end: each turn of the loop then pays page faults for them, a
/// twentieth of the time of a small request. Behind a block that stays in use, free memory is no end, and is kept.
/// Without effect where the allocator keeps free memory anyway.
@safe struct HeapStretch: ~Copyable {
    /// Longer than a buffer, and shorter than what glibc maps apart from the heap.
    private static let blockBytes = 40 * 1024
    private static let blocks = 16

    private let end: UnsafeMutableRawPointer

    /// Makes the stretch, on the thread that is to use it.
    init() {
        let blocks = unsafe (0..<Self.blocks).map { _ in unsafe Self.block(of: Self.blockBytes) }
        unsafe end = unsafe Self.block(of: 64)
        unsafe blocks.forEach { unsafe $0.deallocate() }
    }

    deinit {
        unsafe end.deallocate()
    }

    private static func block(of bytes: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: bytes, alignment: MemoryLayout<Int>.alignment)
    }
}
