// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file read piece by piece, once, from the start that it had when it was opened.
package final class FileSource: Sendable {
    /// The length when the file was opened.
    package let length: Int64
    private let descriptor: Mutex<Int32>

    private static let pieceSize = 65_536

    /// Opens a regular file.
    ///
    /// - Throws: `.file` when it is not there, not readable or no regular file.
    package init(path: String) throws(TransportError) {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw Self.failure(errno) }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw Self.failure(0)
        }
        length = Int64(status.st_size)
        descriptor = Mutex(opened)
    }

    deinit {
        descriptor.withLock { _ = close($0) }
    }

    /// The next piece; `nil` at the end of the file as it is now.
    ///
    /// - Throws: `.file` when the file cannot be read.
    package func next() throws(TransportError) -> [UInt8]? {
        let (bytes, code) = descriptor.withLock { descriptor in
            var count = 0
            var code: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, initialized in
                repeat {
                    count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                } while count < 0 && errno == EINTR
                code = count < 0 ? errno : 0
                initialized = max(0, count)
            }
            return (bytes, code)
        }
        guard code == 0 else { throw Self.failure(code) }
        return bytes.isEmpty ? nil : bytes
    }

    private static func failure(_ code: Int32) -> TransportError {
        TransportError(
            .file, "the file to upload cannot be read", mayHaveReachedServer: false,
            systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
    }
}
