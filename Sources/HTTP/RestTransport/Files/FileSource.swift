// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// Reads a file, or a range of it, once in chunks, and fails if the file changes after it was opened.
package final class FileSource: Sendable {
    private struct Core {
        var descriptor: Int32
        var left: Int64
    }

    /// The number of bytes to read: the length of the range, or of the file when it was opened.
    package let length: Int64
    private let state: FileState
    private let core: Mutex<Core>

    private static let chunkSize = 65_536

    /// Opens a regular file.
    ///
    /// - Throws: `.file` if it does not exist, is not readable or is not a regular file. `.bodyChanged` if it has
    ///   changed since an earlier attempt.
    package init(_ file: HTTPBody.File) throws(TransportError) {
        let (opened, state) = try FileParts.open(file.path)
        guard file.first?.isUnchanged(state) ?? true else {
            close(opened)
            throw TransportError(
                .bodyChanged, "the file to upload has changed since the first attempt; send the call again",
                mayHaveReachedServer: false)
        }
        let range = file.range ?? 0..<state.size
        guard range.upperBound <= state.size, lseek(opened, off_t(range.lowerBound), SEEK_SET) >= 0 else {
            close(opened)
            throw Self.changed
        }
        self.state = state
        length = Int64(range.count)
        core = Mutex(Core(descriptor: opened, left: length))
    }

    deinit { core.withLock { _ = close($0.descriptor) } }

    /// Fills the buffer with the next bytes and returns their number, or 0 at the end.
    ///
    /// The last bytes are returned only if the file has not changed. A mixture of two versions, or the start of a
    /// growing file, must not look like a complete upload.
    ///
    /// - Throws: `.file` if the file cannot be read, `.bodyChanged` if it has changed.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        let (count, error) = core.withLock { core -> (Int, TransportError?) in
            let wanted = Int(min(Int64(buffer.count), core.left))
            guard wanted > 0 else { return (0, nil) }
            let count = unsafe Self.read(core.descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            guard count >= 0 else { return (0, Self.unreadable(errno)) }
            core.left -= Int64(count)
            guard count > 0, core.left > 0 || FileState(core.descriptor) == state else { return (0, Self.changed) }
            return (count, nil)
        }
        if let error { throw error }
        return count
    }

    /// Returns the next chunk, or `nil` at the end.
    package func next() throws(TransportError) -> [UInt8]? {
        var failure: TransportError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            do throws(TransportError) {
                count = unsafe try read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes.isEmpty ? nil : bytes
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = unsafe systemRead(descriptor, buffer)
            guard count < 0, errno == EINTR else { return count }
        }
    }

    static let changed = TransportError(
        .bodyChanged, "the file to upload changed while it was sent; send the call again", mayHaveReachedServer: true)

    static func unreadable(_ code: Int32) -> TransportError {
        TransportError(
            .file, "the file to upload cannot be read", mayHaveReachedServer: false,
            systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
    }
}

/// The system's `read`, which the method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// Reads ranges of a file, as long as it has not changed since it was first examined.
///
/// The file is opened for each range, so that thousands of waiting files need no descriptors.
package struct FileParts: Sendable {
    package let path: String
    /// The state of the file when it was first examined.
    package let state: FileState

    /// Examines a regular file.
    ///
    /// - Throws: `.file` if it does not exist, is not readable or is not a regular file.
    package init(path: String) throws(TransportError) {
        self.path = path
        let (descriptor, state) = try Self.open(path)
        close(descriptor)
        self.state = state
    }

    /// Reads `count` bytes from the offset `start`, which must be within the file.
    ///
    /// - Throws: `.file` if the file cannot be read, `.bodyChanged` if it has changed.
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

    fileprivate static func open(_ path: String) throws(TransportError) -> (Int32, FileState) {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileSource.unreadable(errno) }
        guard let state = FileState(descriptor) else {
            close(descriptor)
            throw FileSource.unreadable(0)
        }
        return (descriptor, state)
    }
}

/// The system's `open`, which the method of the same name would hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }
