// SPDX-License-Identifier: Apache-2.0

/// Large body buffers, filled again once their last reader has let go of them.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than receiving the bytes does. The pool therefore
/// keeps a reference to the arrays it delivered, and empties the oldest for the next response. Emptying an array that
/// somebody still reads leaves it to the reader and makes a new one, by the rules of a Swift array; the pool then lets
/// one more lie, so that the oldest is free when its turn comes. Used by the loop thread only.
final class BodyBufferPool {
    /// Smaller buffers are left to the allocator, which keeps their memory anyway.
    static let smallestCapacity = 128 * 1024
    private static let step = 64 * 1024
    private static let mostBuffers = 16
    private static let mostBytes = 32 * 1024 * 1024

    private var buffers: [[UInt8]] = []
    private var byteCount = 0
    /// How many of the newest are most likely still read.
    private(set) var readCount = 0

    /// Whether memory is held that could be given back.
    var isEmpty: Bool { buffers.isEmpty }
    /// How many buffers are held.
    var count: Int { buffers.count }

    /// An empty array with room for that many bytes.
    func take(capacity: Int) -> [UInt8] {
        var buffer: [UInt8] = []
        let capacity = Self.rounded(capacity)
        if let index = buffers.dropLast(readCount).firstIndex(where: { $0.capacity >= capacity }) {
            buffer = buffers.remove(at: index)
            byteCount -= buffer.capacity
            if Self.isRead(&buffer) { readCount = min(readCount + 1, Self.mostBuffers / 2) }
        } else if buffers.count > readCount {
            // A larger one comes in place of the oldest: bodies that grow must not leave all their sizes behind.
            byteCount -= buffers.removeFirst().capacity
        }
        // bounded: by the reservation of the limits, which is what callers ask for
        buffer.reserveCapacity(capacity)
        return buffer
    }

    /// Pages of one result differ a little; room in whole steps lets each take the buffer of the other.
    private static func rounded(_ capacity: Int) -> Int {
        (capacity / step + 1) * step
    }

    /// Empties an array, and tells whether somebody still reads what was in it.
    private static func isRead(_ buffer: inout [UInt8]) -> Bool {
        let before = unsafe buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        buffer.removeAll(keepingCapacity: true)
        return unsafe buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } != before
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
        (byteCount, readCount) = (0, 0)
    }
}

/// How large a buffer libcurl takes an answer in; it asks for one with every transfer and gives it back at the end.
///
/// One that is as large as what libcurl reads from the socket at once never fills. libcurl 7.88 leaves a frame of
/// HTTP/2 where it is when the buffer of its stream is full, and does not always come back for it before the socket has
/// news, which the end of an answer never brings. Pieces of this size also fit a core's nearest cache.
enum ReceiveBufferSize {
    private static let ordinary = 32 * 1024
    /// For a file, fewer writes count more.
    private static let file = 512 * 1024

    /// The size in bytes of the buffer for an answer whose body goes there.
    static func bytes(for destination: Transfer.Destination) -> Int {
        switch destination {
        case .memory, .reader: ordinary
        case .file: file
        }
    }
}
