// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reading and writing of whole buffers.
package enum FileBytes {
    /// Makes a file that must not be there; its descriptor, or -1.
    package static func make(_ path: String) -> CInt {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// Writes all of the buffer; `false` when the disk is full or fails.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at position: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            guard let start = bytes.baseAddress else { return false }
            let count = unsafe pwrite(descriptor, start + done, bytes.count - done, off_t(position + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    package static func write(_ bytes: [UInt8], to descriptor: CInt, at position: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor, at: position) }
    }

    /// Bytes of a file; fewer at its end, and `nil` if it cannot be read.
    package static func read(_ path: String, from position: Int, count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        return read(descriptor, from: position, count: count)
    }

    /// Bytes of an open file; fewer at its end, and `nil` if it cannot be read.
    package static func read(_ descriptor: CInt, from position: Int, count: Int) -> [UInt8]? {
        var isRead = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let start = buffer.baseAddress {
                let got = unsafe pread(descriptor, start + filled, count - filled, off_t(position + filled))
                if got < 0 && errno == EINTR { continue }
                isRead = got >= 0
                guard got > 0 else { break }
                filled += got
            }
        }
        return isRead ? bytes : nil
    }
}
