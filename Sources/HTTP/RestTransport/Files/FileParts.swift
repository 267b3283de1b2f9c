// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A file of which parts are read by their places, as long as it is what it was when it was looked at first.
///
/// It is opened for each part, so that a thousand files that wait need no descriptors.
package struct FileParts: Sendable {
    /// Where the file is.
    package let path: String
    /// What it was.
    package let state: FileState

    /// Looks at a regular file.
    ///
    /// - Throws: `.file` when it is not there, not readable or no regular file.
    package init(path: String) throws(TransportError) {
        self.path = path
        let (descriptor, state) = try Self.open(path)
        close(descriptor)
        self.state = state
    }

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - start: the place of its first byte.
    ///   - count: how many bytes it has; the file has them all.
    /// - Returns: the bytes.
    /// - Throws: `.file` when the file cannot be read, `.bodyChanged` when it is not what it was.
    package func read(from start: Int64, count: Int) throws(TransportError) -> [UInt8] {
        let (descriptor, now) = try Self.open(path)
        defer { close(descriptor) }
        guard now == state else { throw FileSource.changed }
        guard let bytes = FileBytes.read(descriptor, from: Int(start), count: count) else {
            throw FileSource.unreadable(errno)
        }
        guard bytes.count == count else { throw FileSource.changed }
        guard FileState(descriptor) == state else { throw FileSource.changed }
        return bytes
    }

    private static func open(_ path: String) throws(TransportError) -> (Int32, FileState) {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileSource.unreadable(errno) }
        guard let state = FileState(descriptor) else {
            close(descriptor)
            throw FileSource.unreadable(0)
        }
        return (descriptor, state)
    }
}

/// The system's `open`, which a method of the same name would hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags)
}
