// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A lock of a file across processes, which is held until this object is released and ends with its process.
///
/// `flock` locks the open file. A lock of `fcntl` would end when any part of the process closes the same file. The file
/// is never removed, because two processes could then hold locks of two files with the same name.
package final class FileLock: Sendable {
    /// The reason why a lock file cannot be used.
    package enum Failure: Error {
        /// The name is a symbolic link, or the file is not a regular file of the user.
        case notOwn
        /// The file does not exist and cannot be created, with the system's error number.
        case notCreated(Int32)
        /// The system's error number.
        case system(Int32)
    }

    private let descriptor: Int32

    /// Locks the file, which is created with mode 600 if it is missing, or returns `nil` if another holder has the
    /// lock.
    package init?(_ name: String, in directory: Int32) throws(Failure) {
        // Without O_NONBLOCK, a pipe with the lock's name would block the thread.
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var opened = unsafe openat(directory, name, O_RDWR | O_CREAT | flags, 0o600)
        let code = errno
        // An existing lock file can be used even if files cannot be created in the directory.
        if opened < 0 { opened = unsafe openat(directory, name, O_RDONLY | flags) }
        guard opened >= 0 else {
            switch code {
            case ELOOP: throw .notOwn
            case EMFILE, ENFILE: throw .system(code)
            default: throw .notCreated(code)
            }
        }
        descriptor = opened
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw .notOwn
        }
        // The umask may have removed permissions that the owner needs. If they cannot be set, this lock still works.
        fchmod(opened, 0o600)
        guard !Self.lock(opened) else { return }
        guard errno == EWOULDBLOCK else { throw .system(errno) }
        return nil
    }

    /// Locks an open file until it is closed, and optionally waits for another holder.
    ///
    /// - Returns: `false` if the file cannot be locked. `errno` is `EWOULDBLOCK` if another holder has the lock.
    package static func lock(_ descriptor: Int32, isShared: Bool = false, waits: Bool = false) -> Bool {
        while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Replaces the content of the lock file, with which a holder can describe itself to other processes.
    package func describe(_ text: String) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = FileBytes.write(Array(text.utf8), to: descriptor, at: 0)
    }

    /// Returns the holder's description of itself, or `nil` if there is none.
    package static func holder(_ name: String, in directory: Int32) -> String? {
        let opened = unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        guard let bytes = FileBytes.read(opened, from: 0, count: 200), !bytes.isEmpty else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit { close(descriptor) }
}
