// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// An append-only file of lines, with which the next process can continue the work of a killed process.
///
/// A line is in the file as a whole or not at all. Part of a line, which a killed process may leave, is dropped.
///
/// The first line names the kind of the journal and the version of its format. A file that begins with another line is
/// never changed.
package final class JournalFile: Sendable {
    /// The maximum size of a journal in bytes, so that it can be read as a whole.
    package static let maximumSize = 1 << 30

    private struct Core {
        var descriptor: Int32
        var length: Int64
        /// Whether the name of the file is on the disk.
        var isNamed = false
        /// The system's error number of a failed sync, after which earlier lines may not be on the disk.
        var failure: Int32 = 0
    }

    package let path: String
    private let kind: String
    private let title: [UInt8]
    private let core: Mutex<Core>
    private let systemSync: @Sendable (Int32) -> Int32

    /// Opens the file, or creates one that only this user may read, and locks it until it is closed.
    ///
    /// - Throws: `.file` if it cannot be created or written, is not a regular file, or is locked by another process.
    package init(
        path: String, kind: String, version: Int, sync: @escaping @Sendable (Int32) -> Int32 = { FileBytes.sync($0) }
    ) throws(TransportError) {
        (self.path, self.kind, systemSync) = (path, kind, sync)
        title = Array("\(kind) \(version)\n".utf8)
        core = Mutex(Core(descriptor: try Self.openLocked(path), length: 0))
    }

    deinit { close() }

    /// Closes the file and releases its lock, after which all operations fail.
    package func close() {
        core.withLock { core in
            if core.descriptor >= 0 { _ = systemClose(core.descriptor) }
            core.descriptor = -1
        }
    }

    /// Reads the lines after the first one, without their ends.
    ///
    /// Bytes after the last whole line are dropped when a line is added.
    ///
    /// - Throws: `.file` if the file cannot be read, is too large, or has another first line. It is not changed then.
    package func lines() throws(TransportError) -> [ArraySlice<UInt8>] {
        let (size, head) = core.withLock { core in
            (FileState(core.descriptor)?.size, FileBytes.read(core.descriptor, from: 0, count: title.count + 20))
        }
        guard let size, let head else { throw Self.failure("cannot be read", errno) }
        guard head.starts(with: title) else {
            // A process may have died before it had written the first line.
            guard title.starts(with: head) else { throw otherTitle(head.prefix { $0 != UInt8(ascii: "\n") }) }
            core.withLock { $0.length = 0 }
            try add(title)
            return []
        }
        guard size <= Self.maximumSize else { throw Self.failure("is too large", EFBIG) }
        let content = core.withLock { FileBytes.read($0.descriptor, from: 0, count: Int(size)) }
        guard let bytes = content, bytes.count >= title.count else { throw Self.failure("cannot be read", errno) }
        let end = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        core.withLock { $0.length = Int64(end) }
        return bytes[title.count..<end].split(separator: UInt8(ascii: "\n"))
    }

    private func otherTitle(_ line: ArraySlice<UInt8>) -> TransportError {
        let version = line.dropFirst(kind.utf8.count + 1)
        guard line.starts(with: "\(kind) ".utf8), !version.isEmpty, version.allSatisfy(ASCII.isDigit) else {
            return Self.failure("is another kind of file; choose another path", 0)
        }
        return Self.failure(
            "was written by another version of this package; continue with that version, or remove the file to start "
                + "from the beginning", 0)
    }

    package var length: Int64 { core.withLock(\.length) }

    /// Adds a line, which contains no line feed and survives the process, and after ``sync()`` a loss of power.
    ///
    /// - Throws: `.file` if the disk is full or broken, now or at an earlier ``sync()``, or if the journal would be too
    ///   large. The file then does not have the line.
    package func append(_ line: [UInt8]) throws(TransportError) { try add(line + [UInt8(ascii: "\n")]) }

    private func add(_ bytes: [UInt8]) throws(TransportError) {
        let code = core.withLock { core -> Int32 in
            guard core.failure == 0 else { return core.failure }
            guard core.length + Int64(bytes.count) <= Self.maximumSize else { return EFBIG }
            // The bytes after the last whole line are from a killed process or a full disk.
            guard ftruncate(core.descriptor, off_t(core.length)) == 0 else { return errno }
            guard FileBytes.write(bytes, to: core.descriptor, at: Int(core.length)) else {
                defer { _ = ftruncate(core.descriptor, off_t(core.length)) }
                return errno
            }
            core.length += Int64(bytes.count)
            return 0
        }
        guard code == 0 else { throw Self.failure("cannot be written", code) }
    }

    /// Flushes the lines and the name of the file to disk.
    ///
    /// - Throws: `.file` if the disk reports an error, now or earlier. Nothing can be added then, because a later sync
    ///   may not put the same lines on the disk. Open the file again to continue with its lines.
    package func sync() throws(TransportError) {
        let (code, isNamed) = core.withLock { core in
            if core.failure == 0, systemSync(core.descriptor) != 0 { core.failure = errno }
            return (core.failure, core.isNamed)
        }
        guard code == 0 else { throw Self.failure("cannot be written", code) }
        guard !isNamed else { return }
        try FileWriter.syncDirectory(of: path, systemSync)
        core.withLock { $0.isNamed = true }
    }

    /// Replaces all lines after the first one in one step, so that a killed process leaves the old or the new lines.
    ///
    /// - Throws: `.file` if the new file cannot be created, in which case the old file remains.
    package func replace(with lines: [[UInt8]]) throws(TransportError) {
        // The lock of the old file also protects this name, so an existing file was left by a killed process.
        unsafe unlink(temporary)
        let bytes = title + lines.map { $0 + [UInt8(ascii: "\n")] }.joined()
        let opened = unsafe open(temporary, Self.flags | O_EXCL, 0o600)
        guard opened >= 0 else { throw Self.failure("cannot be written", errno) }
        let isWritten = FileLock.lock(opened) && FileBytes.write(bytes, to: opened, at: 0)
        var code = isWritten ? 0 : errno
        if code == 0, systemSync(opened) != 0 { code = errno }
        if code == 0, unsafe rename(temporary, path) != 0 { code = errno }
        guard code == 0 else {
            _ = systemClose(opened)
            unsafe unlink(temporary)
            throw Self.failure("cannot be written", code)
        }
        core.withLock { core in
            _ = systemClose(core.descriptor)
            core = Core(descriptor: opened, length: Int64(bytes.count))
        }
    }

    private var temporary: String { path + ".part" }

    package func remove() {
        unsafe unlink(temporary)
        unsafe unlink(path)
    }

    private static let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    private static func openLocked(_ path: String) throws(TransportError) -> Int32 {
        while true {
            let opened = unsafe open(path, flags, 0o600)
            guard opened >= 0 else { throw failure("cannot be opened", errno) }
            guard FileState(opened) != nil else {
                _ = systemClose(opened)
                throw failure("is not a regular file", 0)
            }
            guard FileLock.lock(opened) else {
                let code = errno
                _ = systemClose(opened)
                throw code == EWOULDBLOCK
                    ? failure("is in use by another process", 0) : failure("cannot be locked", code)
            }
            // Another process may have replaced or removed the file, in which case the lock has no effect.
            if FileState.isOpen(opened, at: path) { return opened }
            _ = systemClose(opened)
        }
    }

    private static func failure(_ what: String, _ code: Int32) -> TransportError {
        TransportError(
            .file, "the journal \(what)", mayHaveReachedServer: false,
            systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
    }
}

/// The system's `close`, which a method of the same name would hide.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
