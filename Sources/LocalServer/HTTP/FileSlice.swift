// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Some bytes of a file that is open, so that they can be sent although the file is replaced or removed meanwhile.
///
/// The file is closed with the last reference. Its position is never used, so any number of threads may read it.
package final class FileSlice: Sendable {
    private let descriptor: CInt
    private let offset: Int
    /// How many bytes there are.
    package let count: Int

    /// Opens a file; `nil` if it cannot be read.
    package init?(path: String, offset: Int, count: Int) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        self.offset = offset
        self.count = count
        if descriptor < 0 { return nil }
    }

    deinit { _ = close(descriptor) }

    /// Reads from a position of the slice; how many bytes there were, 0 at its end.
    func read(at position: Int, into buffer: UnsafeMutableRawPointer, _ capacity: Int) -> Int {
        guard position >= 0, position < count else { return 0 }
        return unsafe pread(descriptor, buffer, min(capacity, count - position), off_t(offset + position))
    }

    /// A response of libmicrohttpd that reads the slice as it is sent, and ends the connection after so many bytes.
    func response(endingAfter end: Int) -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(LimitedSlice(slice: self, end: end)).toOpaque()
        return unsafe MHD_create_response_from_callback(
            UInt64(count), 128 << 10,
            { context, position, buffer, capacity in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
                let limited = unsafe Unmanaged<LimitedSlice>.fromOpaque(context).takeUnretainedValue()
                let start = Int(clamping: position)
                let wanted = min(capacity, limited.end - start)
                let got = wanted > 0 ? unsafe limited.slice.read(at: start, into: buffer, wanted) : 0
                // -2 is MHD_CONTENT_READER_END_WITH_ERROR, a cast Swift does not import.
                return got > 0 ? got : -2
            }, context,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<LimitedSlice>.fromOpaque(context).release()
            })
    }
}

/// What a response reads.
private final class LimitedSlice {
    let slice: FileSlice
    let end: Int

    init(slice: FileSlice, end: Int) {
        self.slice = slice
        self.end = end
    }
}
