// SPDX-License-Identifier: Apache-2.0

/// Large body buffers, filled again once their last reader has let go of them.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than receiving the bytes does. The pool therefore
/// keeps a reference to the arrays it delivered; one that nobody else holds any more is emptied and used for the next
/// response. Used by the loop thread only.
final class BodyBufferPool {
    /// Smaller buffers are left to the allocator, which keeps their memory anyway.
    static let smallestCapacity = 128 * 1024
    private static let mostBuffers = 16
    private static let mostBytes = 32 * 1024 * 1024

    private var buffers: [[UInt8]] = []
    private var byteCount = 0

    /// Whether memory is held that could be given back.
    var isEmpty: Bool { buffers.isEmpty }

    /// An empty array with room for that many bytes.
    func take(capacity: Int) -> [UInt8] {
        for index in buffers.indices where buffers[index].capacity >= capacity && buffers[index].isUnshared() {
            var buffer = buffers.remove(at: index)
            byteCount -= buffer.capacity
            buffer.removeAll(keepingCapacity: true)
            return buffer
        }
        var buffer: [UInt8] = []
        // bounded: by the reservation of the limits, which is what callers ask for
        buffer.reserveCapacity(capacity)
        return buffer
    }

    /// Remembers an array that is about to be delivered.
    func keep(_ buffer: [UInt8]) {
        guard (Self.smallestCapacity...Self.mostBytes).contains(buffer.capacity) else { return }
        buffers.append(buffer)
        byteCount += buffer.capacity
        while buffers.count > Self.mostBuffers || byteCount > Self.mostBytes {
            byteCount -= buffers.removeFirst().capacity
        }
    }

    /// Gives all memory back that only the pool holds.
    func clear() {
        buffers = []
        byteCount = 0
    }
}
