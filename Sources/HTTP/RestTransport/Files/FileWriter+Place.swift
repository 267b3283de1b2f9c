// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Checks of a file's path before anything is written.
extension FileWriter {
    /// The directory of a path, with a slash at its end.
    package static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
    }

    /// Rejects an impossible path, so that a long download does not fail at its end.
    ///
    /// - Throws: `.file` for a name that is empty, too long or contains NUL, for the path of a directory, for a parent
    ///   that is not a directory, and for an existing file that must not be replaced.
    package static func check(
        _ path: String, replaces: Bool, in directory: Int32 = AT_FDCWD
    ) throws(TransportError) {
        // The system would ignore everything from the NUL on.
        guard !path.utf8.contains(0) else { throw failure("has a path with a NUL character", code: EINVAL) }
        guard !path.isEmpty, !path.hasBytes(suffix: "/") else {
            throw failure("has a path without a file name", code: EINVAL)
        }
        errno = 0
        switch type(at: path, in: directory) {
        case S_IFDIR?: throw failure("has the path of a directory", code: EISDIR)
        case _? where !replaces: throw failure("already exists", code: EEXIST)
        case nil where errno != ENOENT && errno != 0: throw failure("cannot be created at its path", code: errno)
        default: break
        }
    }

    /// The type of the file at a path without following a symbolic link, or `nil` if it does not exist or is unknown.
    static func type(at path: String, in directory: Int32 = AT_FDCWD) -> mode_t? {
        var status = stat()
        return unsafe fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Opens a file without a name (`O_TMPFILE` in open(2) of Linux), or returns `nil` if that is not supported.
    static func openNameless(_ folder: String, in directory: Int32, _ mode: mode_t) -> Int32? {
        #if os(Linux)
        let temporaryFile = 0o20_000_000 | O_DIRECTORY
        guard unsafe access(openFiles, X_OK) == 0 else { return nil }
        let opened = unsafe openat(directory, folder, temporaryFile | O_WRONLY | O_CLOEXEC, mode)
        return opened >= 0 ? opened : nil
        #else
        return nil
        #endif
    }

    /// Gives a file without a name its first name.
    static func name(_ descriptor: Int32, _ path: String, in directory: Int32) -> Bool {
        unsafe linkat(AT_FDCWD, "\(openFiles)/\(descriptor)", directory, path, AT_SYMLINK_FOLLOW) == 0
    }

    private static let openFiles = "/proc/self/fd"

    /// Opens or creates a file that outlives the writer, and locks it until it is closed.
    static func openAlone(_ path: String) throws(TransportError) -> Int32 {
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard opened >= 0 else { throw failure("cannot be created", code: errno) }
        guard FileLock.lock(opened), isOwn(opened, path) else {
            let code = errno
            close(opened)
            throw failure("is in use by another process or belongs to another user", code: code)
        }
        return opened
    }

    /// Whether only this user can access the file and it still has its name, so that other users cannot change it.
    private static func isOwn(_ descriptor: Int32, _ path: String) -> Bool {
        var status = stat()
        guard FileState.isOpen(descriptor, at: path), unsafe fstat(descriptor, &status) == 0 else { return false }
        errno = EPERM
        return status.st_mode & 0o077 == 0 && status.st_uid == geteuid() && status.st_nlink == 1
    }
}

extension TransportError {
    /// Whether an existing file must not be replaced.
    package var isFileThere: Bool {
        systemErrors.contains { $0.domain == .errno && $0.number == Int(EEXIST) }
    }
}
