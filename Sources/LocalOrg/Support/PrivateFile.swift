// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A database file that only this user can read and write, whatever the process's umask is.
///
/// SQLite gives the files that it makes beside the database (`-wal`, `-shm`, `-journal`) the database's own mode.
struct PrivateFile {
    let path: String

    private static let mode: mode_t = 0o600

    /// Makes the file, empty, if there is none; a fault is left to whoever opens the file then.
    func make() {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, Self.mode)
        guard descriptor >= 0 else { return }
        _ = fchmod(descriptor, Self.mode)
        _ = close(descriptor)
    }

    /// Takes the rights of others away from a database that was there, and from the files beside it.
    ///
    /// By name and not by a descriptor: closing one would take SQLite's locks on the file away (fcntl(2)).
    func restrict() {
        _ = unsafe chmod(path, Self.mode)
        for suffix in ["-wal", "-shm", "-journal"] {
            _ = unsafe fchmodat(AT_FDCWD, path + suffix, Self.mode, AT_SYMLINK_NOFOLLOW)
        }
    }
}
