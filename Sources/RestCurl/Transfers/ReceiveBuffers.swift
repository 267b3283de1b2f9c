// SPDX-License-Identifier: Apache-2.0

/// Large body buffers, filled again once their last reader has let go of them.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than receiving the bytes does. The pool therefore
/// keeps a reference to the arrays it delivered, and empties the oldest for the next response. Emptying an array that
/// somebody still reads leaves it to the reader and makes a new one, by the rules of a Swift array. Used by the loop
/// thread only.
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
        var buffer: [UInt8] = []
        if let index = buffers.firstIndex(where: { $0.capacity >= capacity }) {
            buffer = buffers.remove(at: index)
            byteCount -= buffer.capacity
            buffer.removeAll(keepingCapacity: true)
        }
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

/// How large a buffer libcurl takes the next answer in.
///
/// libcurl asks for one with every transfer and gives it back at the end. The smallest comes from the store that the
/// allocator keeps for each thread; with large ones for small answers it returns memory to the system, and fetches it
/// again, all the time.
///
/// Not so for answers that may come by HTTP/2, which is what TLS may negotiate: libcurl 7.88 leaves a frame where it is
/// when the buffer of its stream is full, and does not always come back for it before the socket has news, which the
/// end of an answer never brings. A buffer as large as what libcurl reads from the socket at once never fills.
struct ReceiveBufferSize {
    /// The smallest that libcurl takes, which holds an answer without records; one of a few records; and pieces that
    /// fit a core's nearest cache, which are copied faster than larger ones.
    private static let steps = [1024, 8 * 1024, 32 * 1024]
    /// For a file, fewer writes count more.
    private static let file = 512 * 1024
    /// So many small answers in a row make the next one probably small, too.
    private static let patience = 16

    private var step = steps.count - 1
    private var smallAnswers = 0

    /// Notes the size of an answer that came into memory, header included.
    mutating func note(bytes: Int) {
        if bytes > Self.steps[step] {
            step = Self.steps.firstIndex { bytes <= $0 } ?? Self.steps.count - 1
            smallAnswers = 0
        } else if step > 0, bytes <= Self.steps[step - 1] {
            smallAnswers += 1
        } else {
            smallAnswers = 0
        }
        guard smallAnswers == Self.patience else { return }
        step -= 1
        smallAnswers = 0
    }

    /// The size of the buffer for the next answer.
    ///
    /// - Parameters:
    ///   - destination: where the answer's body goes.
    ///   - mayBeFramed: whether it may come in the frames of HTTP/2.
    /// - Returns: the size in bytes.
    func bytes(for destination: Transfer.Destination, mayBeFramed: Bool) -> Int {
        switch destination {
        case .memory where mayBeFramed: Self.steps[Self.steps.count - 1]
        case .memory: Self.steps[step]
        case .reader: Self.steps[Self.steps.count - 1]
        case .file: Self.file
        }
    }
}

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
