// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a file under a temporary name beside its place and moves it there when it is complete.
///
/// Nobody ever sees half a file, and an existing file stays until the new one is whole. Not shared between threads.
package final class FileWriter {
    private let path: String
    private let temporaryPath: String
    private var descriptor: Int32

    /// Opens the temporary file; only its owner may read it.
    ///
    /// - Throws: `.file` when the folder is missing or not writable.
    package init(path: String) throws(TransportError) {
        self.path = path
        temporaryPath = "\(path).\(UInt64.random(in: .min ... .max)).part"
        descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot be created", code: errno) }
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
            unsafe unlink(temporaryPath)
        }
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: `.file` when the disk is full or broken.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        var left = unsafe bytes[...]
        while unsafe !left.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: left)
            let count = unsafe systemWrite(descriptor, part)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot be written", code: errno) }
            unsafe left = left.dropFirst(count)
        }
    }

    /// Adds bytes at the end; see `write(_:)` of raw bytes.
    package func write(_ bytes: [UInt8]) throws(TransportError) {
        let outcome = unsafe bytes.withUnsafeBytes { buffer -> TransportError? in
            do throws(TransportError) {
                try unsafe write(buffer)
                return nil
            } catch {
                return error
            }
        }
        if let outcome { throw outcome }
    }

    /// Moves the complete file to its place.
    ///
    /// - Throws: `.file` when closing or renaming fails.
    package func finish() throws(TransportError) {
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0, unsafe rename(temporaryPath, path) == 0 else {
            let code = errno
            unsafe unlink(temporaryPath)
            throw Self.failure("cannot be moved to its place", code: code)
        }
    }

    static func failure(_ what: String, code: Int32) -> TransportError {
        TransportError(
            .file, "the downloaded file \(what)", mayHaveReachedServer: true,
            systemErrors: [SystemError(errno: code)].compactMap(\.self))
    }
}

/// The system's `write`, which a method of the same name would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
