// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// Writes a file without a name or with a temporary name, and moves it to its destination when it is complete.
///
/// The temporary file is in the directory of the destination. Other programs never see a partial file. An existing file
/// remains until the new file is complete, even after a loss of power: the bytes are on the disk before the name refers
/// to them.
///
/// After a failed write, the writer rejects all operations except ``cut(to:)``, because its caller may have counted
/// bytes that the file does not have. After a failed sync it rejects all operations, because a later sync may not put
/// the same bytes on the disk.
package final class FileWriter: Sendable {
    private struct Core {
        var descriptor: Int32
        /// The number of bytes, without those of a failed write.
        var count: Int64 = 0
        /// The system's error number of the failed write or sync, or 0.
        var failure: Int32 = 0
        var hasFailedToSync = false
    }

    private let path: String
    /// The open directory to which paths are relative.
    private let directory: Int32
    private let replaces: Bool
    private let folder: String
    private let temporaryPath: String
    private let core: Mutex<Core>
    private let sync: @Sendable (Int32) -> Int32
    /// Whether the temporary file outlives the writer, so that another writer can continue it.
    private let isLeft: Bool
    /// Whether the file has no name yet, so that nothing remains if the process is killed.
    private let isNameless: Bool
    private let earlySync = EarlySync()

    /// Opens the temporary file.
    ///
    /// A caller that locks the destination can give the name of the temporary file. A file with this name is removed,
    /// because a killed process left it.
    ///
    /// - Throws: `.file` if the directory is missing or not writable, or if no file can be at the destination.
    package init(
        path: String, replaces: Bool = true, access: FileAccess = .owner, in directory: Int32 = AT_FDCWD,
        temporary: String? = nil, sync: @escaping @Sendable (Int32) -> Int32 = { FileBytes.sync($0) }
    ) throws(TransportError) {
        self.path = path
        self.directory = directory
        self.replaces = replaces
        self.sync = sync
        isLeft = false
        folder = Self.folder(of: path)
        try Self.check(path, replaces: replaces, in: directory)
        // A short name, because a name of the maximum length with a suffix would be too long.
        temporaryPath = folder + (temporary ?? ".\(UInt64.random(in: .min ... .max)).part")
        if temporary != nil { unsafe unlinkat(directory, temporaryPath, 0) }
        let rights = access.rights(at: path)
        let nameless = Self.openNameless(folder, in: directory, rights.mode)
        isNameless = nameless != nil
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let opened = unsafe nameless ?? openat(directory, temporaryPath, flags, rights.mode)
        core = Mutex(Core(descriptor: opened))
        guard opened >= 0 else { throw Self.failure("cannot be created", code: errno) }
        rights.keep(opened)
    }

    /// Opens or creates a temporary file with this name next to the destination, which remains after the writer.
    ///
    /// - Throws: `.file` like the other initializer, and if another writer has the file open or other users can access
    ///   it.
    package init(
        path: String, replaces: Bool, goingOnWith name: String,
        sync: @escaping @Sendable (Int32) -> Int32 = { FileBytes.sync($0) }
    ) throws(TransportError) {
        self.path = path
        directory = AT_FDCWD
        self.replaces = replaces
        self.sync = sync
        isLeft = true
        isNameless = false
        folder = Self.folder(of: path)
        try Self.check(path, replaces: replaces)
        temporaryPath = folder + name
        let opened = try Self.openAlone(temporaryPath)
        core = Mutex(Core(descriptor: opened, count: FileState(opened)?.size ?? 0))
    }

    deinit {
        core.withLock { core in
            guard core.descriptor >= 0 else { return }
            // An empty file cannot be continued.
            if !isLeft || FileState(core.descriptor)?.size == 0 { unsafe unlinkat(directory, temporaryPath, 0) }
            close(core.descriptor)
        }
    }

    /// Removes the temporary file, so that nothing more can be written.
    package func discard() {
        core.withLock { core in
            guard core.descriptor >= 0 else { return }
            unsafe unlinkat(directory, temporaryPath, 0)
            close(core.descriptor)
            core.descriptor = -1
        }
    }

    /// The number of bytes, without those of a failed write.
    package var count: Int64 { core.withLock(\.count) }

    /// The state of the open file, or `nil` after it was moved to its destination.
    package var state: FileState? { core.withLock { FileState($0.descriptor) } }

    /// Reads the written bytes in chunks, from the start of the file.
    ///
    /// - Throws: `.file` if the file cannot be read.
    package func readBack(_ take: ([UInt8]) -> Void) throws(TransportError) {
        let descriptor = core.withLock(\.descriptor)
        try Self.forEachChunk(of: descriptor) { chunk throws(TransportError) in take(chunk) }
    }

    /// Truncates the file to a length, even after a failed write, and returns `false` if the file is shorter.
    ///
    /// - Throws: `.file` if the file cannot be truncated, or if a sync has failed.
    package func cut(to length: Int64) throws(TransportError) -> Bool {
        let (isLongEnough, code) = core.withLock { core -> (Bool, Int32) in
            guard !core.hasFailedToSync else { return (true, core.failure) }
            guard let size = FileState(core.descriptor)?.size, size >= length else { return (false, 0) }
            guard ftruncate(core.descriptor, off_t(length)) == 0 else { return (true, errno) }
            (core.count, core.failure) = (length, 0)
            return (true, 0)
        }
        guard code == 0 else { throw Self.failure("cannot be truncated", code: code) }
        return isLongEnough
    }

    /// Flushes the written bytes to disk.
    ///
    /// - Throws: `.file` if the disk reports an error, now or earlier.
    package func flush() throws(TransportError) {
        let code = core.withLock { put(&$0) }
        guard code == 0 else { throw Self.failure("cannot be written", code: code) }
    }

    /// Appends bytes.
    ///
    /// - Throws: `.file` if the disk is full or broken, now or earlier. None of the bytes are counted.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let code = core.withLock { core -> Int32 in
            guard core.failure == 0 else { return core.failure }
            guard unsafe FileBytes.write(bytes, to: core.descriptor, at: Int(core.count)) else {
                core.failure = errno
                return errno
            }
            core.count += Int64(bytes.count)
            earlySync.count(bytes.count, of: core.descriptor)
            return 0
        }
        guard code == 0 else { throw Self.failure("cannot be written", code: code) }
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(TransportError) {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(TransportError) in
            try unsafe write(UnsafeRawBufferPointer(buffer))
        }
    }

    package func write(_ bytes: [UInt8]) throws(TransportError) { try write(bytes[...]) }

    /// Flushes the complete file to disk and moves it to its destination.
    ///
    /// It waits for the disk, so do not call it on a thread that serves others. With `isKept` equal to `false` the file
    /// may be lost if the power fails.
    ///
    /// - Throws: `.file` after a failed write, if the length of the file is wrong, or if writing, closing or renaming
    ///   fails. The destination has the old file or none, unless only the new name is not on the disk yet. A temporary
    ///   file that another writer can continue remains.
    package func finish(isKept: Bool = true) throws(TransportError) {
        let code = core.withLock { core -> Int32 in
            defer { core.descriptor = -1 }
            return complete(&core, isKept: isKept)
        }
        guard code == 0 else {
            if !isLeft { unsafe unlinkat(directory, temporaryPath, 0) }
            throw Self.failure("cannot be moved into place", code: code)
        }
        if isKept { try Self.syncDirectory(of: path, in: directory, sync) }
    }

    /// Flushes the file to disk, and returns the system's error number or 0.
    private func put(_ core: inout Core) -> Int32 {
        if core.failure == 0, sync(core.descriptor) != 0 { (core.failure, core.hasFailedToSync) = (errno, true) }
        return core.failure
    }

    /// Flushes, moves and closes the file, and returns the system's error number or 0.
    private func complete(_ core: inout Core, isKept: Bool) -> Int32 {
        let opened = core.descriptor
        var code = isKept ? put(&core) : core.failure
        // The final check of the file's length, so that success refers to its content and not to the bytes passed to
        // it.
        if code == 0, FileState(opened)?.size != core.count { code = EIO }
        if code == 0, isNameless, !Self.name(opened, temporaryPath, in: directory) { code = errno }
        // Renamed before it is closed, which releases the lock, so that a waiting writer finds it with its new name.
        if code == 0, isLeft, !place() { code = errno }
        if close(opened) != 0, code == 0 { code = errno }
        if code == 0, !isLeft, !place() { code = errno }
        return code
    }

    /// Moves the complete file to its destination.
    private func place() -> Bool {
        guard !replaces else { return unsafe renameat(directory, temporaryPath, directory, path) == 0 }
        // A link never replaces a file, even if the file appears at this moment.
        guard unsafe linkat(directory, temporaryPath, directory, path, 0) != 0 else {
            unsafe unlinkat(directory, temporaryPath, 0)
            return true
        }
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        // On a volume without links, such as FAT, only a check before the move is possible.
        guard Self.type(at: path, in: directory) == nil else {
            errno = EEXIST
            return false
        }
        return unsafe renameat(directory, temporaryPath, directory, path) == 0
    }

    /// Writes the whole file or nothing.
    ///
    /// - Throws: `.file` if it cannot be written.
    package static func write(
        _ bytes: [UInt8], to path: String, access: FileAccess = .owner, isKept: Bool = true
    ) throws(TransportError) {
        let writer = try FileWriter(path: path, access: access)
        try writer.write(bytes)
        try writer.finish(isKept: isKept)
    }

    /// Moves a complete file to its destination in one step, or from another volume with a copy next to the
    /// destination.
    ///
    /// - Throws: `.file` if the move fails. The destination has the old file or none, unless only the new name is not
    ///   on the disk yet.
    package static func move(_ source: String, to path: String) throws(TransportError) {
        guard unsafe rename(source, path) != 0 else { return try syncDirectory(of: path) { FileBytes.sync($0) } }
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
        try Self.forEachChunk(of: descriptor) { chunk throws(TransportError) in try write(chunk) }
    }

    /// Reads a file in chunks, from its start.
    private static func forEachChunk(
        of descriptor: Int32, _ take: ([UInt8]) throws(TransportError) -> Void
    ) throws(TransportError) {
        var position = 0
        while true {
            guard let chunk = FileBytes.read(descriptor, from: position, count: 65_536) else {
                throw failure("cannot be read", code: errno)
            }
            guard !chunk.isEmpty else { return }
            try take(chunk)
            position += chunk.count
        }
    }

    /// Flushes the names in a file's directory to disk, unless the directory is unreadable or the disk cannot flush it.
    ///
    /// - Throws: `.file` if the disk reports an error.
    package static func syncDirectory(
        of path: String, in directory: Int32 = AT_FDCWD, _ sync: (Int32) -> Int32 = { FileBytes.sync($0) }
    ) throws(TransportError) {
        let opened = unsafe openat(directory, folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        guard sync(opened) != 0, errno != EINVAL, errno != ENOTSUP else { return }
        throw failure("may be lost if the power fails", code: errno)
    }

    static func failure(_ what: String, code: Int32) -> TransportError {
        TransportError(
            .file, "the file \(what)", mayHaveReachedServer: true,
            systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
    }
}
