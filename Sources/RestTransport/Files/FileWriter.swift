// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a file without a name, or under a temporary one, beside its place and moves it there when it is complete.
///
/// Nobody ever sees half a file, and an existing file stays until the new one is whole, also when the machine loses its
/// power: the bytes are on the disk before the name leads to them.
package final class FileWriter: Sendable {
    private let path: String
    private let replaces: Bool
    private let folder: String
    private let temporaryPath: String
    private let descriptor: Mutex<Int32>
    private let sync: @Sendable (Int32) -> Int32
    /// Whether the temporary file outlives the writer, so that another one goes on with it.
    private let isLeft: Bool
    /// Whether the file has no name yet: a process that is killed while it writes leaves nothing.
    private let isNameless: Bool
    private let earlySync = EarlySync()

    /// Opens the temporary file.
    ///
    /// - Parameters:
    ///   - path: where the file belongs.
    ///   - replaces: whether a file that is there may be replaced.
    ///   - permissions: who may read and write the file, as far as the process's mask allows; its owner by default.
    ///   - sync: how a file or a folder gets onto the disk.
    /// - Throws: `.file` when the folder is missing or not writable, and for a place where no file can be.
    package init(
        path: String, replaces: Bool = true, permissions: UInt32 = 0o600,
        sync: @escaping @Sendable (Int32) -> Int32 = { fsync($0) }
    ) throws(TransportError) {
        self.path = path
        self.replaces = replaces
        self.sync = sync
        isLeft = false
        folder = Self.folder(of: path)
        try Self.check(path, replaces: replaces)
        // A short name of its own: with an end behind it, a name of the greatest length would be too long.
        temporaryPath = "\(folder).\(UInt64.random(in: .min ... .max)).part"
        let mode = mode_t(truncatingIfNeeded: permissions)
        let nameless = Self.openNameless(in: folder, mode)
        isNameless = nameless != nil
        let opened = unsafe nameless ?? open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        descriptor = Mutex(opened)
        guard opened >= 0 else { throw Self.failure("cannot be created", code: errno) }
    }

    /// Goes on with a temporary file of this name beside the place, or begins it; it stays when the writer goes.
    ///
    /// - Parameters:
    ///   - path: where the file belongs.
    ///   - replaces: whether a file that is there may be replaced.
    ///   - name: the temporary file's name.
    /// - Throws: `.file` as the other initializer, when another writer is at it, and when it is not this user's alone.
    package init(path: String, replaces: Bool, goingOnWith name: String) throws(TransportError) {
        self.path = path
        self.replaces = replaces
        sync = { fsync($0) }
        isLeft = true
        isNameless = false
        folder = Self.folder(of: path)
        try Self.check(path, replaces: replaces)
        temporaryPath = folder + name
        descriptor = Mutex(try Self.openAlone(temporaryPath))
    }

    deinit {
        let left = takeDescriptor()
        guard left >= 0 else { return }
        // Of an empty file nothing can be gone on with.
        if !isLeft || lseek(left, 0, SEEK_END) == 0 { unsafe unlink(temporaryPath) }
        close(left)
    }

    /// Removes the temporary file; nothing more can be written.
    package func discard() {
        let left = takeDescriptor()
        guard left >= 0 else { return }
        unsafe unlink(temporaryPath)
        close(left)
    }

    /// Gives what was written so far, piece by piece, from its start; what is written next comes behind it.
    ///
    /// - Throws: `.file` when it cannot be read.
    package func readBack(_ take: ([UInt8]) -> Void) throws(TransportError) {
        let descriptor = descriptor.withLock(\.self)
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure("cannot be read", code: errno) }
        while true {
            let piece = try Self.readPiece(descriptor)
            guard !piece.isEmpty else { return }
            take(piece)
        }
    }

    /// Drops what was written behind a place, so that what is written next comes there.
    ///
    /// - Parameter length: how much stays.
    /// - Returns: whether there was as much.
    /// - Throws: `.file` when it cannot be cut.
    package func cut(to length: Int64) throws(TransportError) -> Bool {
        let descriptor = descriptor.withLock(\.self)
        guard lseek(descriptor, 0, SEEK_END) >= off_t(length) else { return false }
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else {
            throw Self.failure("cannot be cut", code: errno)
        }
        return true
    }

    /// Puts what was written so far onto the disk.
    ///
    /// - Throws: `.file` when the disk says that it failed.
    package func flush() throws(TransportError) {
        guard sync(descriptor.withLock(\.self)) == 0 else { throw Self.failure("cannot be written", code: errno) }
    }

    private func takeDescriptor() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: `.file` when the disk is full or broken.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let descriptor = descriptor.withLock(\.self)
        var left = unsafe bytes[...]
        while unsafe !left.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: left)
            let count = unsafe systemWrite(descriptor, part)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot be written", code: errno) }
            unsafe left = left.dropFirst(count)
        }
        earlySync.count(bytes.count, of: descriptor)
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

    /// Puts the complete file onto the disk and then in its place.
    ///
    /// It waits for the disk, so it does not belong on a thread that serves others.
    ///
    /// - Parameter isKept: whether the file must outlast a loss of power; not so one that is needed for a call only.
    /// - Throws: `.file` when writing, closing or renaming fails; the file at the place is then the old one, or none.
    package func finish(isKept: Bool = true) throws(TransportError) {
        let code = complete(takeDescriptor(), isKept: isKept)
        guard code == 0 else {
            unsafe unlink(temporaryPath)
            throw Self.failure("cannot be moved into place", code: code)
        }
        if isKept { try syncFolder() }
    }

    /// Puts the file onto the disk and in its place, and closes it; gives the system's error, or 0.
    private func complete(_ opened: Int32, isKept: Bool) -> Int32 {
        var code = !isKept || sync(opened) == 0 ? 0 : errno
        if code == 0, isNameless, !Self.name(opened, temporaryPath) { code = errno }
        // Who goes on with a file that stays waits for its end: it has its new name by then.
        if code == 0, isLeft, !place() { code = errno }
        if close(opened) != 0, code == 0 { code = errno }
        if code == 0, !isLeft, !place() { code = errno }
        return code
    }

    /// Gives the complete file its name.
    private func place() -> Bool {
        guard !replaces else { return unsafe rename(temporaryPath, path) == 0 }
        // A link is never made over a file, also not over one that appears at this moment.
        guard unsafe link(temporaryPath, path) != 0 else {
            unsafe unlink(temporaryPath)
            return true
        }
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        // A volume without links, such as FAT: nothing better than to look first.
        guard Self.type(at: path) == nil else {
            errno = EEXIST
            return false
        }
        return unsafe rename(temporaryPath, path) == 0
    }

    /// Puts the new name onto the disk; a folder that may not be read, and a disk that knows no such thing, go without.
    private func syncFolder() throws(TransportError) {
        let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        guard sync(opened) != 0, errno != EINVAL, errno != ENOTSUP else { return }
        throw Self.failure("may be lost if the power fails", code: errno)
    }

    static func failure(_ what: String, code: Int32) -> TransportError {
        TransportError(
            .file, "the downloaded file \(what)", mayHaveReachedServer: true,
            systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
    }
}

/// The system's `write`, which a method of the same name would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

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
        while true {
            let piece = try Self.readPiece(descriptor)
            guard !piece.isEmpty else { return }
            try write(piece)
        }
    }

    /// The next piece of a file; empty at its end.
    private static func readPiece(_ descriptor: Int32) throws(TransportError) -> [UInt8] {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
            repeat {
                count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        guard count >= 0 else { throw failure("cannot be read", code: errno) }
        return bytes
    }
}
