// SPDX-License-Identifier: Apache-2.0

/// Bytes that arrive in chunks and leave in other chunks, at a cost that grows with their number alone.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    var isEmpty: Bool { start == bytes.count }

    var content: ArraySlice<UInt8> { bytes[start...] }

    mutating func append(_ more: [UInt8]) {
        guard !isEmpty else { return (bytes, start) = (more, 0) }
        // At most as many bytes move as have left.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    mutating func removeFirst(_ count: Int) {
        start += count
        if isEmpty { (bytes, start) = ([], 0) }
    }
}
