// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileWriter {
    /// Moves a complete file to its place, in one step; from another volume by way of a copy beside the place.
    ///
    /// - Throws: `.file` when that is not possible; the file at the place is then the old one, or none.
    package static func move(_ source: String, to path: String) throws(TransportError) {
        guard unsafe rename(source, path) != 0 else { return }
        guard errno == EXDEV else { throw failure("cannot be moved into place", code: errno) }
        let writer = try FileWriter(path: path)
        try writer.append(contentsOf: source)
        try writer.finish()
        unsafe unlink(source)
    }

    private func append(contentsOf source: String) throws(TransportError) {
        let descriptor = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("cannot be read", code: errno) }
        defer { close(descriptor) }
        var count = 0
        repeat {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                repeat {
                    count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            guard count >= 0 else { throw Self.failure("cannot be read", code: errno) }
            try write(bytes)
        } while count > 0
    }
}
