// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of an org's database; a temporary one can be found by its user alone, and only while the org starts.
package struct DatabaseFile {
    package let path: String
    /// The folder of a file that goes with the process.
    private let folder: String?

    package var isTemporary: Bool { folder != nil }

    package init(_ storage: LocalOrgConfiguration.Storage) throws(DatabaseError) {
        switch storage {
        case .memory:
            let folder = try Self.makeFolder()
            (path, self.folder) = (folder + "/org.db", folder)
        case .file(let path): (self.path, folder) = (path, nil)
        }
    }

    private static func makeFolder() throws(DatabaseError) -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/localorg-" + RandomText.make(22)
        guard unsafe mkdir(folder, 0o700) == 0 else {
            throw DatabaseError(kind: .cannotOpen, message: unsafe String(cString: strerror(errno)))
        }
        return folder
    }

    /// Takes the names of a temporary file away, once every connection has it open.
    ///
    /// From then on nobody else can open it, and the system frees it with the last connection, however the process
    /// ends.
    package func forget() {
        guard let folder else { return }
        for name in [path, path + "-wal", path + "-shm", path + "-journal"] { unsafe unlink(name) }
        unsafe rmdir(folder)
    }
}

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
