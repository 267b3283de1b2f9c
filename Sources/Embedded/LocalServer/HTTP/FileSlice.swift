// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import RestBase
import RestTransport
import Synchronization

/// A part of one file or of several files in sequence, which is sent without loading it into memory.
///
/// The first file is open from the beginning, so it can be sent even if it is replaced or removed meanwhile. Other
/// files are opened when needed. Descriptor positions are never used, so any number of threads may read.
package final class FileSlice: Sendable {
    package struct Part: Sendable {
        package let path: String
        package let offset: Int
        package let count: Int

        package init(path: String, offset: Int, count: Int) {
            (self.path, self.offset, self.count) = (path, offset, count)
        }
    }

    private struct Opened: ~Copyable {
        var index: Int
        var descriptor: CInt

        mutating func move(to index: Int, _ path: String) {
            guard index != self.index else { return }
            if descriptor >= 0 { _ = close(descriptor) }
            self.index = index
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        }

        deinit { if descriptor >= 0 { _ = close(descriptor) } }
    }

    private let parts: [Part]
    private let starts: [Int]
    private let opened: Mutex<Opened>
    package let count: Int

    /// Opens a file, or returns `nil` if it cannot be read.
    package convenience init?(path: String, offset: Int, count: Int) {
        self.init([Part(path: path, offset: offset, count: count)])
    }

    /// Joins parts and opens the first file, or returns `nil` if it cannot be read.
    package init?(_ parts: [Part]) {
        var (starts, count): ([Int], Int) = ([], 0)
        for part in parts {
            starts.append(count)
            count += part.count
        }
        (self.parts, self.starts, self.count) = (parts, starts, count)
        let descriptor = parts.first.map { unsafe open($0.path, O_RDONLY | O_CLOEXEC) } ?? -1
        opened = Mutex(Opened(index: 0, descriptor: descriptor))
        if descriptor < 0, !parts.isEmpty { return nil }
    }

    /// Takes ownership of a descriptor and sends the first `count` bytes of its file.
    package init(descriptor: CInt, count: Int) {
        (parts, starts, self.count) = ([Part(path: "", offset: 0, count: count)], [0], count)
        opened = Mutex(Opened(index: 0, descriptor: descriptor))
    }

    /// Reads from a position and returns the number of bytes, 0 at the end.
    func read(at position: Int, into buffer: UnsafeMutableRawPointer, _ capacity: Int) -> Int {
        guard position >= 0, position < count else { return 0 }
        let index = part(at: position)
        let (part, inside) = (parts[index], position - starts[index])
        let wanted = min(capacity, part.count - inside)
        return opened.withLock { opened in
            opened.move(to: index, part.path)
            return unsafe pread(opened.descriptor, buffer, wanted, off_t(part.offset + inside))
        }
    }

    /// Returns the last nonempty part that starts at or before the position.
    private func part(at position: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns a response of libmicrohttpd with all bytes, which the system copies directly from a single file.
    func response() -> OpaquePointer? {
        guard parts.count == 1, count > 0 else { return unsafe response(endingAfter: .max) }
        let descriptor = opened.withLock { fcntl($0.descriptor, F_DUPFD_CLOEXEC, 0) }
        guard descriptor >= 0 else { return nil }
        let made = unsafe MHD_create_response_from_fd_at_offset64(
            UInt64(count), descriptor, UInt64(parts[0].offset))
        if unsafe made == nil { _ = close(descriptor) }
        return unsafe made
    }

    /// Returns a response of libmicrohttpd that reads the slice as it is sent, and closes the connection after `end`
    /// bytes.
    func response(endingAfter end: Int) -> OpaquePointer? {
        unsafe LimitedBody(count: count, end: end) { position, buffer, wanted in
            unsafe self.read(at: position, into: buffer, wanted)
        }.response()
    }
}

/// A body that is read while it is sent, and that may end before its announced length.
@safe
final class LimitedBody {
    typealias Read = (_ position: Int, _ buffer: UnsafeMutableRawPointer, _ wanted: Int) -> Int

    private let (count, end): (Int, Int)
    private let read: Read

    init(count: Int, end: Int, _ read: @escaping Read) {
        (self.count, self.end) = (count, end)
        unsafe self.read = read
    }

    /// Creates a body in memory.
    convenience init(_ body: [UInt8], endingAfter end: Int) {
        unsafe self.init(count: body.count, end: min(end, body.count)) { position, buffer, wanted in
            let bytes = body[position..<position + wanted]
            return unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return 0 }
                unsafe memcpy(buffer, start, bytes.count)
                return bytes.count
            }
        }
    }

    /// Returns the body for libmicrohttpd, which closes the connection if the body ends too early.
    func response() -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        return unsafe MHD_create_response_from_callback(
            UInt64(count), 128 << 10,
            { context, position, buffer, capacity in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
                let body = unsafe Unmanaged<LimitedBody>.fromOpaque(context).takeUnretainedValue()
                let start = Int(clamping: position)
                let wanted = min(capacity, body.end - start)
                let got = wanted > 0 ? unsafe body.read(start, buffer, wanted) : 0
                // -2 is MHD_CONTENT_READER_END_WITH_ERROR, a cast that Swift does not import.
                return got > 0 ? got : -2
            }, context,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<LimitedBody>.fromOpaque(context).release()
            })
    }
}
