// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a database is kept.
package enum DatabaseStorage: Sendable, Hashable {
    /// In a file without a name, which disappears with the process; the folder that it is made in is called so.
    case temporary(String)
    /// In a file.
    case file(String)
}

/// The file of a database; only its user can find a temporary one, and only while the org starts.
package struct DatabaseFile {
    package let path: String
    /// The folder of a file that is removed with the process.
    private let folder: String?

    package var isTemporary: Bool { folder != nil }

    package init(_ storage: DatabaseStorage) throws(DatabaseError) {
        switch storage {
        case .temporary(let name):
            let folder = try Self.makeFolder(name)
            (path, self.folder) = (folder + "/data.db", folder)
        case .file(let path): (self.path, folder) = (path, nil)
        }
    }

    private static func makeFolder(_ name: String) throws(DatabaseError) -> String {
        var path = Array((FileManager.default.temporaryDirectory.path + "/\(name)-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&path) != nil else {
            throw DatabaseError(kind: .cannotOpen, message: unsafe String(cString: strerror(errno)))
        }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the names of a temporary file, once every connection has it open.
    ///
    /// After that no other process can open it, and the system frees it with the last connection, however the process
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
package struct PrivateFile {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    private static let mode: mode_t = 0o600

    /// Makes the file, empty, if there is none; an error is reported when the file is opened.
    package func make() {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, Self.mode)
        guard descriptor >= 0 else { return }
        _ = fchmod(descriptor, Self.mode)
        _ = close(descriptor)
    }

    /// Removes other users' rights from a database that was there, and from the files beside it.
    ///
    /// It uses names, because closing a descriptor would release SQLite's locks on the file (fcntl(2)).
    package func restrict() {
        _ = unsafe chmod(path, Self.mode)
        for suffix in ["-wal", "-shm", "-journal"] {
            _ = unsafe fchmodat(AT_FDCWD, path + suffix, Self.mode, AT_SYMLINK_NOFOLLOW)
        }
    }
}

/// What SQLite refused.
package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds that are answered differently.
    package enum Kind: Sendable, Hashable {
        /// The file is something else.
        case notADatabase
        /// The file is a database of another program or of another version.
        case foreign
        /// The tables were made for another schema, and the message says what differs.
        case changed
        /// The first rows are not valid, and the message says why.
        case rejected
        /// The file cannot be opened or written.
        case cannotOpen
        /// A unique column holds the value already.
        case duplicate
        /// The progress handler stopped a statement that ran too long.
        case interrupted
        /// A query used up the processor time that it may take where it ran.
        case outgrown
        /// The authorizer denied what a query wanted to touch.
        case denied
        /// The statement is larger or deeper than the limits allow.
        case tooComplex
        case other
    }

    package let kind: Kind
    /// SQLite's own message, unless the kind says more.
    ///
    /// It is not for clients.
    package let message: String

    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { "\(kind): \(message)" }
}
