// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Reads and writes whole buffers at positions of a file.
package enum FileBytes {
    /// Creates a file that must not exist yet, for its owner alone.
    ///
    /// - Returns: the descriptor, or -1 if the file cannot be created.
    package static func make(_ path: String) -> Int32 {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// Writes the whole buffer.
    ///
    /// - Returns: `false` if the disk is full or fails; `errno` has the reason, and a part may have been written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(position + done))
            if count < 0, errno == EINTR { continue }
            // Taking nothing of something is no error of its own.
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Writes the whole array; see `write(_:to:at:)` of raw bytes.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, at position: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor, at: position) }
    }

    /// Reads bytes of a file.
    ///
    /// - Returns: the bytes, fewer at the end of the file; `nil` if it cannot be read.
    package static func read(_ path: String, from position: Int, count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        return read(descriptor, from: position, count: count)
    }

    /// Reads bytes of an open file.
    ///
    /// - Returns: the bytes, fewer at the end of the file; `nil` if it cannot be read.
    package static func read(_ descriptor: Int32, from position: Int, count: Int) -> [UInt8]? {
        var isRead = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let start = buffer.baseAddress {
                let got = unsafe pread(descriptor, start + filled, count - filled, off_t(position + filled))
                if got < 0, errno == EINTR { continue }
                isRead = got >= 0
                guard got > 0 else { break }
                filled += got
            }
        }
        return isRead ? bytes : nil
    }
}
