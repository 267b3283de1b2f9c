// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// Writes a file without a name, or under a temporary one, next to its destination, and moves it there when it is
/// complete.
///
/// Other programs never see half a file. An existing file stays until the new one is whole, even if the machine loses
/// power: the bytes are on the disk before the name leads to them.
///
/// After a write that failed, the writer rejects everything else, because its caller may have counted bytes that the
/// file does not have. Only ``cut(to:)``, which says where the file continues, makes it usable again. After a sync that
/// failed nothing does, because nobody can say whether a later one puts the same bytes on the disk.
package final class FileWriter: Sendable {
    private struct Core {
        var descriptor: Int32
        /// The length of everything that was written as a whole.
        var count: Int64 = 0
        /// The system's error of the write or sync that failed; 0 while none did.
        var failure: Int32 = 0
        var hasFailedToSync = false
    }

    private let path: String
    /// The directory from which relative paths begin.
    private let directory: Int32
    private let replaces: Bool
    private let folder: String
    private let temporaryPath: String
    private let core: Mutex<Core>
    private let sync: @Sendable (Int32) -> Int32
    /// Whether the temporary file outlives the writer, so that another writer can continue it.
    private let isLeft: Bool
    /// Whether the file has no name yet: a process that is killed while it writes leaves nothing.
    private let isNameless: Bool
    private let earlySync = EarlySync()

    /// Opens the temporary file.
    ///
    /// - Parameters:
    ///   - path: the destination.
    ///   - replaces: whether an existing file may be replaced.
    ///   - access: who may read and write the file.
    ///   - directory: the open directory from which a relative path begins.
    ///   - temporary: the temporary file's name, for a caller that locks the destination. A file of this name was left
    ///     by a process that was killed, and is removed.
    ///   - sync: puts a file or a directory on the disk.
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
        // A short name of its own: a name of the maximum length with a suffix would be too long.
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

    /// Continues a temporary file of this name next to the destination, or begins it; it stays when the writer goes.
    ///
    /// - Parameters:
    ///   - path: the destination.
    ///   - replaces: whether an existing file may be replaced.
    ///   - name: the temporary file's name.
    ///   - sync: puts a file or a directory on the disk.
    /// - Throws: `.file` as the other initializer, if another writer has it open, and if other users can use it.
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
            // An empty file has nothing to continue.
            if !isLeft || FileState(core.descriptor)?.size == 0 { unsafe unlinkat(directory, temporaryPath, 0) }
            close(core.descriptor)
        }
    }

    /// Removes the temporary file; nothing more can be written.
    package func discard() {
        core.withLock { core in
            guard core.descriptor >= 0 else { return }
            unsafe unlinkat(directory, temporaryPath, 0)
            close(core.descriptor)
            core.descriptor = -1
        }
    }

    /// The number of bytes that were written as a whole.
    package var count: Int64 { core.withLock(\.count) }

    /// The identity of the file, which it keeps at its destination; `nil` after it was moved there.
    package var state: FileState? { core.withLock { FileState($0.descriptor) } }

    /// Reads what was written so far, in pieces, from its start.
    ///
    /// - Throws: `.file` if it cannot be read.
    package func readBack(_ take: ([UInt8]) -> Void) throws(TransportError) {
        let descriptor = core.withLock(\.descriptor)
        try Self.forEachPiece(of: descriptor) { piece throws(TransportError) in take(piece) }
    }

    /// Drops what was written after a position, so that the next bytes come there, even after a write that failed.
    ///
    /// - Parameter length: the number of bytes that stay.
    /// - Returns: whether the file has as many.
    /// - Throws: `.file` if it cannot be cut, or if a sync failed before.
    package func cut(to length: Int64) throws(TransportError) -> Bool {
        let (isLongEnough, code) = core.withLock { core -> (Bool, Int32) in
            guard !core.hasFailedToSync else { return (true, core.failure) }
            guard let size = FileState(core.descriptor)?.size, size >= length else { return (false, 0) }
            guard ftruncate(core.descriptor, off_t(length)) == 0 else { return (true, errno) }
            (core.count, core.failure) = (length, 0)
            return (true, 0)
        }
        guard code == 0 else { throw Self.failure("cannot be cut", code: code) }
        return isLongEnough
    }

    /// Puts what was written so far on the disk.
    ///
    /// - Throws: `.file` if the disk reports an error, now or earlier.
    package func flush() throws(TransportError) {
        let code = core.withLock { put(&$0) }
        guard code == 0 else { throw Self.failure("cannot be written", code: code) }
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: `.file` if the disk is full or broken, now or earlier. None of the bytes count then.
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

    /// Puts the complete file on the disk and then at its destination.
    ///
    /// It waits for the disk, so it does not belong on a thread that serves others.
    ///
    /// - Parameter isKept: whether the file must survive a loss of power; `false` for one that is needed for a call
    ///   only.
    /// - Throws: `.file` if a write failed before, if the file has another length than was written, and if writing,
    ///   closing or renaming fails. The destination then has the old file or none, unless only its name is not on the
    ///   disk yet. A temporary file that is there to be continued stays.
    package func finish(isKept: Bool = true) throws(TransportError) {
        let code = core.withLock { core -> Int32 in
            defer { core.descriptor = -1 }
            return complete(&core, isKept: isKept)
        }
        guard code == 0 else {
            if !isLeft { unsafe unlinkat(directory, temporaryPath, 0) }
            throw Self.failure("cannot be moved into place", code: code)
        }
        if isKept { try Self.syncFolder(of: path, in: directory, sync) }
    }

    /// Puts what was written on the disk; returns the system's error, or 0.
    private func put(_ core: inout Core) -> Int32 {
        if core.failure == 0, sync(core.descriptor) != 0 { (core.failure, core.hasFailedToSync) = (errno, true) }
        return core.failure
    }

    /// Puts the file on the disk and at its destination, and closes it; returns the system's error, or 0.
    private func complete(_ core: inout Core, isKept: Bool) -> Int32 {
        let opened = core.descriptor
        var code = isKept ? put(&core) : core.failure
        // A last look at the file itself: success is reported of what it has, not of what was sent to it.
        if code == 0, FileState(opened)?.size != core.count { code = EIO }
        if code == 0, isNameless, !Self.name(opened, temporaryPath, in: directory) { code = errno }
        // A writer that wants to continue the temporary file waits until it is closed: it has its new name by then.
        if code == 0, isLeft, !place() { code = errno }
        if close(opened) != 0, code == 0 { code = errno }
        if code == 0, !isLeft, !place() { code = errno }
        return code
    }

    /// Gives the complete file its name.
    private func place() -> Bool {
        guard !replaces else { return unsafe renameat(directory, temporaryPath, directory, path) == 0 }
        // A link is never made over a file, even if the file appears at this moment.
        guard unsafe linkat(directory, temporaryPath, directory, path, 0) != 0 else {
            unsafe unlinkat(directory, temporaryPath, 0)
            return true
        }
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        // A volume without links, such as FAT: all that is possible is to look first.
        guard Self.type(at: path, in: directory) == nil else {
            errno = EEXIST
            return false
        }
        return unsafe renameat(directory, temporaryPath, directory, path) == 0
    }

    /// Writes a file as a whole or not at all.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: the destination.
    ///   - access: who may read and write the file.
    ///   - isKept: whether the file must survive a loss of power.
    /// - Throws: `.file` if it cannot be written.
    package static func write(
        _ bytes: [UInt8], to path: String, access: FileAccess = .owner, isKept: Bool = true
    ) throws(TransportError) {
        let writer = try FileWriter(path: path, access: access)
        try writer.write(bytes)
        try writer.finish(isKept: isKept)
    }

    /// Moves a complete file to its destination, in one step; from another volume by a copy next to the destination.
    ///
    /// - Throws: `.file` if that is not possible. The destination then has the old file or none, unless only its name
    ///   is not on the disk yet.
    package static func move(_ source: String, to path: String) throws(TransportError) {
        guard unsafe rename(source, path) != 0 else { return try syncFolder(of: path) { FileBytes.sync($0) } }
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
        try Self.forEachPiece(of: descriptor) { piece throws(TransportError) in try write(piece) }
    }

    /// Reads a file in pieces, from its start.
    private static func forEachPiece(
        of descriptor: Int32, _ take: ([UInt8]) throws(TransportError) -> Void
    ) throws(TransportError) {
        var position = 0
        while true {
            guard let piece = FileBytes.read(descriptor, from: position, count: 65_536) else {
                throw failure("cannot be read", code: errno)
            }
            guard !piece.isEmpty else { return }
            try take(piece)
            position += piece.count
        }
    }

    /// Puts the names in a file's directory on the disk; a directory that may not be read, and a disk that has no such
    /// operation, are left alone.
    ///
    /// - Throws: `.file` if the disk reports an error.
    package static func syncFolder(
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
