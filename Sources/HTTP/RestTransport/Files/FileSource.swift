// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// A file, or a part of one, read piece by piece, once: exactly what it was when it was opened.
package final class FileSource: Sendable {
    private struct Core {
        var descriptor: Int32
        var left: Int64
    }

    /// The length when the file was opened, or that of the part; exactly that much is read.
    package let length: Int64
    private let state: FileState
    private let core: Mutex<Core>

    private static let pieceSize = 65_536

    /// Opens a regular file.
    ///
    /// - Throws: `.file` when it is not there, not readable or no regular file; `.bodyChanged` when it is not what it
    ///   was at an earlier attempt.
    package init(_ file: HTTPBody.File) throws(TransportError) {
        let opened = unsafe open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw Self.unreadable(errno) }
        guard let state = FileState(opened) else {
            close(opened)
            throw Self.unreadable(0)
        }
        guard file.first?.isUnchanged(state) ?? true else {
            close(opened)
            throw TransportError(
                .bodyChanged, "the file to upload is not what it was at the first attempt; send the call again",
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

    deinit {
        core.withLock { _ = close($0.descriptor) }
    }

    /// Fills the buffer with what comes next; 0 at the end.
    ///
    /// The last bytes are given only if the file did not change before: half of one state and half of another, or a
    /// file that goes on, must not look like a whole upload.
    ///
    /// - Throws: `.file` when the file cannot be read, `.bodyChanged` when it is not what it was.
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

    /// The next piece; `nil` at the end.
    ///
    /// - Throws: as `read(into:)`.
    package func next() throws(TransportError) -> [UInt8]? {
        var failure: TransportError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
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
        .bodyChanged, "the file to upload changed while it was sent", mayHaveReachedServer: true)

    static func unreadable(_ code: Int32) -> TransportError {
        TransportError(
            .file, "the file to upload cannot be read", mayHaveReachedServer: false,
            systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
    }
}

/// The system's `read`, which a method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
