// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

package enum DatabaseStorage: Sendable, Hashable {
    /// A file that disappears with the process, created in a directory with this name, as a copy of a complete database
    /// or empty.
    case temporary(String, copyOf: [UInt8]? = nil)
    case file(String)
}

/// The file of a database.
///
/// Only its user can find a temporary file, and only during the start.
package struct DatabaseFile {
    package let path: String
    /// The directory of a temporary file.
    private let folder: String?
    let isCopy: Bool

    package var isTemporary: Bool { folder != nil }

    package init(_ storage: DatabaseStorage) throws(DatabaseError) {
        switch storage {
        case .temporary(let name, let image):
            let folder = try Self.makeDirectory(name)
            (path, self.folder, isCopy) = (folder + "/data.db", folder, image != nil)
            guard let image, !FileManager.default.createFile(atPath: path, contents: Data(image)) else { return }
            forget()
            throw DatabaseError(kind: .cannotOpen, message: "the copy of a database cannot be written")
        case .file(let path): (self.path, folder, isCopy) = (path, nil, false)
        }
    }

    private static func makeDirectory(_ name: String) throws(DatabaseError) -> String {
        var path = Array((FileManager.default.temporaryDirectory.path + "/\(name)-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&path) != nil else {
            throw DatabaseError(kind: .cannotOpen, message: unsafe String(cString: strerror(errno)))
        }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the names of a temporary file, after every connection has opened it.
    ///
    /// Then no other process can open it, and the system frees it with the last connection, regardless of how the
    /// process ends.
    package func forget() {
        guard let folder else { return }
        for name in [path, path + "-wal", path + "-shm", path + "-journal"] { unsafe unlink(name) }
        unsafe rmdir(folder)
    }
}

/// A database file that only this user can read and write, regardless of the process's umask.
///
/// SQLite creates its other files (`-wal`, `-shm`, `-journal`) with the mode of the database.
package struct PrivateFile {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    private static let mode: mode_t = 0o600

    /// Whether the file exists.
    package var exists: Bool { unsafe access(path, F_OK) == 0 }

    /// Removes the database and SQLite's files next to it.
    package func remove() {
        for suffix in Self.suffixes { unsafe unlink(path + suffix) }
    }

    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Creates an empty file if it does not exist; errors are reported when the file is opened.
    package func make() {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, Self.mode)
        guard descriptor >= 0 else { return }
        _ = fchmod(descriptor, Self.mode)
        _ = close(descriptor)
    }

    /// Removes other users' rights from an existing database and SQLite's files next to it.
    ///
    /// It uses names, because closing a descriptor would release SQLite's locks on the file (fcntl(2)).
    package func restrict() {
        _ = unsafe chmod(path, Self.mode)
        for suffix in Self.suffixes.dropFirst() {
            _ = unsafe fchmodat(AT_FDCWD, path + suffix, Self.mode, AT_SYMLINK_NOFOLLOW)
        }
    }
}

package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors that callers distinguish.
    package enum Kind: Sendable, Hashable {
        case notADatabase
        /// The file is a database of another program or another version.
        case foreign
        /// The tables were created for another schema, as the message describes.
        case changed
        /// The first rows are invalid, for the reason in the message.
        case rejected
        case cannotOpen
        /// The app's preparation of a connection has failed.
        case unprepared
        /// The value already exists in a unique column.
        case duplicate
        /// The progress handler stopped a statement that ran for too long.
        case interrupted
        /// A query used more processor time than it was allowed.
        case outgrown
        /// The authorizer denied an action of a query.
        case denied
        case tooComplex
        case other
    }

    package let kind: Kind
    /// SQLite's message, or a message for the kind, not intended for clients.
    package let message: String

    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { "\(kind): \(message)" }
}
