// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// A file of lines that only grows, for one process at a time: what a process did, for the one that goes on after it.
///
/// A line is there as a whole or not at all: what a process wrote of one when it died is dropped.
package final class JournalFile: Sendable {
    private struct Core {
        var descriptor: Int32
        /// The length of the whole lines.
        var length: Int64
        /// Whether the name of the file is on the disk.
        var isNamed = false
        /// The system's error of a sync that failed; what was added before may not be on the disk.
        var failure: Int32 = 0
    }

    /// Where the file is.
    package let path: String
    private let title: [UInt8]
    private let core: Mutex<Core>
    private let systemSync: @Sendable (Int32) -> Int32

    /// Opens the file, or makes one that only this user may read, and locks it until this is let go of.
    ///
    /// - Parameters:
    ///   - path: where it is; its folder is there.
    ///   - title: the first line, which tells it from files of others.
    ///   - sync: puts a file or a directory on the disk.
    /// - Throws: `.file` when it cannot be made or written, is no regular file, or another process has it.
    package init(
        path: String, title: [UInt8], sync: @escaping @Sendable (Int32) -> Int32 = { fsync($0) }
    ) throws(TransportError) {
        (self.path, systemSync) = (path, sync)
        self.title = title + [UInt8(ascii: "\n")]
        core = Mutex(Core(descriptor: try Self.openLocked(path), length: 0))
    }

    deinit { close() }

    /// Lets go of the file and its lock; everything else fails from now on.
    package func close() {
        core.withLock { core in
            if core.descriptor >= 0 { _ = systemClose(core.descriptor) }
            core.descriptor = -1
        }
    }

    /// Reads the lines below the title, without their ends.
    ///
    /// What is behind the last whole one goes when a line is added.
    ///
    /// - Throws: `.file` when the file cannot be read, or has another title; it stays as it is then.
    package func lines() throws(TransportError) -> [ArraySlice<UInt8>] {
        let content = core.withLock { core -> [UInt8]? in
            guard let state = FileState(core.descriptor) else { return nil }
            return FileBytes.read(core.descriptor, from: 0, count: Int(state.size))
        }
        guard let bytes = content else { throw Self.failure("cannot be read", errno) }
        guard bytes.starts(with: title) else {
            // Who began it may have died before the title was written.
            guard title.starts(with: bytes) else { throw Self.failure("is a file of something else", 0) }
            core.withLock { $0.length = 0 }
            try add(title)
            return []
        }
        let end = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        core.withLock { $0.length = Int64(end) }
        return bytes[title.count..<end].split(separator: UInt8(ascii: "\n"))
    }

    /// Adds lines; they outlast the process, and after ``sync()`` a loss of power.
    ///
    /// - Parameter lines: lines without their ends, which have no line feed in them.
    /// - Throws: `.file` if the disk is full or broken, now or at an earlier ``sync()``. None of them is there then.
    package func append(_ lines: [[UInt8]]) throws(TransportError) {
        try add(Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined()))
    }

    private func add(_ bytes: [UInt8]) throws(TransportError) {
        let code = core.withLock { core -> Int32 in
            guard core.failure == 0 else { return core.failure }
            // What is behind the last whole line was left by a process that died, or by a full disk.
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

    /// Puts what was added, and the name of the file, on the disk.
    ///
    /// - Throws: `.file` if the disk reports an error, now or earlier. Nothing can be added then: nobody can say
    ///   whether a later sync puts the same lines on the disk. Open the file again to continue with what it has.
    package func sync() throws(TransportError) {
        let (code, isNamed) = core.withLock { core in
            if core.failure == 0, systemSync(core.descriptor) != 0 { core.failure = errno }
            return (core.failure, core.isNamed)
        }
        guard code == 0 else { throw Self.failure("cannot be written", code) }
        guard !isNamed else { return }
        try FileWriter.syncFolder(of: path, systemSync)
        core.withLock { $0.isNamed = true }
    }

    /// Replaces all lines below the title in one step: a process that dies meanwhile leaves the old or the new ones.
    ///
    /// - Throws: `.file` when the new file cannot be made; the old one is in place then.
    package func replace(with lines: [[UInt8]]) throws(TransportError) {
        // The lock of the old file keeps others from this name too; what is there was left by a process that died.
        unsafe unlink(temporary)
        let bytes = title + lines.map { $0 + [UInt8(ascii: "\n")] }.joined()
        let opened = unsafe open(temporary, Self.flags | O_EXCL, 0o600)
        guard opened >= 0 else { throw Self.failure("cannot be written", errno) }
        let isWritten = flock(opened, LOCK_EX | LOCK_NB) == 0 && FileBytes.write(bytes, to: opened, at: 0)
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

    /// Removes the file, and what a process that died left of a new one.
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
            while flock(opened, LOCK_EX | LOCK_NB) != 0 {
                let code = errno
                if code == EINTR { continue }
                _ = systemClose(opened)
                throw code == EWOULDBLOCK
                    ? failure("is in use by another process", 0) : failure("cannot be locked", code)
            }
            // Another process may have replaced or removed it since: then the lock is of a file without a name.
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
