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
